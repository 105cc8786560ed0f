/** What all parts of a request's writer share: the request, where it goes, and what was left out on the way. */
import type { ToolNames, WrittenRequest } from "../core/format.ts";
import type { Target } from "../core/model.ts";
import { openAiFields } from "../core/parameters.ts";
import {
  type Block,
  type CacheMark,
  type ModelRequest,
  type OpaqueState,
  type RequestField,
  type TextBlock,
} from "../core/request.ts";
import type { JsonObject } from "../lib/json.ts";
import { droppedPaths } from "./dropped-paths.ts";
import { belongsTo } from "./opaque-state.ts";
import { toolNames, type NameRules } from "./tool-names.ts";

export interface WriteContext {
  readonly request: ModelRequest;
  readonly target: Target;
  readonly names: ToolNames;
  /** Client's paths that were left out: header and log. */
  readonly dropped: Set<string>;
  /** Client's paths that were left out without a header: log only. */
  readonly quiet: Set<string>;
}

export function newWriteContext(
  request: ModelRequest,
  target: Target,
  rules: Omit<NameRules, "maxLength">,
): WriteContext {
  return {
    request,
    target,
    names: toolNames(request, { maxLength: target.traits.toolNameLength, ...rules }),
    dropped: droppedPaths(request.unsupported),
    quiet: new Set(),
  };
}

/** The body with what the context gathered. */
export function writtenRequest(body: JsonObject, context: WriteContext): WrittenRequest {
  const { dropped, quiet, names } = context;
  return { body, dropped: [...dropped], quiet: [...quiet], names };
}

/** Reports a field that the client set and that is left out. */
export function noteUnsupported(
  field: RequestField,
  { request, dropped, quiet }: WriteContext,
): void {
  const path = request.paths[field];
  if (path === undefined) return;
  if (openAiFields.some((name) => name === path)) quiet.add(path);
  else dropped.add(path);
}

/** Reports the cache breakpoint of a block or tool, for formats without such marks. */
export function noteCacheMark({ cache }: { cache?: CacheMark }, context: WriteContext): void {
  if (cache) context.dropped.add(cache.path);
}

/** Reports the sources that a text cites. */
export function noteCitations({ citationsPath }: TextBlock, context: WriteContext): void {
  if (citationsPath !== undefined) context.dropped.add(citationsPath);
}

/** Reports the cache breakpoint and the citations of a block and of those inside it. */
export function noteMarks(block: Block, context: WriteContext): void {
  if ("cache" in block) noteCacheMark(block, context);
  if (block.kind === "text") noteCitations(block, context);
  if (block.kind === "media" && block.source.type === "blocks")
    for (const part of block.source.blocks) noteMarks(part, context);
}

/** The state if the target made it; another's is reported as left out. */
export function ownState(
  state: OpaqueState | undefined,
  path: string | undefined,
  { target, dropped }: WriteContext,
): OpaqueState | undefined {
  if (state && belongsTo(state, target)) return state;
  if (state && path !== undefined && path !== "") dropped.add(path);
  return undefined;
}
