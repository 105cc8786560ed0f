/** What is known of an answer while it is read. */
import type { OpenBlock, ReplyEvent, Stop } from "../../../core/events.ts";
import type { Failure } from "../../../core/failure.ts";
import type { ReadContext } from "../../../core/format.ts";
import type { OpaqueState } from "../../../core/request.ts";
import type { WebSource } from "../../../core/web-search.ts";
import type { JsonObject } from "../../../lib/json.ts";
import { newLookups, type CitedText } from "./citations.ts";
import type { PartialArguments } from "./partial-arguments.ts";

/** The text or thinking block that grows. */
export interface OpenText extends CitedText {
  kind: "text" | "thinking";
  key: number;
  /** A signature came for it: it is complete. */
  signed: boolean;
}

/** A call whose arguments arrive in pieces. */
export interface PartialCall {
  key: number;
  custom: boolean;
  pieces: PartialArguments;
  /** Arguments that came as an object. */
  whole?: JsonObject;
}

/** The state of one answer. */
export interface ReplyState {
  context: ReadContext;
  events: ReplyEvent[];
  ended: boolean;
  started: boolean;
  /** A candidate came: the model answered, if only with nothing. */
  answered: boolean;
  id?: string;
  /** Blocks opened so far; the next block's key. */
  blocks: number;
  openText?: OpenText;
  partialCall?: PartialCall;
  /** Signatures that came inside or after a text; they are emitted when it closes. */
  waitingSignatures: OpaqueState[];
  /** Ids of calls. */
  callIds: Set<string>;
  /** Citations so far, as JSON. */
  citations: Set<string>;
  lookups: CitedText["lookups"];
  /** What the provider searched for and found: told once, at the end. */
  searched: { readonly queries: Set<string>; readonly sources: Map<string, WebSource> };
  /** The provider's latest counts. */
  usage: JsonObject;
  /** It holds images that the model made. */
  drew: boolean;
  stop?: Stop;
  /** The answer ends with it behind the chunk that says so, which may hold the last counts. */
  failure?: Failure;
}

/** The state of an answer of which nothing was read. */
export function newReplyState(context: ReadContext): ReplyState {
  return {
    context,
    events: [],
    ended: false,
    started: false,
    answered: false,
    blocks: 0,
    waitingSignatures: [],
    callIds: new Set(),
    citations: new Set(),
    searched: { queries: new Set(), sources: new Map() },
    lookups: newLookups(),
    usage: {},
    drew: false,
  };
}

/** Ends the answer with a failure. */
export function failReply(state: ReplyState, failure: Failure): void {
  if (state.ended) return;
  state.ended = true;
  state.events.push({ kind: "fail", failure });
}

/** Emits the start of a block; gives its key. */
export function openBlock(state: ReplyState, block: OpenBlock): number {
  const key = state.blocks++;
  state.events.push({ kind: "open", key, block });
  return key;
}
