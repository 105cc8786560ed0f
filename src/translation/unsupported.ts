/** Bookkeeping of what a client wrote and the neutral form, or the provider's format, does not support. */
import type { JsonObject, JsonValue } from "../lib/json.ts";

/** Where a reader is (`messages[].content[]`, the client's own names), and where it lists what it leaves out. */
export interface Position {
  readonly path: string;
  readonly unsupported: Set<string>;
}

/** A member of the object at the position. */
export function within(position: Position, name: string): Position {
  return { path: `${position.path}.${name}`, unsupported: position.unsupported };
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
  position: Position,
): void {
  if (!object) return;
  for (const name in object)
    if (!known.has(name) && isSet(object[name]))
      position.unsupported.add(`${position.path}.${name}`);
}
