/** Reads a whole answer of a Responses provider. */
import type { ReplyEvent } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import { asObject, type JsonObject, type JsonValue } from "../../../lib/json.ts";
import { errorOf, statedFailure } from "./errors.ts";
import { replyReader } from "./reply-reader.ts";
import { readStatus } from "./stop-reason.ts";

const wrongType: Failure = {
  cause: "wrong_type",
  status: 502,
  message: "The provider's answer is not a response object.",
};

/** A whole answer as the events that a stream of it would give. */
export function readReply(body: JsonValue, context: ReadContext): ReplyEvent[] {
  const reply = replyReader(context);
  const response = asObject(body);
  const error = errorOf(body);
  if (response && isResponse(response)) reply.complete(response, undefined);
  // An error may say what it used.
  else if (response && asObject(response["error"])) reply.complete(response, "response.failed");
  else reply.fail(error ? statedFailure(error) : wrongType);
  return reply.drain();
}

/** Whether a body is a response object, which may hold an error, and not an error envelope. */
function isResponse(body: JsonObject): boolean {
  const isEnvelope = errorOf(body) !== undefined && body["status"] !== "failed";
  const unfinished = ["failed", "deferred"].includes(readStatus(body, undefined));
  return !isEnvelope && (unfinished || Array.isArray(body["output"]));
}
