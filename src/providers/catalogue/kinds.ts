/** All kinds of providers that a configuration can name. */
import { hosts } from "./hosts.ts";
import { locals } from "./local.ts";
import { makers } from "./makers.ts";
import type { KindRecord } from "./record.ts";

const kinds: ReadonlyMap<string, KindRecord> = new Map<string, KindRecord>(
  Object.entries({ ...makers, ...hosts, ...locals }),
);

/** Names that `kind` may have, in the order of the catalogue. */
export const knownKinds: readonly string[] = [...kinds.keys()];

/** The record of a kind, or undefined for a name that the catalogue does not know. */
export function recordOf(kind: string): KindRecord | undefined {
  return kinds.get(kind);
}
