/** Bookkeeping of what a client wrote and the neutral form has no room for. */
import type { JsonObject, JsonValue } from "../../lib/json.ts";

/** Where a reader stands. `path` is for reports (`input[].content[]`), `where` for refusals (`input[3].content[0]`). */
export interface Place {
  path: string;
  where: string;
  unsaid: Set<string>;
}

/** A member of the place. */
export function member(place: Place, name: string): Place {
  return { ...place, path: `${place.path}.${name}`, where: `${place.where}.${name}` };
}

/** An element of the array that the place is. */
export function element(place: Place, index: number): Place {
  return { ...place, path: `${place.path}[]`, where: `${place.where}[${index}]` };
}

/** Whether a value says anything: null and empty collections don't. */
export function says(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== "object") return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}

/** Names every member that says something and is not among the known ones. */
export function noteOthers(object: JsonObject, known: ReadonlySet<string>, place: Place): void {
  for (const name in object)
    if (!known.has(name) && says(object[name])) place.unsaid.add(`${place.path}.${name}`);
}
