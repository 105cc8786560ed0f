/**
 * The deployment's secrets and where they lie: in the environment, in `.dev.vars`, or with the state in
 * `secrets.json`, in this order. Without its secrets a state cannot be read, so they are made for an empty one only.
 */
import { randomBytes } from "node:crypto";
import { secrets as names } from "./worker.ts";

/** The name of one of the deployment's secrets. */
export type SecretName = (typeof names)[number];
type Secrets = Readonly<Record<SecretName, string>>;
/** What one place says; an empty secret is none. */
type PlaceValues = Readonly<Partial<Record<string, string>>>;
/** Where a secret was found; `made`: nowhere, it is new. */
type Origin = "environment" | "dev-vars" | "state" | "made";

/** What a start finds before it writes anything. */
export interface SecretPlaces {
  readonly environment: PlaceValues;
  readonly devVars: PlaceValues;
  readonly state: PlaceValues;
  /** Whether the state was in use before: its keys and credentials belong to the secrets that it had. */
  readonly used: boolean;
  /** Whether the user asked for new secrets in place of lost ones. */
  readonly renew: boolean;
}

/** The secrets of this start. */
export interface ChosenSecrets {
  readonly values: Secrets;
  readonly origins: Readonly<Record<SecretName, Origin>>;
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
  const found = names.map((name) => ({ name, ...find(name, places) }));
  const missing = found.filter(({ origin }) => origin === "made").map(({ name }) => name);
  if (missing.length > 0 && places.used && !places.renew) return { missing };
  return {
    values: byName(found.map(({ name, value }) => [name, value])),
    origins: byName(found.map(({ name, origin }) => [name, origin])),
    // What the environment holds may be kept from the disk on purpose.
    toKeep: byName(
      found
        .filter(({ name, origin }) => origin !== "environment" && !isSet(places.state[name]))
        .map(({ name, value }) => [name, value]),
    ),
    differing: found
      .filter(({ name, value }) => differs(value, places.state[name]))
      .map(({ name }) => name),
  };
}

function find(name: SecretName, places: SecretPlaces): { value: string; origin: Origin } {
  const { environment, devVars, state } = places;
  const order = [
    ["environment", environment[name]],
    ["dev-vars", devVars[name]],
    ["state", state[name]],
  ] as const;
  for (const [origin, value] of order) if (isSet(value)) return { value, origin };
  return { value: secretMakers[name](), origin: "made" };
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

function byName<Value>(entries: [SecretName, Value][]): Record<SecretName, Value> {
  // The entries were made from the names.
  return Object.fromEntries(entries) as Record<SecretName, Value>;
}
