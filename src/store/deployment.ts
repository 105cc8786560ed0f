/** Whether a deployment may serve: every setting is right, and nothing that it needs is missing. */
import { allowedHostsOf } from "./allowed-hosts.ts";
import { encryptionKeysOf } from "./encryption-key.ts";
import { type Env, modeOf, SettingsError, settingsOf } from "./env.ts";
import { keepAliveAfterOf } from "./keep-alive.ts";
import { localServersHostOf } from "./local-servers.ts";
import { logLevelOf } from "./log-settings.ts";
import { metricsTokenOf } from "./metrics-settings.ts";
import { oidcSettingsOf } from "./oidc-settings.ts";
import { otelSettingsOf } from "./otel-settings.ts";
import { throttleOf } from "./throttle.ts";

/** The settings, as bindings or as the launcher reads them. */
export type DeploymentSettings = Partial<
  Omit<Env, "WORKSPACE" | "IP" | "DIRECTORY" | "KV" | "ASSETS">
>;

/** Each throws SettingsError. A setting that is parsed elsewhere has a line here, so that a wrong one serves nothing. */
const checks: readonly ((settings: DeploymentSettings) => unknown)[] = [
  settingsOf,
  ({ ENCRYPTION_KEY }) => encryptionKeysOf(ENCRYPTION_KEY),
  checkSignIn,
  oidcSettingsOf,
  checkWayIn,
  throttleOf,
  keepAliveAfterOf,
  allowedHostsOf,
  checkAddressHeader,
  localServersHostOf,
  otelSettingsOf,
  logLevelOf,
  metricsTokenOf,
];

/** Throws SettingsError that names everything that is wrong or missing, for the operator; no value of a secret is told. */
export function checkDeployment(settings: DeploymentSettings): void {
  // The other checks expect texts.
  const kinds = faultOf(() => checkTexts(settings));
  const faults =
    kinds.length > 0 ? kinds : checks.flatMap((check) => faultOf(() => check(settings)));
  if (faults.length > 0) throw new SettingsError([...new Set(faults)].join("\n"));
}

function faultOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [error.message];
  }
}

/** `wrangler.toml` can also say numbers and booleans. */
function checkTexts(settings: DeploymentSettings): void {
  const others = Object.entries(settings).filter(([, value]) =>
    ["number", "boolean"].includes(typeof value),
  );
  if (others.length === 0) return;
  const names = others.map(([name]) => name).join(", ");
  throw new SettingsError(`Write the value as a string, in quotes: ${names}.`);
}

const registration = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
const signInSettings = [...registration, "OIDC_ALLOWED_DOMAINS", "OIDC_GROUPS_CLAIM"] as const;

/** A sign-in that is set in part would be none. */
function checkSignIn(settings: DeploymentSettings): void {
  const missing = registration.filter((name) => !isSet(settings[name]));
  const given = signInSettings.filter((name) => isSet(settings[name]));
  if (missing.length === 0 || given.length === 0) return;
  throw new SettingsError(
    `Sign-in is only partly configured: ${given.join(", ")} is set, ${missing.join(", ")} is missing.`,
  );
}

/** Strangers reach a deployment in cloud mode: it does not serve before somebody can administer it. */
function checkWayIn(settings: DeploymentSettings): void {
  if (modeOf(settings) !== "cloud") return;
  if (isSet(settings.ADMIN_TOKEN) || registration.every((name) => isSet(settings[name]))) return;
  throw new SettingsError(
    `MODE=cloud needs a way to sign in. Set ADMIN_TOKEN, or ${registration.join(", ")}.`,
  );
}

/** A header of another form would be asked for at every request, which fails. */
function checkAddressHeader({ TRUSTED_IP_HEADER }: DeploymentSettings): void {
  const name = TRUSTED_IP_HEADER?.trim() ?? "";
  if (name === "" || /^[\w!#$%&'*+.^`|~-]+$/.test(name)) return;
  throw new SettingsError(
    `The setting TRUSTED_IP_HEADER can't be ${JSON.stringify(name)}: use one header name.`,
  );
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== "";
}
