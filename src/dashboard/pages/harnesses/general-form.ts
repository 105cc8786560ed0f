/** What the form of a harness's general settings says. */
import { patternFault } from "../../../redaction/compile-patterns.ts";
import { redactionRules } from "../../../redaction/redact.ts";
import type { HarnessEntry } from "../../../store/config.ts";
import { allowedModelsFrom } from "../../components/allowed-models.tsx";
import { field, fieldProblem } from "../../shared/forms.ts";
import type { Viewer } from "../../shared/page-context.ts";
import type { HarnessMembers } from "./shared/edit-harness.ts";

/**
 * The members that the form sets, undefined for one that it empties. What is not in it stays as it is stored: a form of
 * another version or variant has fewer fields.
 */
export function generalFrom(form: URLSearchParams, viewer: Viewer): HarnessMembers {
  const name = field(form, "name");
  if (name === "") throw fieldProblem("name", "enter a name");
  return {
    name,
    aliases: aliasesFrom(field(form, "aliases")),
    models: allowedModelsFrom(form) ?? undefined,
    log_text: form.has("log_text") ? true : undefined,
    trace_text: form.has("trace_text") ? true : undefined,
    whole_keep_alive: form.has("whole_keep_alive") ? true : undefined,
    ...(form.has("patterns") && { redact: redactFrom(form) }),
    ...(field(form, "errors") !== "" && { errors: errorsFrom(form) }),
    ...(form.has("queue") && { queue: queueFrom(form) }),
    ...(form.has("web_search_provider") && { web_search: searcherFrom(form) }),
    ...(form.has("safeguard_model") && { safeguard_model: textFrom(form, "safeguard_model") }),
    ...(viewer.ownsResponses && {
      response_owner: form.has("response_owner") ? "strict" : undefined,
    }),
  };
}

/** Undefined where every built-in rule holds and no other. */
export function redactFrom(form: URLSearchParams): HarnessEntry["redact"] {
  const rules = redactionRules.filter((rule) => form.has(`redact_${rule}`));
  const patterns = (form.get("patterns") ?? "").split(/\r?\n/).filter((line) => line.trim() !== "");
  if (patterns.length > 20) throw fieldProblem("patterns", "at most 20 are allowed");
  for (const [index, pattern] of patterns.entries()) {
    const fault = patternFault(pattern);
    if (fault !== undefined) throw fieldProblem("patterns", `pattern ${index + 1}, ${fault}`);
  }
  return {
    ...(rules.length < redactionRules.length && { rules }),
    ...(patterns.length > 0 && { patterns }),
  };
}

function queueFrom(form: URLSearchParams): HarnessEntry["queue"] {
  const text = field(form, "queue");
  const seconds = text === "" ? 0 : Number(text);
  if (!(seconds >= 0 && seconds <= 60)) throw fieldProblem("queue", "enter seconds from 0 to 60");
  return seconds === 0 ? undefined : seconds;
}

/** `spoken` is what holds without it. */
function errorsFrom(form: URLSearchParams): HarnessEntry["errors"] {
  switch (field(form, "errors")) {
    case "spoken":
      return undefined;
    case "status":
      return "status";
    default:
      throw fieldProblem("errors", "choose one from the list");
  }
}

/** A model alone does not search: off is off, whatever else the form holds. */
function searcherFrom(form: URLSearchParams): HarnessEntry["web_search"] {
  const provider = textFrom(form, "web_search_provider");
  if (provider === undefined) return undefined;
  const model = textFrom(form, "web_search_model");
  return { provider, ...(model !== undefined && { model }) };
}

/** Undefined where the field is empty. */
function textFrom(form: URLSearchParams, name: string): string | undefined {
  const text = field(form, name);
  return text === "" ? undefined : text;
}

/** One `name = model` per line. */
function aliasesFrom(text: string): Record<string, string> {
  const pairs = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return Object.fromEntries(
    pairs.map((line) => {
      const at = line.lastIndexOf("=");
      const [name, target] = [line.slice(0, at).trim(), line.slice(at + 1).trim()];
      if (at < 1 || name === "" || target === "")
        throw fieldProblem(
          "aliases",
          `expected "name = model", found ${JSON.stringify(line.slice(0, 60))}`,
        );
      return [name, target];
    }),
  );
}
