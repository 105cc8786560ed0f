/** The worker's bindings, and the settings among them: what a deployment chooses and what the runtime gives. */
import { checkBillingSecret } from "./billing.ts";
import { plansOf } from "./plans.ts";
import { SettingsError } from "./settings-error.ts";

export { SettingsError } from "./settings-error.ts";

export interface Env {
  /** Durable Object classes, by name: one object a workspace, one a client address, one directory. */
  WORKSPACE: DurableObjectNamespace;
  IP: DurableObjectNamespace;
  DIRECTORY: DurableObjectNamespace;
  /** Keys and snapshots for fast reads; never the truth. */
  KV: KVNamespace;
  /** The dashboard's static files: `GET /name`. */
  ASSETS: Fetcher;
  /** The launcher's look at servers that a call did not reach; under `npm start` alone. */
  SERVER_CHECK?: Fetcher;
  ADMIN_TOKEN: string;
  /** 32 bytes, base64; a list `new,old` while keys are being rotated. */
  ENCRYPTION_KEY: string;
  VARIANT?: string;
  MODE?: string;
  /** Variant B, self-hosted: milliseconds and requests. */
  THROTTLE_TTL?: string;
  THROTTLE_LIMIT?: string;
  TRUSTED_IP_HEADER?: string;
  /** Seconds of silence after which a stream begins for its client before its answer; 0: never. */
  KEEP_ALIVE_AFTER?: string;
  /** Host names under which browsers may open the pages, besides those that are known by themselves. */
  ALLOWED_HOSTS?: string;
  /** Where users reach the gateway. */
  PUBLIC_URL?: string;
  /** What a self-hosted process listens on. */
  LISTEN_HOST?: string;
  /** Cloud mode: whether providers may have private addresses all the same; `true` or `false`. */
  ALLOW_PRIVATE_UPSTREAMS?: string;
  /** Self-hosted: another host on which the dashboard looks for model servers, such as a container's host. */
  LOCAL_SERVERS_HOST?: string;
  /** Sign-in of people by OpenID Connect: the issuer's address and this gateway's registration there. */
  OIDC_ISSUER?: string;
  OIDC_CLIENT_ID?: string;
  OIDC_CLIENT_SECRET?: string;
  /** Comma list: whose e-mail addresses may sign in; all, where it is not set. */
  OIDC_ALLOWED_DOMAINS?: string;
  /** The claim that names a person's groups. */
  OIDC_GROUPS_CLAIM?: string;
  /** `open`: who signs in first gets a workspace; `invited` (default): only who was invited may sign in. */
  SIGN_UP?: string;
  /** Comma list of subjects or verified e-mail addresses: who runs the deployment. */
  OPERATORS?: string;
  /** The plans of workspaces, as JSON. */
  PLANS?: string;
  /** Signs what the billing system sends, and the monthly usage that it is sent. */
  BILLING_SECRET?: string;
  /** Which requests have a line on standard output: `off` (default), `errors` or `all`. */
  LOG?: string;
  /** What `GET /metrics` takes beside the admin token. */
  METRICS_TOKEN?: string;
  /** Where telemetry is sent, by the names and meanings that OpenTelemetry gives them. Nothing is sent without an endpoint. */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT?: string;
  OTEL_EXPORTER_OTLP_HEADERS?: string;
  OTEL_EXPORTER_OTLP_PROTOCOL?: string;
  OTEL_EXPORTER_OTLP_COMPRESSION?: string;
  OTEL_EXPORTER_OTLP_TIMEOUT?: string;
  OTEL_SERVICE_NAME?: string;
  OTEL_RESOURCE_ATTRIBUTES?: string;
  OTEL_TRACES_EXPORTER?: string;
  OTEL_METRICS_EXPORTER?: string;
  OTEL_TRACES_SAMPLER?: string;
  OTEL_TRACES_SAMPLER_ARG?: string;
  OTEL_METRIC_EXPORT_INTERVAL?: string;
  OTEL_BSP_MAX_QUEUE_SIZE?: string;
  OTEL_SDK_DISABLED?: string;
  /** How many files and connections the process may hold open. The launcher sets it; absent where nobody counts. */
  DESCRIPTOR_LIMIT?: string;
  /** What the launcher itself calls the admin API with; new at every start, and known to nobody else. */
  HOST_TOKEN?: string;
  /** New at every start of a self-hosted process: leases of another boot are void. */
  BOOT_ID?: string;
}

const variants = ["A", "B"] as const;
const modes = ["self-hosted", "cloud"] as const;

/** The two variants of the service: A (harnesses), B (agents). */
export type VariantName = (typeof variants)[number];
/** Whose deployment it is: its users' own, or one with sign-in, plans and quotas. */
export type Mode = (typeof modes)[number];

/** Which addresses providers may have: public ones alone, or those of private networks too. */
export type Reach = "public" | "everywhere";

/** The settings that have a fixed set of values, parsed. */
export interface Settings {
  readonly variant: VariantName;
  readonly mode: Mode;
  readonly reach: Reach;
}

type ParsedSettings = Pick<Env, "VARIANT" | "MODE" | "ALLOW_PRIVATE_UPSTREAMS"> &
  Partial<Pick<Env, "ADMIN_TOKEN" | "PLANS" | "BILLING_SECRET">>;

/**
 * `VARIANT` (default A), `MODE` (default self-hosted) and `ALLOW_PRIVATE_UPSTREAMS` (default false) in any letter
 * case; an empty one is not set. Throws SettingsError for any other value, because a deployment with a misspelt
 * setting must not run as another one, for secrets that are short enough to be guessed, and for plans that cannot be read.
 */
export function settingsOf(env: ParsedSettings): Settings {
  checkAdminToken(env.ADMIN_TOKEN);
  plansOf(env);
  checkBillingSecret(env);
  const mode = oneOf(modes, { name: "MODE", text: env.MODE });
  const allowed = isOn({ name: "ALLOW_PRIVATE_UPSTREAMS", text: env.ALLOW_PRIVATE_UPSTREAMS });
  return {
    variant: variantOf(env),
    mode,
    reach: mode === "cloud" && !allowed ? "public" : "everywhere",
  };
}

/** The deployment's mode. Throws SettingsError. */
export function modeOf(env: Pick<Env, "VARIANT" | "MODE">): Mode {
  return settingsOf(env).mode;
}

/** Which addresses providers of this deployment may have. Throws SettingsError. */
export function reachOf(env: Pick<Env, "VARIANT" | "MODE" | "ALLOW_PRIVATE_UPSTREAMS">): Reach {
  return settingsOf(env).reach;
}

/** The variant that the settings name. Throws SettingsError. */
export function variantOf({ VARIANT }: Pick<Env, "VARIANT">): VariantName {
  return oneOf(variants, { name: "VARIANT", text: VARIANT });
}

const shortestAdminToken = 16;

/** An empty one is not set. */
function checkAdminToken(token: string | undefined): void {
  if (token === undefined || token === "" || token.length >= shortestAdminToken) return;
  throw new SettingsError(
    `The setting ADMIN_TOKEN has ${token.length} characters: use at least ${shortestAdminToken}.`,
  );
}

const booleans = ["false", "true", "off", "on", "no", "yes", "0", "1"] as const;
const positive: ReadonlySet<string> = new Set(["true", "on", "yes", "1"]);

function isOn(setting: { name: string; text: string | undefined }): boolean {
  return positive.has(oneOf(booleans, setting));
}

/** The value that the text names in any letter case; the first one when the setting is not set. Throws SettingsError. */
export function oneOf<Value extends string>(
  values: readonly [Value, ...Value[]],
  { name, text }: { name: string; text: string | undefined },
): Value {
  if (text === undefined || text === "") return values[0];
  const wanted = text.toLowerCase();
  const found = values.find((value) => value.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new SettingsError(
    `The setting ${name} can't be ${JSON.stringify(text)}: use ${values.join(" or ")}.`,
  );
}
