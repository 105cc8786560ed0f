/** Writes the whole answer that a chat client reads. */
import type { JsonObject } from "../../../lib/json.ts";
import { appendAll } from "../../../lib/lists.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import type { Reply, ReplyBlock } from "../../../core/reply.ts";
import type { Citation } from "../../../core/request.ts";
import { unwritableReply } from "../../../translation/errors.ts";
import { placedCitation, writeAnnotations } from "../shared/citations.ts";
import { brokenReply, unsupportedAction } from "./errors.ts";
import { writeReasoningDetail } from "./reasoning-details.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { callExtraContent, completionId, mediaMembers } from "./write-members.ts";

/** The whole answer. Throws M500 with status 502 for an answer that chat cannot express. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const message = writeMessage(reply.blocks);
  const finishReason = writeStopReason(reply.stop.reason, message["tool_calls"] !== undefined);
  if (finishReason === undefined) throw unwritableReply(brokenReply());
  return {
    id: completionId(reply.id, echo),
    object: "chat.completion",
    created: reply.created ?? echo.now,
    model: echo.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: writeUsage(reply.usage),
  };
}

function writeMessage(blocks: readonly ReplyBlock[]): JsonObject {
  const text = joinedText(blocks, "text");
  const refusal = joinedText(blocks, "refusal");
  const thinking = joinedText(blocks, "thinking");
  const calls = blocks.flatMap((block) => (block.kind === "call" ? [writeCall(block)] : []));
  const hasNoContent = text === "" && (calls.length > 0 || refusal !== "");
  const annotations = writeAnnotations(citationsOf(blocks));
  const details = writeDetails(blocks);
  return {
    role: "assistant",
    content: hasNoContent ? null : text,
    refusal: refusal === "" ? null : refusal,
    ...(thinking !== "" && { reasoning_content: thinking }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(annotations.length > 0 && { annotations }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...writeMedia(blocks),
  };
}

function joinedText(blocks: readonly ReplyBlock[], kind: "text" | "refusal" | "thinking"): string {
  return blocks.map((block) => (block.kind === kind ? block.text : "")).join("");
}

function writeCall(call: Extract<ReplyBlock, { kind: "call" }>): JsonObject {
  const { id, name, input, state } = call;
  const extra = state?.origin === undefined ? {} : { extra_content: callExtraContent(state) };
  return call.call === "custom"
    ? { id, type: "custom", custom: { name, input }, ...extra }
    : {
        id,
        type: "function",
        function: { name, arguments: input === "" ? "{}" : input },
        ...extra,
      };
}

function writeDetails(blocks: readonly ReplyBlock[]): JsonObject[] {
  const details: JsonObject[] = [];
  for (const block of blocks) {
    if (block.kind !== "thinking" && block.kind !== "call") continue;
    const { state } = block;
    if (state?.origin === undefined) continue;
    const reasoning =
      block.kind === "call" ? { text: "", state, callId: block.id } : { text: block.text, state };
    details.push(writeReasoningDetail(reasoning, details.length));
  }
  return details;
}

/** Citations of all text blocks, their positions counted in the whole text. */
function citationsOf(blocks: readonly ReplyBlock[]): Citation[] {
  let offset = 0;
  return blocks.flatMap((block) => {
    if (block.kind !== "text") return [];
    const { length } = block.text;
    const from = offset;
    offset += length;
    return block.citations.map((citation) => placedCitation(citation, { from, length }));
  });
}

function writeMedia(blocks: readonly ReplyBlock[]): JsonObject {
  const images: unknown[] = [];
  let audio: JsonObject = {};
  blocks.forEach((block, index) => {
    if (block.kind === "opaque" && block.action)
      throw unwritableReply(unsupportedAction(block.type));
    if (block.kind !== "media") return;
    const members = mediaMembers(block, block.media === "image" ? images.length : index);
    if (Array.isArray(members?.["images"])) appendAll(images, members["images"]);
    else if (members) audio = members;
  });
  // `images` holds what `mediaMembers` made, which is JSON.
  return { ...(images.length > 0 && { images: images as JsonObject[] }), ...audio };
}
