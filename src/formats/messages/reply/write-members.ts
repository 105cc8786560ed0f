/** What whole and streamed answers have in common: their head, and what this dialect cannot express. */
import type { JsonObject } from "../../../lib/json.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import type { Reply, ReplyBlock } from "../../../core/reply.ts";

/** What an answer begins with, whole or streamed. */
export function messageHead(head: { id?: string }, echo: ReplyEcho): JsonObject {
  const { id } = head;
  return {
    id: id !== undefined && /^msg_[A-Za-z0-9_-]+$/.test(id) ? id : echo.newId("msg_"),
    type: "message",
    role: "assistant",
    model: echo.model,
    content: [],
  };
}

/** Answers of this dialect hold words and calls only; the client is told what it was not given. */
export function mediaNote(block: Extract<ReplyBlock, { kind: "media" }>): string {
  const bytes = Math.floor((block.data.length * 3) / 4);
  return `[The model made ${block.media} data (${block.mime}, ${bytes} bytes), which this format cannot carry.]`;
}

/** An action of another dialect's client: to leave it out would be an empty success. */
export function unsayable(type: string): Failure {
  const message = `the model's answer holds a ${type}, which this format cannot express`;
  return { cause: "wrong_type", status: 502, message };
}

/** The provider says itself that what its model wrote is broken. */
export function brokenAnswer(stop: Reply["stop"]): Failure {
  const why = stop.raw === undefined ? "" : ` (${stop.raw})`;
  return { cause: "stated", status: 502, message: `the model's answer broke off${why}` };
}
