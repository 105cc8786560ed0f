/** What the readers of a Messages request learn on their way besides the request itself. */
import { invalid } from "../../../core/problem.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { droppedPaths } from "../../../translation/dropped-paths.ts";

export interface RequestReadContext {
  /** Who speaks in the message that is being read. */
  speaker: "system" | "user" | "assistant";
  /** Client's paths that the neutral form does not support. */
  readonly unsupported: Set<string>;
  /** Deferred tools that the conversation loaded by name. */
  readonly loaded: Set<string>;
  /** Tools that the conversation defined or withdrew, in its order. */
  readonly changes: ToolChange[];
  /** Tools that were offered again: how many changes stood before that, of which none withdraws them any more. */
  readonly restored: Map<string, number>;
}

export type ToolChange = { add: JsonObject; path: string } | { remove: string };

export function newReadContext(): RequestReadContext {
  return {
    speaker: "user",
    unsupported: droppedPaths(),
    loaded: new Set(),
    changes: [],
    restored: new Map(),
  };
}

/** Names every member of `value` that is set and is not among the known ones. */
export function noteUnknown(
  value: JsonObject,
  at: { readonly path: string; readonly known: ReadonlySet<string> },
  context: RequestReadContext,
): void {
  for (const key in value) {
    if (at.known.has(key) || value[key] === null || value[key] === undefined) continue;
    context.unsupported.add(at.path === "" ? key : `${at.path}.${key}`);
  }
}

/** A member that must be a string. */
export function needString(part: JsonObject, key: string, path: string): string {
  const value = part[key];
  if (typeof value !== "string") throw invalid(`${path}.${key}`, "must be a string");
  return value;
}
