/** What an answer amounted to, gathered from its events as they pass. */
import { estimateTokens } from "../tokens/estimate.ts";
import type { Failure } from "../core/failure.ts";
import type { OpenBlock, ReplyEvent, StopReason } from "../core/events.ts";
import { addUsage, type Usage } from "../core/usage.ts";

type CallHead = Extract<OpenBlock, { kind: "call" }>;

export interface Tally {
  /** The provider's own id of the answer. */
  id: string | undefined;
  usage: Usage;
  /** All that the model wrote, kept until it is known what it was billed as. */
  texts: string[];
  /** Function calls by key, with the pieces of their input. */
  calls: Map<number, TalliedCall>;
  stop: StopReason | undefined;
  failure: Failure | undefined;
  /** The provider ended as its grammar says. */
  ended: boolean;
}

export interface TalliedCall {
  name: string;
  namespace?: string;
  input: string[];
}

export function newTally(): Tally {
  return {
    id: undefined,
    usage: {},
    texts: [],
    calls: new Map(),
    stop: undefined,
    failure: undefined,
    ended: false,
  };
}

export function count(tally: Tally, events: readonly ReplyEvent[]): void {
  for (const event of events) {
    switch (event.kind) {
      case "delta":
        tally.texts.push(event.text);
        tally.calls.get(event.key)?.input.push(event.text);
        break;
      case "usage":
        tally.usage = addUsage(tally.usage, event.usage);
        break;
      case "stop":
        tally.stop = event.reason;
        break;
      case "fail":
        tally.failure = event.failure;
        break;
      case "end":
        tally.ended = true;
        break;
      case "open":
        if (event.block.kind === "call" && event.block.call === "function")
          tally.calls.set(event.key, talliedCall(event.block));
        break;
      case "start":
        tally.id ??= event.id;
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

function talliedCall({ name, namespace }: CallHead): TalliedCall {
  return { name, ...(namespace !== undefined && { namespace }), input: [] };
}

/** Tokens that the answer is estimated to have, for providers that do not say and streams that were cut. */
export function estimatedOutput(tally: Tally): number {
  return estimateTokens(tally.texts.join(""));
}
