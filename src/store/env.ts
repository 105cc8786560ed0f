/** The worker's bindings, and the settings among them: what a deployment chooses and what the runtime gives. */
export interface Env {
  /** Durable Object classes, by name: one object a workspace, one a client address, one directory. */
  WORKSPACE: DurableObjectNamespace;
  IP: DurableObjectNamespace;
  DIRECTORY: DurableObjectNamespace;
  /** Keys and snapshots for fast reads; never the truth. */
  KV: KVNamespace;
  ADMIN_TOKEN: string;
  /** 32 bytes, base64; a list `new,old` while keys are being rotated. */
  ENCRYPTION_KEY: string;
  VARIANT?: string;
  MODE?: string;
  /** Variant B, self-hosted: milliseconds and requests. */
  THROTTLE_TTL?: string;
  THROTTLE_LIMIT?: string;
  TRUSTED_IP_HEADER?: string;
  /** Host names under which browsers may open the pages, besides those that are known by themselves. */
  ALLOWED_HOSTS?: string;
  /** Where users reach the gateway. */
  PUBLIC_URL?: string;
  /** What a self-hosted process listens on. */
  LISTEN_HOST?: string;
  /** New at every start of a self-hosted process: leases of another boot are void. */
  BOOT_ID?: string;
}

const variants = ["A", "B"] as const;
const modes = ["self-hosted", "cloud"] as const;

/** The two variants of the service: A (harnesses), B (agents). */
export type VariantName = (typeof variants)[number];
/** Whose deployment it is: its users' own, or one with sign-in, plans and quotas. */
export type Mode = (typeof modes)[number];

/** The settings that have a fixed set of values, parsed. */
export interface Settings {
  readonly variant: VariantName;
  readonly mode: Mode;
}

/** A setting holds a value that it cannot have; the message is for the operator. */
export class SettingsError extends Error {}

/**
 * `VARIANT` (default A) and `MODE` (default self-hosted) in any letter case; an empty one is not set.
 * Throws SettingsError for any other value: a deployment with a misspelt setting must not run as another one.
 */
export function settingsOf(env: Pick<Env, "VARIANT" | "MODE">): Settings {
  return {
    variant: oneOf(variants, { name: "VARIANT", text: env.VARIANT }),
    mode: oneOf(modes, { name: "MODE", text: env.MODE }),
  };
}

/** The deployment's mode. Throws SettingsError. */
export function modeOf(env: Pick<Env, "VARIANT" | "MODE">): Mode {
  return settingsOf(env).mode;
}

/** The value that the text names; the first one when the setting is not set. */
function oneOf<Value extends string>(
  values: readonly [Value, ...Value[]],
  { name, text }: { name: string; text: string | undefined },
): Value {
  if (text === undefined || text === "") return values[0];
  const wanted = text.toLowerCase();
  const found = values.find((value) => value.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new SettingsError(
    `The setting ${name} is ${JSON.stringify(text)}, which it cannot be: use ${values.join(" or ")}.`,
  );
}
