/** Writes the whole answer that a Messages client reads. */
import type { ReplyEcho } from "../../../core/format.ts";
import type { Reply, ReplyBlock } from "../../../core/reply.ts";
import type { OpaqueState } from "../../../core/request.ts";
import { asString, type JsonObject } from "../../../lib/json.ts";
import { inputObject } from "../../../translation/call-inputs.ts";
import { unwritableReply } from "../../../translation/errors.ts";
import { wrapFreeform } from "../../../translation/freeform.ts";
import { writeCitation } from "../shared/citations.ts";
import { writeSearch } from "../shared/search-results.ts";
import { isRedacted, signatureOf, unsigned } from "./thinking-signature.ts";
import type { StateOwner } from "../../../translation/opaque-state.ts";
import { callIds } from "./call-ids.ts";
import { brokenReply, unsupportedAction } from "./errors.ts";
import { writeSafeguards } from "./safeguard-results.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { mediaNote, messageHead } from "./write-members.ts";

/** The whole answer. Throws M500 with status 502 for an answer that this format cannot express. */
export function writeReply(reply: Reply, echo: ReplyEcho): JsonObject {
  const ids = callIds(echo);
  const content = reply.blocks.flatMap((block) => writeBlock(block, { ids, newId: echo.newId }));
  const calls = reply.blocks.some((block) => block.kind === "call");
  const refusal = reply.blocks.some((block) => block.kind === "refusal");
  const stop = writeStopReason(reply.stop, { calls, refusal });
  if (!stop) throw unwritableReply(brokenReply(reply.stop));
  const judged = writeSafeguards(reply.stop.safeguards, callIdsIn(content));
  const usage = writeUsage(reply.usage);
  return { ...messageHead(reply, echo), content, ...stop, ...judged, usage };
}

function callIdsIn(content: readonly JsonObject[]): string[] {
  const calls = content.filter(({ type }) => type === "tool_use");
  return calls.map(({ id }) => asString(id) ?? "");
}

interface WholeContext {
  /** A call's id as the client may have it. */
  readonly ids: (id: string) => string;
  readonly newId: (prefix: string) => string;
}

function writeBlock(block: ReplyBlock, { ids, newId }: WholeContext): JsonObject[] {
  switch (block.kind) {
    case "text":
      return writeText(block);
    case "refusal":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return writeThinking(block);
    case "call":
      return writeCall(block, ids);
    case "media":
      return [{ type: "text", text: mediaNote(block) }];
    case "opaque":
      if (block.action) throw unwritableReply(unsupportedAction(block.type));
      return block.search === undefined ? [] : writeSearch(block.search, newId("srvtoolu_"));
    default:
      return block satisfies never;
  }
}

function writeText({ text, ...block }: Extract<ReplyBlock, { kind: "text" }>): JsonObject[] {
  const citations = block.citations.map(writeCitation).filter((written) => written !== undefined);
  return text === "" && citations.length === 0
    ? []
    : [{ type: "text", text, ...(citations.length > 0 && { citations }) }];
}

function writeThinking(block: Extract<ReplyBlock, { kind: "thinking" }>): JsonObject[] {
  const { text, state } = block;
  if (text === "") return state ? [stateBlock(state, "self")] : [];
  const thinking = { type: "thinking", thinking: text };
  if (!state) return [{ ...thinking, signature: unsigned }];
  if (isRedacted(state)) return [{ ...thinking, signature: unsigned }, stateBlock(state, "self")];
  return [{ ...thinking, signature: signatureOf(state, "self") }];
}

function writeCall(
  block: Extract<ReplyBlock, { kind: "call" }>,
  ids: (id: string) => string,
): JsonObject[] {
  const input = block.call === "custom" ? wrapFreeform(block.input) : block.input;
  const call = {
    type: "tool_use",
    id: ids(block.id),
    name: block.name,
    input: inputObject(input),
  };
  return block.state ? [stateBlock(block.state, "next"), call] : [call];
}

/** A block that holds nothing but state. */
function stateBlock(state: OpaqueState, owner: StateOwner): JsonObject {
  return isRedacted(state)
    ? { type: "redacted_thinking", data: state.data }
    : { type: "thinking", thinking: "", signature: signatureOf(state, owner) };
}
