/** Whether a request relies on something that its provider stored. */
import type { ModelRequest } from "../../core/request.ts";

/** Whether a request continues a response or a conversation that its provider stored. */
export function continuesStored({ previousResponseId, responsesOnly }: ModelRequest): boolean {
  return previousResponseId !== undefined || responsesOnly?.includes("conversation") === true;
}

/** Whether the conversation contains references to stored items: readers report those as unsupported. */
export function referencesItems({ unsupported }: ModelRequest): boolean {
  return unsupported.includes("input[]");
}
