/** Turns a provider's form into its entry in the document, and back. */
import { modelEntrySchema, type ProviderEntry } from "../../../store/config.ts";
import { mask } from "../../../store/secrets.ts";
import { fieldProblem, field } from "../../shared/forms.ts";

/** Fields of the form. Errors in other members are shown above it. */
export const providerFormFields = [
  "id",
  "api_key",
  "base_url",
  "format",
  "headers",
  "models",
  "timeouts",
  "region",
] as const;

const timeoutNames = ["headers", "first_content", "idle", "total"] as const;

/** Reads the form. An empty API key keeps the stored one; `before` is the entry with masked secrets. */
export function providerEntryFromForm(
  form: URLSearchParams,
  before: ProviderEntry | undefined,
): ProviderEntry {
  const text = (name: string) => field(form, name);
  const entry: Record<string, unknown> = { id: text("id"), kind: text("kind") };
  const key = text("api_key");
  if (key !== "") entry["api_key"] = key;
  else if (before?.api_key !== undefined && !form.has("forget_key")) entry["api_key"] = mask;
  if (form.has("subscription")) entry["auth"] = "subscription";
  if (text("base_url") !== "") entry["base_url"] = text("base_url");
  if (text("format") !== "") entry["format"] = text("format");
  if (text("region") !== "") entry["region"] = text("region");
  const headers = headersFrom(text("headers"));
  if (Object.keys(headers).length > 0) entry["headers"] = headers;
  const models = modelsFrom(text("models"));
  if (models.length > 0) entry["models"] = models;
  if (text("openai_fields") !== "") entry["openai_fields"] = text("openai_fields") === "yes";
  const timeouts = timeoutsFrom(text);
  if (Object.keys(timeouts).length > 0) entry["timeouts"] = timeouts;
  // The shape is checked with the document.
  return entry as ProviderEntry;
}

/** One `Name: value` per line. */
function headersFrom(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(":");
      if (at < 1)
        throw fieldProblem(
          "headers",
          `expected "Name: value", found ${JSON.stringify(line.slice(0, 60))}`,
        );
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
}

/** A JSON array of model entries, or one plain ID per line. */
function modelsFrom(text: string): unknown[] {
  if (!text.startsWith("["))
    return text
      .split("\n")
      .map((line) => line.trim())
      .filter((id) => id !== "")
      .map((id) => ({ id }));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw fieldProblem("models", "must be valid JSON");
  }
  const read = modelEntrySchema.array().safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    throw fieldProblem(
      "models",
      `${issue?.path.join(".") ?? ""} ${issue?.message ?? "is not valid"}`.trim(),
    );
  }
  return read.data;
}

function timeoutsFrom(text: (name: string) => string): Record<string, number> {
  const given = timeoutNames.filter((name) => text(`timeout_${name}`) !== "");
  return Object.fromEntries(
    given.map((name) => {
      const seconds = Number(text(`timeout_${name}`));
      if (!(seconds > 0)) throw fieldProblem("timeouts", `${name} must be a number of seconds`);
      return [name, seconds];
    }),
  );
}

/** The form for an entry, without its API key. */
export function formFromProviderEntry(entry: ProviderEntry): URLSearchParams {
  const form = new URLSearchParams({ id: entry.id, kind: entry.kind });
  if (entry.auth === "subscription") form.set("subscription", "on");
  if (entry.base_url !== undefined) form.set("base_url", entry.base_url);
  if (entry.format !== undefined) form.set("format", entry.format);
  if (entry.region !== undefined) form.set("region", entry.region);
  const headers = Object.entries(entry.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  if (headers.length > 0) form.set("headers", headers.join("\n"));
  if (entry.models !== undefined) form.set("models", modelsText(entry.models));
  if (entry.openai_fields !== undefined)
    form.set("openai_fields", entry.openai_fields ? "yes" : "no");
  for (const [name, seconds] of Object.entries(entry.timeouts ?? {}))
    form.set(`timeout_${name}`, String(seconds));
  return form;
}

function modelsText(models: NonNullable<ProviderEntry["models"]>): string {
  const plain = models.every((model) => Object.keys(model).length === 1);
  return plain ? models.map(({ id }) => id).join("\n") : JSON.stringify(models, null, 2);
}
