/** The settings of OpenTelemetry, by the names and meanings that its specification gives them. */
import { type Env, SettingsError } from "./env.ts";

/** Where and how telemetry is sent, and what of it. */
export interface OtelSettings {
  /** Addresses of the two signals; null: that signal is not sent. */
  readonly traces: string | null;
  readonly metrics: string | null;
  /** Sent with every export. Secrets: never logged, told or exported. */
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: OtlpEncoding;
  readonly gzip: boolean;
  /** Milliseconds that one call of the collector may take. */
  readonly timeout: number;
  /** Attributes of the resource, `service.name` among them. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: SamplerSettings;
  /** Milliseconds between two exports of metrics. */
  readonly interval: number;
  /** Most spans that wait. */
  readonly queue: number;
}

/** How bodies are written. */
export type OtlpEncoding = "protobuf" | "json";

/** Which traces are recorded. */
export interface SamplerSettings {
  /** Share of the traces that begin here, 0..1. */
  readonly ratio: number;
  /** A trace that came with the request is recorded where its sender records it. */
  readonly byParent: boolean;
}

type OtelName = Extract<keyof Env, `OTEL_${string}`>;
type OtelEnv = Partial<Pick<Env, OtelName>>;

/** The settings; null where nothing is sent. Throws SettingsError for what cannot be; the value of a secret is not told. */
export function otelSettingsOf(env: OtelEnv): OtelSettings | null {
  const settings: OtelSettings = {
    traces: signalAddress(env, "traces"),
    metrics: signalAddress(env, "metrics"),
    headers: headersOf(env),
    encoding: encodingOf(env),
    gzip: oneOf(env, "OTEL_EXPORTER_OTLP_COMPRESSION", ["none", "gzip"]) === "gzip",
    timeout: wholeNumber(env, "OTEL_EXPORTER_OTLP_TIMEOUT", 10_000),
    resource: resourceOf(env),
    sampler: samplerOf(env),
    interval: wholeNumber(env, "OTEL_METRIC_EXPORT_INTERVAL", 60_000),
    queue: wholeNumber(env, "OTEL_BSP_MAX_QUEUE_SIZE", 2048),
  };
  const disabled = oneOf(env, "OTEL_SDK_DISABLED", ["false", "true"]) === "true";
  const none = settings.traces === null && settings.metrics === null;
  return disabled || none ? null : settings;
}

/** The signal's own address as it is, or the common one with the signal's path behind it. */
function signalAddress(env: OtelEnv, signal: "traces" | "metrics"): string | null {
  const upper = signal === "traces" ? "TRACES" : "METRICS";
  const exporter = oneOf(env, `OTEL_${upper}_EXPORTER`, ["otlp", "none"]);
  const own = address(env, `OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`);
  const common = address(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (exporter === "none") return null;
  if (own !== null) return own.href;
  if (common === null) return null;
  common.pathname = `${common.pathname.replace(/\/+$/, "")}/v1/${signal}`;
  return common.href;
}

function address(env: OtelEnv, name: OtelName): URL | null {
  const text = textOf(env, name);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const named = url?.username !== "" || url.password !== "";
  if (url !== undefined && /^https?:$/.test(url.protocol) && !named) return url;
  // An address may hold a token in its query, or a password.
  throw new SettingsError(
    `The setting ${name} is not an address for telemetry: use one like https://collector.example.com:4318, without a user name.`,
  );
}

function encodingOf(env: OtelEnv): OtlpEncoding {
  const name = "OTEL_EXPORTER_OTLP_PROTOCOL";
  if (textOf(env, name)?.toLowerCase() === "grpc")
    throw unusable(env, name, "this gateway sends over HTTP only, use http/protobuf or http/json");
  return oneOf(env, name, ["http/protobuf", "http/json"]) === "http/json" ? "json" : "protobuf";
}

/** Header names and values of HTTP: a wrong one would fail at every export. */
function headersOf(env: OtelEnv): Record<string, string> {
  const name = "OTEL_EXPORTER_OTLP_HEADERS";
  const headers = pairs(env, name);
  const valid = Object.entries(headers).every(
    ([key, value]) => /^[\w!#$%&'*+.^`|~-]+$/.test(key) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
  );
  if (valid) return headers;
  throw new SettingsError(`The setting ${name} has a header name or value that can't be sent.`);
}

function resourceOf(env: OtelEnv): Record<string, string> {
  const attributes = pairs(env, "OTEL_RESOURCE_ATTRIBUTES");
  const named = textOf(env, "OTEL_SERVICE_NAME");
  const service = named ?? attributes["service.name"] ?? "routing-gateway";
  return { ...attributes, "service.name": service };
}

/** `key=value,key=value`, values percent-encoded. */
function pairs(env: OtelEnv, name: OtelName): Record<string, string> {
  const found: [string, string][] = [];
  for (const part of (textOf(env, name) ?? "").split(",")) {
    if (part.trim() === "") continue;
    const at = part.indexOf("=");
    const key = part.slice(0, Math.max(0, at)).trim();
    const value = decoded(part.slice(at + 1).trim());
    if (key === "" || value === undefined)
      throw new SettingsError(
        `The setting ${name} can't be read: use comma-separated name=value pairs, values percent-encoded.`,
      );
    found.push([key, value]);
  }
  return Object.fromEntries(found);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const samplers = [
  "parentbased_always_on",
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

function samplerOf(env: OtelEnv): SamplerSettings {
  const name = oneOf(env, "OTEL_TRACES_SAMPLER", samplers);
  const byParent = name.startsWith("parentbased_");
  if (name.endsWith("always_on")) return { ratio: 1, byParent };
  if (name.endsWith("always_off")) return { ratio: 0, byParent };
  return { ratio: ratioOf(env), byParent };
}

function ratioOf(env: OtelEnv): number {
  const name = "OTEL_TRACES_SAMPLER_ARG";
  const ratio = Number(textOf(env, name) ?? "1");
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw unusable(env, name, "use a number from 0 to 1");
}

/** Longest time that timers of the runtime can wait, in ms. */
const longestTime = 2 ** 31 - 1;

function wholeNumber(env: OtelEnv, name: OtelName, otherwise: number): number {
  const value = Number(textOf(env, name) ?? otherwise);
  if (Number.isInteger(value) && value > 0 && value <= longestTime) return value;
  throw unusable(env, name, "use a whole number above 0");
}

/** The value that the setting names, in any letter case; the first one where it is not set. */
function oneOf<Value extends string>(
  env: OtelEnv,
  name: OtelName,
  values: readonly [Value, ...Value[]],
): Value {
  const wanted = textOf(env, name)?.toLowerCase() ?? values[0];
  const found = values.find((value) => value === wanted);
  if (found !== undefined) return found;
  throw unusable(env, name, `use ${values.join(" or ")}`);
}

function textOf(env: OtelEnv, name: OtelName): string | null {
  const text = env[name]?.trim() ?? "";
  return text === "" ? null : text;
}

function unusable(env: OtelEnv, name: OtelName, hint: string): SettingsError {
  return new SettingsError(`The setting ${name} can't be ${JSON.stringify(env[name])}: ${hint}.`);
}
