/** What every part of the request's writer carries along. */
import type { ToolNames } from "../../../core/format.ts";
import type { Traits, Target } from "../../../core/model.ts";

export interface Writing {
  target: Target;
  traits: Traits;
  names: ToolNames;
  /** Client's paths that were left out. */
  dropped: Set<string>;
  /** Client's paths that were left out without a header. */
  quiet: Set<string>;
}
