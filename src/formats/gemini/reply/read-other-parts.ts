/** Reads parts of an answer that are neither text nor calls: media, and tools that the provider ran itself. */
import { asString, type JsonObject } from "../../../lib/json.ts";
import { signatureState } from "../shared/thought-signature.ts";
import { addSignature, closeText, emitStateBlock, signatureOf } from "./read-text.ts";
import { openBlock, type ReplyState } from "./reply-state.ts";

/** `data`: a part's `inlineData`. False when it holds no media. */
export function readMedia(
  state: ReplyState,
  data: JsonObject,
  signature: string | undefined,
): boolean {
  const [mime, bytes] = [asString(data["mimeType"]), asString(data["data"])];
  if (mime === undefined || bytes === undefined) return false;
  closeText(state);
  if (signature !== undefined)
    emitStateBlock(state, signatureState(signature, "empty", state.context.origin));
  const key = openBlock(state, { kind: "media", media: mediaKind(mime), mime, data: bytes });
  state.events.push({ kind: "close", key });
  return true;
}

function mediaKind(mime: string): "image" | "audio" | "video" | "document" {
  const family = mime.slice(0, mime.indexOf("/"));
  return family === "image" || family === "audio" || family === "video" ? family : "document";
}

/** Members that describe a part and are not its content. */
const descriptiveMembers = new Set([
  "thoughtSignature",
  "thought_signature",
  "thought",
  "videoMetadata",
  "mediaResolution",
  "partMetadata",
]);

/** Tools that the provider ran itself (code, search) and unknown kinds of parts: no client has to act on them. */
export function readServerPart(state: ReplyState, part: JsonObject): void {
  const type = Object.keys(part).find((name) => !descriptiveMembers.has(name));
  const signature = signatureOf(part);
  if (type === undefined) {
    if (signature !== undefined) addSignature(state, signature, "empty");
    return;
  }
  closeText(state);
  const key = openBlock(state, { kind: "opaque", type, raw: part, action: false });
  state.events.push({ kind: "close", key });
}
