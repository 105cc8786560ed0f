/** What every format and operation demands of the name of a model. */
import { invalid } from "../core/problem.ts";
import type { JsonValue } from "../lib/json.ts";

const longestModel = 512;

/** Throws M300. */
export function checkModelName(model: JsonValue | undefined): void {
  if (typeof model !== "string" || model === "")
    throw invalid("model", "must be a non-empty string");
  if (model.length > longestModel)
    throw invalid("model", `must have at most ${longestModel} characters`);
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001f\u007f-\u009f]/.test(model))
    throw invalid("model", "must not hold control characters");
}
