/** Reads a delta of an answer, or the message of a whole one: reasoning, content, refusal, media and calls. */
import {
  asArray,
  asFilledString,
  asObject,
  asString,
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/json.ts";
import { readDataUrl } from "../../../translation/media.ts";
import { readAnnotations } from "../shared/citations.ts";
import { nestedText } from "../shared/member-text.ts";
import { reasoningText } from "./reasoning-details.ts";
import { emitBlock, type ReplyState } from "./reply-state.ts";

/** `whole`: the delta holds complete calls. */
export function readDelta(state: ReplyState, delta: JsonObject, whole: boolean): void {
  const { text } = state;
  readReasoning(state, delta);
  readContent(state, delta["content"]);
  text.add("refusal", asString(delta["refusal"]) ?? "");
  if (Array.isArray(delta["annotations"])) text.cite(readAnnotations(delta["annotations"]));
  if (Array.isArray(delta["images"])) for (const image of delta["images"]) readImage(state, image);
  if (isObject(delta["audio"])) readAudio(state, delta["audio"]);
  if (Array.isArray(delta["tool_calls"]) || isObject(delta["function_call"]))
    readCalls(state, delta, whole);
}

function readAudio(state: ReplyState, audio: JsonObject): void {
  state.text.add("text", asString(audio["transcript"]) ?? "");
  state.audio += asString(audio["data"]) ?? "";
}

function readReasoning(state: ReplyState, delta: JsonObject): void {
  const entries = delta["reasoning_details"];
  const plain =
    asFilledString(delta["reasoning_content"]) ?? asFilledString(delta["reasoning"]) ?? "";
  const detailed = Array.isArray(entries) ? readDetails(state, entries) : "";
  if (plain === "" && detailed === "") return;
  state.reasoningMember ??= plain === "" ? "details" : "plain";
  state.text.add("thinking", state.reasoningMember === "plain" ? plain : detailed);
}

function readDetails(state: ReplyState, entries: readonly JsonValue[]): string {
  state.details.add(entries);
  return reasoningText(entries);
}

function readContent(state: ReplyState, content: JsonValue | undefined): void {
  if (typeof content === "string") {
    state.text.add("text", content);
    return;
  }
  for (const part of asArray(content)) {
    if (typeof part === "string") state.text.add("text", part);
    else if (isObject(part)) readPart(state, part);
  }
}

function readPart(state: ReplyState, part: JsonObject): void {
  const { text } = state;
  if (part["type"] === "thinking") text.add("thinking", nestedText(part["thinking"]));
  else if (part["type"] === "refusal") text.add("refusal", asString(part["refusal"]) ?? "");
  else if (part["type"] === "image_url") readImage(state, part);
  else text.add("text", asString(part["text"]) ?? "");
}

function readImage(state: ReplyState, value: JsonValue): void {
  const image = asObject(value);
  const url =
    asString(asObject(image?.["image_url"])?.["url"]) ?? asFilledString(image?.["image_url"]);
  if (url === undefined || url === "") return;
  const inline = readDataUrl(url);
  if (inline) emitBlock(state, { kind: "media", media: "image", ...inline });
  else state.text.add("text", `![image](${url})`);
}

function readCalls(state: ReplyState, delta: JsonObject, whole: boolean): void {
  const entries = asArray(delta["tool_calls"]).filter(isObject);
  const legacy = asObject(delta["function_call"]);
  const isLegacy =
    entries.length === 0 &&
    (asFilledString(legacy?.["name"]) ?? asFilledString(legacy?.["arguments"])) !== undefined;
  if (entries.length === 0 && !isLegacy) return;
  state.text.close();
  entries.forEach((entry, at) => state.calls.feed(entry, whole ? at : undefined));
  if (isLegacy && legacy) state.calls.feed({ index: 0, function: legacy });
}
