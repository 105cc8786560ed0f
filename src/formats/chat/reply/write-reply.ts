/** A neutral reply -> the whole answer that a chat client reads, and what its stream has in common with it. */
import type { JsonObject } from "../../../lib/json.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReplyEcho } from "../../../core/format.ts";
import { Problem } from "../../../core/problem.ts";
import type { OpenBlock } from "../../../core/events.ts";
import type { Reply, ReplyBlock } from "../../../core/reply.ts";
import { wrapState } from "../../../translation/opaque-state.ts";
import type { Citation, OpaqueState } from "../../../core/request.ts";
import { shifted, writeAnnotations } from "../citations.ts";
import { writeFinish } from "./stop-reason.ts";
import { writeDataUrl } from "../../../translation/media.ts";
import { writeUsage } from "./usage.ts";

/** Thinking as the client is told it. */
export interface ToldThinking {
  text: string;
  state?: OpaqueState;
  redacted?: boolean;
  /** The call that the state belongs to. */
  callId?: string;
}

/** The provider's id with chat's prefix, or a new one. */
export function completionId(id: string | undefined, echo: ReplyEcho): string {
  if (id === undefined) return echo.newId("chatcmpl-");
  return id.startsWith("chatcmpl-") ? id : `chatcmpl-${id}`;
}

/** A `reasoning_details` entry that carries the state back here, with the very text that it was made for. */
export function writeDetail(thinking: ToldThinking, index: number): JsonObject {
  const { text, state, callId } = thinking;
  const sealed = state ? wrapState(state) : "";
  const head = { format: "unknown", index };
  if (callId !== undefined)
    return { type: "reasoning.encrypted", id: callId, data: sealed, ...head };
  return text === ""
    ? { type: "reasoning.encrypted", data: sealed, ...head }
    : { type: "reasoning.text", text, signature: sealed, ...head };
}

/** `extra_content` of a call, in the one form that clients are known to hand back. */
export function callState(state: OpaqueState): JsonObject {
  return { google: { thought_signature: wrapState(state) } };
}

/** Media as a member of a message; undefined for what chat has no member for. */
export function mediaMember(
  block: Extract<OpenBlock, { kind: "media" }>,
  index: number,
): JsonObject | undefined {
  if (block.media === "image") {
    return { images: [{ type: "image_url", image_url: { url: writeDataUrl(block) }, index }] };
  }
  if (block.media !== "audio") return undefined;
  return { audio: { id: `audio_${index}`, data: block.data, transcript: "", expires_at: 0 } };
}

/** An action that only a client of another dialect could take: an error, never an empty success. */
export function unsayable(type: string): Failure {
  const message = `the model answered with ${type}, which chat completions cannot express`;
  return { cause: "stated", status: 502, message, type: "server_error" };
}

/** What an answer that broke without a word says. */
export const brokenAnswer: Failure = {
  cause: "stated",
  status: 502,
  message: "the model's answer broke off with an error",
};

function asProblem(failure: Failure): Problem {
  return new Problem("M500", failure.message, { status: failure.status });
}

export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const message = writeMessage(reply.blocks);
  const finishReason = writeFinish(reply.stop.reason, message["tool_calls"] !== undefined);
  if (finishReason === undefined) throw asProblem(brokenAnswer);
  return {
    id: completionId(reply.id, echo),
    object: "chat.completion",
    created: reply.created ?? echo.now,
    model: echo.model,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: finishReason,
      },
    ],
    usage: writeUsage(reply.usage),
  };
}

function writeMessage(blocks: readonly ReplyBlock[]): JsonObject {
  const text = joined(blocks, "text");
  const refusal = joined(blocks, "refusal");
  const thinking = joined(blocks, "thinking");
  const calls = blocks.flatMap((block) => (block.kind === "call" ? [writeCall(block)] : []));
  const silent = text === "" && (calls.length > 0 || refusal !== "");
  const annotations = writeAnnotations(citationsOf(blocks));
  const details = writeDetails(blocks);
  return {
    role: "assistant",
    content: silent ? null : text,
    refusal: refusal === "" ? null : refusal,
    ...(thinking !== "" && { reasoning_content: thinking }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(annotations.length > 0 && { annotations }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...writeMedia(blocks),
  };
}

function joined(blocks: readonly ReplyBlock[], kind: "text" | "refusal" | "thinking"): string {
  return blocks.map((block) => (block.kind === kind ? block.text : "")).join("");
}

function writeCall(call: Extract<ReplyBlock, { kind: "call" }>): JsonObject {
  const { id, name, input, state } = call;
  const extra = state?.origin === undefined ? {} : { extra_content: callState(state) };
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
    const told =
      block.kind === "call" ? { text: "", state, callId: block.id } : { text: block.text, state };
    details.push(writeDetail(told, details.length));
  }
  return details;
}

function citationsOf(blocks: readonly ReplyBlock[]): Citation[] {
  let offset = 0;
  return blocks.flatMap((block) => {
    if (block.kind !== "text") return [];
    const start = offset;
    offset += block.text.length;
    return block.citations.map((citation) => shifted(citation, start));
  });
}

function writeMedia(blocks: readonly ReplyBlock[]): JsonObject {
  const images: unknown[] = [];
  let audio: JsonObject = {};
  blocks.forEach((block, index) => {
    if (block.kind === "opaque" && block.action) throw asProblem(unsayable(block.type));
    if (block.kind !== "media") return;
    const member = mediaMember(block, block.media === "image" ? images.length : index);
    if (Array.isArray(member?.["images"])) images.push(...member["images"]);
    else if (member) audio = member;
  });
  // `images` holds entries of mediaMember's own making, which are JSON.
  return { ...(images.length > 0 && { images: images as JsonObject[] }), ...audio };
}
