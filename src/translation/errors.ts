/** What error envelopes of OpenAI's formats have in common. */
import type { Failure } from "../core/failure.ts";
import type { ErrorDetails } from "../core/format.ts";

/** The code by which clients know that they must shorten the conversation. */
export const overflowCode = "context_length_exceeded";

/** A context overflow in the form that clients of OpenAI's formats act on. */
export function openAiOverflow({
  message,
}: Failure): Pick<ErrorDetails, "message" | "type" | "code"> {
  return { message, type: "invalid_request_error", code: overflowCode };
}
