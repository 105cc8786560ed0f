/** Writes an answer as the stream that a Responses client reads: numbered events, one item open at a time. */
import type { EventWriter, ReplyEcho } from "../../../core/format.ts";
import { sseText } from "../../../lib/sse.ts";
import { replyWriter } from "./reply-writer.ts";

/** Neutral events in, stream text out. */
export function eventWriter(echo: ReplyEcho): EventWriter {
  let sequence = 0;
  let text = "";
  const reply = replyWriter(echo, (type, members) => {
    text += sseText(type, `{"type":"${type}","sequence_number":${sequence++},${members}}`);
  });
  return {
    write(events) {
      reply.write(events);
      const written = text;
      text = "";
      return written;
    },
    keepAlive() {
      if (!reply.hasBegun() || reply.ended()) return "";
      return sseText("keepalive", `{"type":"keepalive","sequence_number":${sequence++}}`);
    },
  };
}
