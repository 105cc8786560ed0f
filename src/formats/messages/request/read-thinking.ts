/** Thinking in the history of a Messages request, and state of calls that travels in its signatures. */
import type { Block, OpaqueState, ThinkingBlock } from "../../../core/request.ts";
import { asString, type JsonObject } from "../../../lib/json.ts";
import { isTagged, unwrapOwnedState, type StateOwner } from "../../../translation/opaque-state.ts";
import { noteUnknown, type RequestReadContext } from "./read-context.ts";

/** State that belongs to the call next to the block that carries it. */
export interface CallState {
  readonly state: OpaqueState;
  readonly owner: StateOwner;
  readonly path: string;
}

const thinkingKeys = new Set(["type", "thinking", "signature", "data"]);

/** The state of a call that stands in a thinking block next to it; undefined for every other block. */
export function readCallState(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): CallState | undefined {
  const signature = asString(part["signature"]);
  if (part["type"] !== "thinking" || signature === undefined || !isTagged(signature))
    return undefined;
  const read = unwrapOwnedState(signature);
  if (!read || read.owner === "self") return undefined;
  noteUnknown(part, { path, known: thinkingKeys }, context);
  return { ...read, path };
}

/** Puts the state to its call, in place; false when the block is no call. */
export function giveState(block: Block | undefined, { state, path }: CallState): boolean {
  if (block?.kind !== "call") return false;
  block.state = state;
  block.statePath = `${path}.signature`;
  return true;
}

export function readThinking(
  part: JsonObject,
  path: string,
  context: RequestReadContext,
): ThinkingBlock {
  noteUnknown(part, { path, known: thinkingKeys }, context);
  const redacted = part["type"] === "redacted_thinking";
  const text = asString(part["thinking"]) ?? "";
  const data = asString(part[redacted ? "data" : "signature"]) ?? "";
  const block: ThinkingBlock = { kind: "thinking", text, path, ...(redacted && { redacted }) };
  const tagged = unwrapOwnedState(data);
  if (tagged) return { ...block, state: tagged.state };
  if (data === "" || isTagged(data)) return block;
  const type = redacted ? "redacted" : "signature";
  return { ...block, state: { format: "messages", type, data } };
}
