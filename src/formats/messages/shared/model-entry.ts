/** What Messages clients read of a model in a list. */
import type { ModelListing } from "../../../core/format.ts";
import type { JsonObject } from "../../../lib/json.ts";

/** Real dates are not known; clients want a date all the same. */
const noDate = "1970-01-01T00:00:00Z";

/** The members beside those of every list; a size that is not known is null. */
export function writeModelEntry({ shown, told, window, output }: ModelListing): JsonObject {
  return {
    type: "model",
    display_name: shown,
    description: told,
    created_at: noDate,
    max_input_tokens: window ?? null,
    max_tokens: output ?? null,
  };
}
