/** Parts of an answer that are neither words nor calls. */
import { asString, type JsonObject } from "../../lib/json.ts";
import { openBlock, type Answer } from "./answer-state.ts";
import { closeText, placeSignature, signatureOf, stateBlock } from "./answer-text.ts";
import { signatureState } from "./thought-signature.ts";

export function readMedia(
  answer: Answer,
  data: JsonObject,
  signature: string | undefined,
): boolean {
  const [mime, bytes] = [asString(data["mimeType"]), asString(data["data"])];
  if (mime === undefined || bytes === undefined) return false;
  closeText(answer);
  if (signature !== undefined)
    stateBlock(answer, signatureState(signature, "empty", answer.context.origin));
  const family = mime.slice(0, mime.indexOf("/"));
  const media =
    family === "image" || family === "audio" || family === "video" ? family : "document";
  const key = openBlock(answer, { kind: "media", media, mime, data: bytes });
  answer.out.push({ kind: "close", key });
  return true;
}

/** Members that describe a part and are not its content. */
const marks = new Set([
  "thoughtSignature",
  "thought_signature",
  "thought",
  "videoMetadata",
  "mediaResolution",
  "partMetadata",
]);

/** Tools that the provider ran itself (code, search) and part kinds not known here: nothing a client has to act on. */
export function readOther(answer: Answer, part: JsonObject): void {
  const type = Object.keys(part).find((name) => !marks.has(name));
  const signature = signatureOf(part);
  if (type === undefined) {
    if (signature !== undefined) placeSignature(answer, signature, "empty");
    return;
  }
  closeText(answer);
  const key = openBlock(answer, { kind: "opaque", type, raw: part, action: false });
  answer.out.push({ kind: "close", key });
}
