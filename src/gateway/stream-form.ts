/** The form of a streamed answer: events, or what its client asked for instead. */
import type { AnswerFraming } from "../core/format.ts";
import type { HeaderRecord } from "./headers.ts";

/** Content type of a streamed response in that form; events by default. */
export function streamHeaders(framing: AnswerFraming | undefined): HeaderRecord {
  return {
    "Content-Type": framing?.contentType ?? "text/event-stream; charset=utf-8",
    "Cache-Control": "no-cache",
    "X-Accel-Buffering": "no",
  };
}

/** All of a stream's text, in the form that the client asked for. */
export function wholeStream(text: string, framing: AnswerFraming | undefined): string {
  const frame = framing?.frame();
  return frame === undefined ? text : frame.feed(text) + frame.end();
}
