/**
 * The deployment's secrets and where they lie: in the environment, in `.dev.vars`, or with the state in
 * `secrets.json`, in this order. Without its secrets a state cannot be read, so they are made for an empty one only.
 */
import { randomBytes } from "node:crypto";
import { secrets as names } from "../workerd/worker.ts";

/** The name of one of the deployment's secrets. */
export type SecretName = (typeof names)[number];
type Secrets = Readonly<Record<SecretName, string>>;
/** What one place says; an empty secret is none. */
type PlaceValues = Readonly<Partial<Record<string, string>>>;
/** Where a secret was found; `made`: nowhere, it is new. */
export type SecretOrigin = "environment" | "dev-vars" | "state" | "made";

/** What a start finds before it writes anything. */
export interface SecretPlaces {
  readonly environment: PlaceValues;
  readonly devVars: PlaceValues;
  readonly state: PlaceValues;
  /** Whether the state was in use before: its keys and credentials belong to the secrets that it had. */
  readonly used: boolean;
  /** Whether the user asked for new secrets in place of lost ones. */
  readonly renew: boolean;
  /** Cloud mode: none is made in silence, because a deployment for strangers says who administers it. */
  readonly cloud: boolean;
}

/** The secrets of this start; in cloud mode one may be absent. */
export interface ChosenSecrets {
  readonly values: Readonly<Partial<Secrets>>;
  readonly origins: Readonly<Partial<Record<SecretName, SecretOrigin>>>;
  /** What `secrets.json` lacks, so that the state folder can be opened without anything else. */
  readonly toKeep: Readonly<Partial<Secrets>>;
  /** Those for which `secrets.json` has another value than the one in use. */
  readonly differing: readonly SecretName[];
}

/** New secrets by their names. */
export const secretMakers: Readonly<Record<SecretName, () => string>> = {
  ADMIN_TOKEN: () => randomBytes(32).toString("base64url"),
  ENCRYPTION_KEY: () => randomBytes(32).toString("base64"),
};

/** The secrets to start with; `missing` where a used state lacks one and nobody asked for a new one. */
export function chooseSecrets(places: SecretPlaces): ChosenSecrets | { missing: SecretName[] } {
  const { used, renew, cloud } = places;
  const there = names.flatMap((name) => found(name, places));
  const missing = names.filter((name) => there.every((secret) => secret.name !== name));
  if (missing.length > 0 && used && !renew && !cloud) return { missing };
  const all = renew || !cloud ? [...there, ...missing.map(madeSecret)] : there;
  return {
    values: byName(all.map(({ name, value }) => [name, value])),
    origins: byName(all.map(({ name, origin }) => [name, origin])),
    // What the environment holds may be kept from the disk on purpose.
    toKeep: byName(
      all
        .filter(({ name, origin }) => origin !== "environment" && !isSet(places.state[name]))
        .map(({ name, value }) => [name, value]),
    ),
    differing: all
      .filter(({ name, value }) => differs(value, places.state[name]))
      .map(({ name }) => name),
  };
}

interface FoundSecret {
  readonly name: SecretName;
  readonly value: string;
  readonly origin: SecretOrigin;
}

/** At most one: of the first place that has it. */
function found(name: SecretName, { environment, devVars, state }: SecretPlaces): FoundSecret[] {
  const order = [
    ["environment", environment[name]],
    ["dev-vars", devVars[name]],
    ["state", state[name]],
  ] as const;
  for (const [origin, value] of order) if (isSet(value)) return [{ name, value, origin }];
  return [];
}

function madeSecret(name: SecretName): FoundSecret {
  return { name, value: secretMakers[name](), origin: "made" };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== "";
}

/** A list `new,old` that holds the state's own key reads everything that this key wrote. */
function differs(used: string, kept: string | undefined): boolean {
  if (!isSet(kept)) return false;
  const list = new Set(used.split(",").map((entry) => entry.trim()));
  return !kept.split(",").every((entry) => list.has(entry.trim()));
}

function byName<Value>(entries: [SecretName, Value][]): Partial<Record<SecretName, Value>> {
  return Object.fromEntries(entries);
}
