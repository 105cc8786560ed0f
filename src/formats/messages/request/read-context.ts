/** What a reader learns on its way besides the request itself. */
import type { JsonObject } from "../../../lib/json.ts";

export interface Notes {
  /** Who speaks in the message that is being read. */
  speaker: "system" | "user" | "assistant";
  /** Client's paths that the neutral form has no room for. */
  unsupported: Set<string>;
  /** Deferred tools that the conversation loaded by name. */
  loaded: Set<string>;
  /** Tools that the conversation defined or withdrew, in its order. */
  changes: ({ add: JsonObject; path: string } | { remove: string })[];
}

export function newNotes(): Notes {
  return { speaker: "user", unsupported: new Set(), loaded: new Set(), changes: [] };
}

/** Names every member of `value` that says something and is not among the known ones. */
export function noteUnknownMembers(
  notes: Notes,
  value: JsonObject,
  at: { path: string; known: ReadonlySet<string> },
): void {
  for (const key in value) {
    if (at.known.has(key) || value[key] === null || value[key] === undefined) continue;
    notes.unsupported.add(at.path === "" ? key : `${at.path}.${key}`);
  }
}
