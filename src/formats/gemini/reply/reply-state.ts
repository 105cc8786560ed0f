/** What is known of an answer while it arrives. */
import type { ReadContext } from "../../../core/format.ts";
import type { Failure } from "../../../core/failure.ts";
import type { OpenBlock, ReplyEvent, StopReason } from "../../../core/events.ts";
import type { OpaqueState } from "../../../core/request.ts";
import type { JsonObject } from "../../../lib/json.ts";
import type { PartialArgs } from "./partial-arguments.ts";

export interface OpenText {
  kind: "text" | "thinking";
  key: number;
  text: string;
  signed: boolean;
}

export interface OpenCall {
  key: number;
  custom: boolean;
  pieces: PartialArgs;
  whole?: JsonObject;
}

export interface Answer {
  context: ReadContext;
  out: ReplyEvent[];
  over: boolean;
  started: boolean;
  id?: string;
  nextKey: number;
  /** The text or thinking block that grows; at most one. */
  open?: OpenText;
  /** A call whose arguments arrive in pieces. */
  call?: OpenCall;
  /** Signatures that came in the middle or at the end of a text; they follow it. */
  held: OpaqueState[];
  calls: Set<string>;
  cited: Set<string>;
  usage: JsonObject;
  stop?: { reason: StopReason; raw: string; details?: JsonObject };
}

export function newAnswer(context: ReadContext): Answer {
  return {
    context,
    out: [],
    over: false,
    started: false,
    nextKey: 0,
    held: [],
    calls: new Set(),
    cited: new Set(),
    usage: {},
  };
}

export function fail(answer: Answer, failure: Failure): void {
  answer.over = true;
  answer.out.push({ kind: "fail", failure });
}

export function openBlock(answer: Answer, block: OpenBlock): number {
  const key = answer.nextKey++;
  answer.out.push({ kind: "open", key, block });
  return key;
}
