/** Writes an answer as the stream that a Gemini client reads: events of data alone, without names or comments. */
import type { ReplyEvent } from "../../../core/events.ts";
import type { EventWriter, ReplyEcho } from "../../../core/format.ts";
import { collect } from "../../../core/reply.ts";
import { sseText } from "../../../lib/sse.ts";
import { errorType, writeError } from "./write-errors.ts";
import { writeReply } from "./write-reply.ts";

/** The only filler that every client takes. */
export const geminiKeepAlive = sseText(undefined, "{}");

/** Neutral events in, stream text out. */
export function eventWriter(echo: ReplyEcho): EventWriter {
  const seen: ReplyEvent[] = [];
  return {
    write(events) {
      let text = "";
      for (const event of events) {
        seen.push(event);
        if (event.kind !== "end" && event.kind !== "fail") continue;
        const reply = collect(seen);
        const body =
          "failure" in reply
            ? writeError(
                {
                  ...reply.failure,
                  type: errorType(reply.failure.status),
                  code: null,
                },
                "",
              )
            : writeReply(reply, echo);
        text += sseText(undefined, JSON.stringify(body));
      }
      return text;
    },
    keepAlive: () => geminiKeepAlive,
  };
}
