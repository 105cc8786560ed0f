/** What whole and streamed Messages answers have in common. */
import type { ReplyMedia } from "../../../core/events.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import type { JsonObject } from "../../../lib/json.ts";

/** The first members of an answer. The provider's id is kept if it is one of this format. */
export function messageHead({ id }: { id?: string }, echo: ReplyEcho): JsonObject {
  return {
    id: id !== undefined && /^msg_[A-Za-z0-9_-]+$/.test(id) ? id : echo.newId("msg_"),
    type: "message",
    role: "assistant",
    model: echo.model,
    content: [],
  };
}

/** Answers of this format hold text and calls only: a text that tells the client what it was not given. */
export function mediaNote({ media, mime, data }: ReplyMedia): string {
  const bytes = Math.floor((data.length * 3) / 4);
  return `[The model made ${media} data (${mime}, ${bytes} bytes), which this format cannot carry.]`;
}
