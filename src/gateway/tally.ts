/** What an answer amounted to, gathered from its events as they pass. */
import { estimateTokens } from "../core/tokens.ts";
import type { Failure } from "../core/failure.ts";
import type { ReplyEvent, StopReason } from "../core/reply.ts";
import { addUsage, type Usage } from "../core/usage.ts";

export interface Tally {
  usage: Usage;
  /** All that the model wrote, kept until it is known what it was billed as. */
  texts: string[];
  stop: StopReason | undefined;
  failure: Failure | undefined;
  /** The provider ended as its grammar says. */
  ended: boolean;
}

export function newTally(): Tally {
  return { usage: {}, texts: [], stop: undefined, failure: undefined, ended: false };
}

export function count(tally: Tally, events: readonly ReplyEvent[]): void {
  for (const event of events) {
    switch (event.kind) {
      case "delta":
        tally.texts.push(event.text);
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
      case "start":
      case "open":
      case "state":
      case "cite":
      case "close":
        break;
      default:
        event satisfies never;
    }
  }
}

/** Tokens that the answer is estimated to have, for providers that do not say and streams that were cut. */
export function estimatedOutput(tally: Tally): number {
  return estimateTokens(tally.texts.join(""));
}
