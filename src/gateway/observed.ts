/** What the end of a request shows about tiers, for the counts that routing may learn from. */
import type { AttemptRecord, RequestRecord } from "../workspace/contract/request-record.ts";
import type { SessionState } from "../workspace/contract/session-state.ts";
import { observationsOf, type Ending } from "../routing/observe.ts";
import type { End } from "./deliver.ts";
import type { Plan } from "./plan.ts";
import type { ReadRequest } from "./read.ts";
import type { Tally } from "./tally.ts";

export interface ObservedInput {
  plan: Plan;
  request: ReadRequest;
  /** What the conversation's last answer left behind. */
  session: SessionState | null;
  ending: Ending;
}

/** The record's members for it; none for most requests that name their model. */
export function observedIn({
  plan,
  request,
  session,
  ending,
}: ObservedInput): Pick<RequestRecord, "observed" | "session"> {
  const { decision, sessionKey: key } = plan;
  const model = plan.candidates[0]?.id ?? "";
  const observed = observationsOf({ decision, model, session, turn: request.turn, ending });
  if (observed.length === 0) return {};
  if (decision !== undefined || key === undefined || session === null) return { observed };
  // A model named against the choice counts once a conversation.
  return { observed, session: { key, state: { ...session, tier: plan.tier } } };
}

export function endingOf(end: End, { stop, calls }: Tally): Ending {
  switch (end.kind) {
    case "gone":
      return { kind: "unknown" };
    case "failed":
      return { kind: "failed" };
    case "done": {
      const called = [...calls.values()].map((call) => ({ ...call, input: call.input.join("") }));
      return { kind: "answered", stop, calls: called };
    }
    default:
      return end satisfies never;
  }
}

/** A request that no candidate answered: faults of the request itself are not the tier's. */
export function unanswered(attempts: readonly AttemptRecord[]): Ending {
  return { kind: attempts.some(({ outcome }) => outcome === "failed") ? "failed" : "unknown" };
}
