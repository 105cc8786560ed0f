/** Members that whole and streamed chat answers have in common. */
import type { ReplyMedia } from "../../../core/events.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import type { OpaqueState } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { writeDataUrl } from "../../../translation/media.ts";
import { wrapState } from "../../../translation/opaque-state.ts";

/** The provider's id with chat's prefix, or a new one. */
export function completionId(id: string | undefined, echo: ReplyEcho): string {
  if (id === undefined) return echo.newId("chatcmpl-");
  return id.startsWith("chatcmpl-") ? id : `chatcmpl-${id}`;
}

/** `extra_content` of a call, in the one form that clients are known to bring back. */
export function callExtraContent(state: OpaqueState): JsonObject {
  return { google: { thought_signature: wrapState(state) } };
}

/** Media as members of a message; undefined for media that chat has no member for. */
export function mediaMembers(media: ReplyMedia, index: number): JsonObject | undefined {
  if (media.media === "image") {
    return { images: [{ type: "image_url", image_url: { url: writeDataUrl(media) }, index }] };
  }
  if (media.media !== "audio") return undefined;
  return { audio: { id: `audio_${index}`, data: media.data, transcript: "", expires_at: 0 } };
}
