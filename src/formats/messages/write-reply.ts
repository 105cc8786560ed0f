/** A whole answer in this dialect. */
import type { JsonObject } from "../../lib/json.ts";
import { wrapFreeform } from "../../translation/freeform.ts";
import { inputObject } from "../../translation/call-inputs.ts";
import type { Failure } from "../../core/failure.ts";
import type { ReplyEcho } from "../../core/format.ts";
import { Problem } from "../../core/problem.ts";
import type { Reply, ReplyBlock } from "../../core/reply.ts";
import type { OpaqueState } from "../../core/request.ts";
import { callIds } from "./call-ids.ts";
import { writeCitation } from "./citations.ts";
import { brokenAnswer, mediaNote, messageHead, unsayable } from "./reply-words.ts";
import { isRedacted, signatureOf, unsigned } from "./reply/thinking-signature.ts";
import type { StateOwner } from "../../translation/opaque-state.ts";
import { writeStop } from "./stop.ts";
import { writeUsage } from "./usage.ts";

/** Throws M500 with status 502 for an answer that this dialect cannot express. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const ids = callIds(echo);
  const content = reply.blocks.flatMap((block) => writeBlock(block, ids));
  const calls = reply.blocks.some((block) => block.kind === "call");
  const refusal = reply.blocks.some((block) => block.kind === "refusal");
  const stop = writeStop(reply.stop, { calls, refusal });
  if (!stop) throw asProblem(brokenAnswer(reply.stop));
  return { ...messageHead(reply, echo), content, ...stop, usage: writeUsage(reply.usage) };
}

function writeBlock(block: ReplyBlock, ids: (id: string) => string): JsonObject[] {
  switch (block.kind) {
    case "text": {
      const citations = block.citations
        .map(writeCitation)
        .filter((written) => written !== undefined);
      return block.text === "" && citations.length === 0
        ? []
        : [{ type: "text", text: block.text, ...(citations.length > 0 && { citations }) }];
    }
    case "refusal":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return writeThinking(block);
    case "call": {
      const input = block.call === "custom" ? wrapFreeform(block.input) : block.input;
      const use = {
        type: "tool_use",
        id: ids(block.id),
        name: block.name,
        input: inputObject(input),
      };
      return block.state ? [stateBlock(block.state, "next"), use] : [use];
    }
    case "media":
      return [{ type: "text", text: mediaNote(block) }];
    case "opaque":
      if (block.action) throw asProblem(unsayable(block.type));
      return [];
    default:
      return block satisfies never;
  }
}

function writeThinking(block: Extract<ReplyBlock, { kind: "thinking" }>): JsonObject[] {
  const { text, state } = block;
  if (text === "") return state ? [stateBlock(state, "self")] : [];
  const thinking = { type: "thinking", thinking: text };
  if (!state) return [{ ...thinking, signature: unsigned }];
  if (isRedacted(state)) return [{ ...thinking, signature: unsigned }, stateBlock(state, "self")];
  return [{ ...thinking, signature: signatureOf(state, "self") }];
}

/** State in a block without words. */
function stateBlock(state: OpaqueState, owner: StateOwner): JsonObject {
  return isRedacted(state)
    ? { type: "redacted_thinking", data: state.data }
    : { type: "thinking", thinking: "", signature: signatureOf(state, owner) };
}

function asProblem(failure: Failure): Problem {
  return new Problem("M500", failure.message, { status: failure.status });
}
