/** What the parts of one request's translation share: the request, where it goes, and what got lost on the way. */
import type { ToolNames } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import { belongsTo } from "../../../translation/opaque-state.ts";
import type { Block, OpaqueState, ModelRequest, RequestField } from "../../../core/request.ts";

export interface Writing {
  readonly request: ModelRequest;
  readonly target: Target;
  readonly names: ToolNames;
  readonly dropped: Set<string>;
  readonly quiet: Set<string>;
}

/** Names a field of the client that this dialect has no words for. */
export function dropField(writing: Writing, field: RequestField): void {
  const path = writing.request.paths[field];
  if (path !== undefined) writing.dropped.add(path);
}

/** Names what a block carries beside its content and this dialect cannot say. */
export function dropMarks(writing: Writing, block: Block): void {
  if ("cache" in block && block.cache) writing.dropped.add(block.cache.path);
  if (block.kind === "text" && block.citationsPath !== undefined)
    writing.dropped.add(block.citationsPath);
  if (block.kind === "media" && block.source.type === "blocks")
    for (const part of block.source.blocks) dropMarks(writing, part);
}

/** The state if this connection made it; another's is named as left out. */
export function ownState(
  writing: Writing,
  state: OpaqueState | undefined,
  path?: string,
): OpaqueState | undefined {
  if (!state) return undefined;
  if (belongsTo(state, writing.target)) return state;
  if (path !== undefined && path !== "") writing.dropped.add(path);
  return undefined;
}
