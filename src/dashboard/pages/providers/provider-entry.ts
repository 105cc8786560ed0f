/** Turns a provider's form into its entry in the document, and back. */
import { isPrivateHost } from "../../../lib/private-host.ts";
import { modelEntrySchema, type ProviderEntry } from "../../../store/config.ts";
import { faultWords } from "../../../store/fault-words.ts";
import { cleanKey } from "../../../providers/connection/api-key.ts";
import { isSecretHeader, mask } from "../../../store/secrets.ts";
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

/** Secrets that need not be typed again: those of an earlier step, or `***` for stored ones. */
export type KnownSecrets = Pick<ProviderEntry, "api_key" | "headers">;

/** How a provider is reached, as it was typed. */
interface EnteredConnection extends KnownSecrets {
  kind: string;
  base_url?: string;
  format?: string;
  region?: string;
}

/** Reads the form. What is left empty, or `***`, is the known secret. */
export function providerEntryFromForm(form: URLSearchParams, known: KnownSecrets): ProviderEntry {
  const text = (name: string) => field(form, name);
  const entry: Record<string, unknown> = { id: text("id"), kind: text("kind") };
  const key = cleanKey(text("api_key"));
  if (key !== "") entry["api_key"] = key;
  else if (known.api_key !== undefined && !form.has("forget_key")) entry["api_key"] = known.api_key;
  if (form.has("subscription")) entry["auth"] = "subscription";
  if (text("base_url") !== "") entry["base_url"] = writtenAddress(text("base_url"));
  if (text("format") !== "") entry["format"] = text("format");
  if (text("region") !== "") entry["region"] = text("region");
  const headers = withKnownSecrets(headersFrom(text("headers")), known.headers ?? {});
  if (Object.keys(headers).length > 0) entry["headers"] = headers;
  const models = modelsFrom(text("models"));
  if (models.length > 0) entry["models"] = models;
  if (text("openai_fields") !== "") entry["openai_fields"] = text("openai_fields") === "yes";
  const timeouts = timeoutsFrom(text);
  if (Object.keys(timeouts).length > 0) entry["timeouts"] = timeouts;
  // The shape is checked with the document.
  return entry as ProviderEntry;
}

/** The part of a form that says how the provider is reached, however wrong the rest may be. */
export function enteredIn(form: URLSearchParams, known: KnownSecrets): EnteredConnection {
  const key = cleanKey(field(form, "api_key"));
  const kept = form.has("forget_key") ? undefined : known.api_key;
  const api_key = key === "" ? kept : key;
  const { headers = known.headers } = readableHeaders(form, known);
  const texts = (["base_url", "format", "region"] as const).map(
    (name) => [name, field(form, name)] as const,
  );
  return {
    kind: field(form, "kind"),
    ...Object.fromEntries(texts.filter(([, text]) => text !== "")),
    ...(api_key !== undefined && { api_key }),
    ...(headers !== undefined && Object.keys(headers).length > 0 && { headers }),
  };
}

/** Without `headers` where they cannot be read. */
function readableHeaders(
  form: URLSearchParams,
  known: KnownSecrets,
): Pick<KnownSecrets, "headers"> {
  try {
    return { headers: withKnownSecrets(headersFrom(field(form, "headers")), known.headers ?? {}) };
  } catch {
    return {};
  }
}

/** The form as it is shown again: without the key, and with `***` for the values of secret headers. */
export function withoutSecrets(form: URLSearchParams): URLSearchParams {
  const shown = new URLSearchParams(form);
  for (const name of ["api_key", "draft", "do"]) shown.delete(name);
  const lines = field(form, "headers").split("\n");
  const masked = lines.map((line) => {
    const at = line.indexOf(":");
    return at > 0 && isSecretHeader(line.slice(0, at)) ? `${line.slice(0, at)}: ${mask}` : line;
  });
  if (form.has("headers")) shown.set("headers", masked.join("\n"));
  return shown;
}

/** An address as it was typed; what is wrong with how it is written is said before anything is called. */
function writtenAddress(text: string): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text) ?? [];
  const words = /\s/.test(text)
    ? "it contains a space. Remove it"
    : scheme === undefined
      ? `it must begin with https:// or http://, like ${completed(text)}`
      : !/^https?$/i.test(scheme)
        ? `it begins with ${scheme}://, but must begin with https:// or http://`
        : URL.canParse(text)
          ? undefined
          : "this is not a valid address. Check the host name and the port";
  if (words !== undefined) throw fieldProblem("base_url", words);
  return text;
}

/** What was typed with a scheme before it, where it may be an address. */
function completed(text: string): string {
  const [, host] = /^([\w-]+(?:\.[\w-]+)*)(?::\d+)?(?:\/|$)/.exec(text) ?? [];
  if (host === undefined) return "https://llm.example.com/v1";
  return `${isPrivateHost(host) ? "http" : "https"}://${text}`;
}

function withKnownSecrets(
  headers: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
): Record<string, string> {
  const byName = new Map(Object.entries(known).map(([name, value]) => [name.toLowerCase(), value]));
  const pairs = Object.entries(headers).map(
    ([name, value]) =>
      [name, value === mask ? (byName.get(name.toLowerCase()) ?? mask) : value] as const,
  );
  return Object.fromEntries(pairs);
}

/** One `Name: value` per line. */
function headersFrom(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line, index) => {
      const at = line.indexOf(":");
      // The line may hold a secret: it is named by its number.
      if (at < 1)
        throw fieldProblem("headers", `line ${index + 1} must have the form "Name: value"`);
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
      `${issue?.path.join(".") ?? ""} ${issue === undefined ? "is not valid" : faultWords(issue)}`.trim(),
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

/** The form for an entry, without its secrets. */
export function formFromProviderEntry(entry: ProviderEntry): URLSearchParams {
  const form = new URLSearchParams({ id: entry.id, kind: entry.kind });
  if (entry.auth === "subscription") form.set("subscription", "on");
  if (entry.base_url !== undefined) form.set("base_url", entry.base_url);
  if (entry.format !== undefined) form.set("format", entry.format);
  if (entry.region !== undefined) form.set("region", entry.region);
  const headers = Object.entries(entry.headers ?? {}).map(
    ([name, value]) => `${name}: ${isSecretHeader(name) ? mask : value}`,
  );
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
