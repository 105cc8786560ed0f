/** What an answer amounts to, accumulated from its events as they pass. */
import type { Failure } from "../core/failure.ts";
import type { OpenBlock, ReplyEvent, StopReason } from "../core/events.ts";
import { addUsage, type Usage } from "../core/usage.ts";
import { TextPieces } from "../lib/text-pieces.ts";
import type { ReasoningGatherer } from "../translation/kept-reasoning.ts";
import { estimateTokens } from "../tokens/text-tokens.ts";

type CallHead = Extract<OpenBlock, { kind: "call" }>;

export interface AnswerTotals {
  /** The provider's own id of the answer. */
  id: string | undefined;
  /** The provider's own name of the model that answered. */
  model: string | undefined;
  /** Pieces of content. */
  chunks: number;
  usage: Usage;
  /** Its output was counted behind the last content. */
  counted: boolean;
  /** What the model wrote, kept until it is known what it was billed as; of an endless answer only the beginning. */
  readonly texts: TextPieces;
  /** Characters of all that it wrote. */
  written: number;
  /** Function calls by key, with the pieces of their input. */
  calls: Map<number, CallTotals>;
  stop: StopReason | undefined;
  failure: Failure | undefined;
  /** The provider ended as its format says. */
  ended: boolean;
  /** Where the client may not bring the answer's reasoning back. */
  readonly reasoning: ReasoningGatherer | undefined;
}

interface CallTotals {
  name: string;
  namespace?: string;
  readonly input: TextPieces;
}

export function newTotals(reasoning?: ReasoningGatherer): AnswerTotals {
  return {
    id: undefined,
    model: undefined,
    chunks: 0,
    usage: {},
    counted: false,
    texts: new TextPieces(),
    written: 0,
    calls: new Map(),
    stop: undefined,
    failure: undefined,
    ended: false,
    reasoning,
  };
}

/** Characters of an answer that are kept. */
const mostKept = 4 * 1024 * 1024;
/** Approximate characters per token, where the text itself is not read. */
const perToken = 4;

/** Adds the events, in place. */
export function accumulate(totals: AnswerTotals, events: readonly ReplyEvent[]): void {
  for (const event of events) {
    totals.reasoning?.add(event);
    switch (event.kind) {
      case "delta":
        totals.chunks += 1;
        totals.counted = false;
        totals.written += event.text.length;
        if (totals.written > mostKept) break;
        totals.texts.add(event.text);
        totals.calls.get(event.key)?.input.add(event.text);
        break;
      case "usage":
        totals.usage = addUsage(totals.usage, event.usage);
        totals.counted = event.usage.output !== undefined;
        break;
      case "stop":
        totals.stop = event.reason;
        break;
      case "fail":
        totals.failure = event.failure;
        break;
      case "end":
        totals.ended = true;
        break;
      case "open":
        if (event.block.kind === "call" && event.block.call === "function")
          totals.calls.set(event.key, callTotals(event.block));
        break;
      case "start":
        totals.id ??= event.id;
        totals.model ??= event.model;
        break;
      case "state":
      case "cite":
      case "close":
        break;
      default:
        event satisfies never;
    }
  }
}

function callTotals({ name, namespace }: CallHead): CallTotals {
  return { name, ...(namespace !== undefined && { namespace }), input: new TextPieces() };
}

/** Tokens that the answer is estimated to have, for providers that do not say and streams that were cut. */
export function estimatedOutput(totals: AnswerTotals): number {
  const kept = totals.texts.text();
  return estimateTokens(kept) + Math.ceil((totals.written - kept.length) / perToken);
}
