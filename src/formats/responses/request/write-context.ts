/** What all parts of a request's writer share. */
import type { ToolNames } from "../../../core/format.ts";
import type { Target } from "../../../core/model.ts";
import type { ModelRequest, RequestField } from "../../../core/request.ts";

export interface Writing {
  request: ModelRequest;
  target: Target;
  names: ToolNames;
  /** Client's paths that cannot be said. */
  dropped: Set<string>;
}

/** Lists a field that this dialect, or this model, has no words for. */
export function drop(writing: Writing, field: RequestField): void {
  const path = writing.request.paths[field];
  // The OpenAI-only fields leave no trace but in the log.
  if (path !== undefined && !Object.hasOwn(writing.request.openaiOnly, path))
    writing.dropped.add(path);
}
