/** Writes the whole answer that a Responses client reads. */
import type { ReplyEcho } from "../../../core/format.ts";
import { replay, type Reply } from "../../../core/reply.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { unwritableReply } from "../../../translation/errors.ts";
import { replyWriter } from "./reply-writer.ts";

/** The whole answer. Throws M500 with status 502 for an answer that this format cannot express. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const writer = replyWriter(echo, undefined);
  writer.write(replay(reply));
  const unsupported = writer.unsupported();
  if (unsupported) throw unwritableReply(unsupported);
  return writer.response();
}
