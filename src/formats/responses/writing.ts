/** What all parts of a request's writer share. */
import type { ToolNames } from "../../core/format.ts";
import type { WireTarget } from "../../core/model.ts";
import type { Turn, TurnField } from "../../core/turn.ts";

export interface Writing {
  turn: Turn;
  target: WireTarget;
  names: ToolNames;
  /** Client's paths that cannot be said. */
  dropped: Set<string>;
}

/** Lists a field that this dialect, or this model, has no words for. */
export function drop(writing: Writing, field: TurnField): void {
  const path = writing.turn.paths[field];
  // The OpenAI-only fields leave no trace but in the log.
  if (path !== undefined && !Object.hasOwn(writing.turn.openaiOnly, path))
    writing.dropped.add(path);
}
