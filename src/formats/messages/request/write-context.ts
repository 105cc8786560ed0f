/** What the parts of one request's translation share: the request, where it goes, and what got lost on the way. */
import type { JsonObject } from "../../../lib/json.ts";
import type { ToolNames } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import {
  openAiFields,
  type CacheMark,
  type ModelRequest,
  type RequestField,
} from "../../../core/request.ts";

export interface Writing {
  readonly request: ModelRequest;
  readonly target: Target;
  readonly names: ToolNames;
  readonly dropped: Set<string>;
  readonly quiet: Set<string>;
  /** Objects that were given a cache breakpoint, in the order of the prompt. */
  readonly marks: { holder: JsonObject; path: string }[];
}

/** Names a field of the client that is left out; the OpenAI-only ones leave no trace but in the log. */
export function dropField(writing: Writing, field: RequestField): void {
  const path = writing.request.paths[field];
  if (path === undefined) return;
  if (openAiFields.some((name) => name === path)) writing.quiet.add(path);
  else writing.dropped.add(path);
}

/** The wire object with the breakpoint that its block or tool carries. */
export function marked(
  writing: Writing,
  holder: JsonObject,
  cache: CacheMark | undefined,
): JsonObject {
  if (!cache) return holder;
  const hour = cache.ttl !== undefined && /^\d+h$/.test(cache.ttl);
  holder["cache_control"] = { type: "ephemeral", ...(hour && { ttl: "1h" }) };
  writing.marks.push({ holder, path: cache.path });
  return holder;
}

const mostMarks = 4;

/**
 * Keeps the breakpoints that the provider takes: the last four, since a later one covers all before it; and none
 * that lives an hour behind one that lives shorter.
 */
export function settleMarks(writing: Writing): void {
  const { marks, dropped } = writing;
  for (const { holder, path } of marks.splice(0, Math.max(0, marks.length - mostMarks))) {
    delete holder["cache_control"];
    dropped.add(path);
  }
  let short = false;
  for (const { holder, path } of marks) {
    const mark = holder["cache_control"];
    const hour = typeof mark === "object" && mark !== null && "ttl" in mark;
    if (hour && short) {
      holder["cache_control"] = { type: "ephemeral" };
      dropped.add(`${path}.ttl`);
    }
    short ||= !hour;
  }
}
