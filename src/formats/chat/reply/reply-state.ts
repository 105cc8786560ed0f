/** What is known of an answer while it is read. */
import type { OpenBlock, ReplyEvent } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import { newId } from "../../../lib/ids.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { callReader, type CallReader } from "./read-calls.ts";
import { textReader, type TextReader, type TextReaderOptions } from "./read-text.ts";
import { reasoningDetails, type ReasoningDetails } from "./reasoning-details.ts";

/** The state of one answer. */
export interface ReplyState {
  events: ReplyEvent[];
  ended: boolean;
  /** The start event, once it was emitted. */
  start: Extract<ReplyEvent, { kind: "start" }> | undefined;
  /** A choice came: the model answered, if only with nothing. */
  answered: boolean;
  finishReason: string | undefined;
  stopSequence: string | undefined;
  /** The latest chunk with a list of sources. */
  sources: JsonObject | undefined;
  /** Some servers send reasoning in two members: the one that came first counts. */
  reasoningMember: "plain" | "details" | undefined;
  /** Base64 of audio so far. */
  audio: string;
  details: ReasoningDetails;
  calls: CallReader;
  text: TextReader;
  /** Blocks opened so far; the next block's key. */
  blocks: number;
}

/** The state of an answer of which nothing was read. */
export function newReplyState(context: ReadContext): ReplyState {
  const details = reasoningDetails();
  const emit = (event: ReplyEvent): void => {
    state.events.push(event);
  };
  const newKey = (): number => state.blocks++;
  const seed = (): string => state.start?.id ?? newId("");
  const calls = callReader({ context, emit, newKey, seed });
  const takeState: TextReaderOptions["takeState"] = () => {
    const data = details.takeState();
    if (data === undefined) return undefined;
    return { format: "chat", origin: context.origin, type: "reasoning_details", data };
  };
  const text = textReader({ emit, newKey, onOpen: calls.closeComplete, takeState });
  const state: ReplyState = {
    events: [],
    ended: false,
    start: undefined,
    answered: false,
    finishReason: undefined,
    stopSequence: undefined,
    sources: undefined,
    reasoningMember: undefined,
    audio: "",
    details,
    calls,
    text,
    blocks: 0,
  };
  return state;
}

/** Ends the answer with a failure. */
export function failReply(state: ReplyState, failure: Failure): void {
  if (state.ended) return;
  state.ended = true;
  state.events.push({ kind: "fail", failure });
}

/** Emits a block that has no deltas. */
export function emitBlock(state: ReplyState, block: OpenBlock): void {
  state.text.close();
  const key = state.blocks++;
  state.events.push({ kind: "open", key, block }, { kind: "close", key });
}
