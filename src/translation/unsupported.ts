/** Bookkeeping of what a client wrote and the neutral form, or the provider's dialect, has no room for. */
import type { JsonObject, JsonValue } from "../lib/json.ts";

/** Where a reader stands, in the client's words (`messages[].content[]`), and where it lists what it leaves out. */
export interface Place {
  path: string;
  unsupported: Set<string>;
}

/** A member of the place. */
export function within(place: Place, name: string): Place {
  return { path: `${place.path}.${name}`, unsupported: place.unsupported };
}

/** Whether a value says anything: null and empty collections don't. */
export function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== "object") return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** Names every member that says something and is not among the known ones. */
export function noteUnknownMembers(
  object: JsonObject | undefined,
  known: ReadonlySet<string>,
  place: Place,
): void {
  if (!object) return;
  for (const name in object)
    if (!known.has(name) && isSet(object[name])) place.unsupported.add(`${place.path}.${name}`);
}
