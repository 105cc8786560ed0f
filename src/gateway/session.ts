/** What the end of a request leaves behind: the conversation's state, and what it showed about tiers. */
import type { BookedUsage, RequestRecord } from "../workspace/contract/request-record.ts";
import type { SessionState, SessionWork } from "../workspace/contract/session-state.ts";
import {
  assessedTier,
  isFlawed,
  observationsOf,
  type ObservedEnding,
} from "../routing/learning/observations.ts";
import { responseSessionKey } from "../routing/session/session-key.ts";
import type { AnswerEnd, Answered, Unanswered } from "./outcome.ts";
import type { AnswerTotals } from "./totals.ts";

type Learned = Pick<RequestRecord, "observed" | "session">;

/** The record's members about tiers; none for most requests that name their model. */
export function learnedFrom(outcome: Answered | Unanswered): Learned {
  const { plan, request, admission } = outcome.decided;
  const { decision, sessionKey: key } = plan;
  const { session } = admission;
  const observed = observationsOf({
    decision,
    model: plan.candidates[0].id,
    session,
    request: request.inHub,
    ending: endingOf(outcome),
  });
  if (observed.length === 0) return {};
  if (decision !== undefined || key === undefined || session === null) return { observed };
  // A model named against the choice counts once a conversation.
  return { observed, session: { key, state: { ...session, tier: plan.tier } } };
}

function endingOf(outcome: Answered | Unanswered): ObservedEnding {
  if (outcome.kind === "answered") return answerEnding(outcome.end, outcome.totals);
  // Faults of the request itself are not the tier's.
  const failed = outcome.answer.attempts.some((attempt) => attempt.outcome === "failed");
  return { kind: failed ? "failed" : "unknown" };
}

function answerEnding(end: AnswerEnd, totals: AnswerTotals): ObservedEnding {
  const { stop, calls, chunks } = totals;
  switch (end.kind) {
    case "gone":
      return { kind: "unknown" };
    case "failed":
      return { kind: "failed" };
    case "done": {
      const called = [...calls.values()].map((call) => ({ ...call, input: call.input.text() }));
      return { kind: "answered", stop, calls: called, isEmpty: chunks === 0 && calls.size === 0 };
    }
    default:
      return end satisfies never;
  }
}

/** The conversation's new state, under the names by which its next request will ask for it. */
export function sessionAfter(
  outcome: Answered,
  usage: BookedUsage,
  now: number,
): Pick<RequestRecord, "session"> {
  const names = sessionNames(outcome);
  if (names === undefined) return {};
  const { decided, answer } = outcome;
  const { plan, admission } = decided;
  const tier = plan.decision === undefined ? "direct" : (assessedTier(plan.decision) ?? "default");
  const state: SessionState = {
    model: answer.prepared.model.id,
    tier,
    lastUsed: now,
    cachedTokens: usage.cached_tokens + usage.cache_write_tokens,
    inputTokens: usage.input_tokens,
    turns: (admission.session?.turns ?? 0) + 1,
    ...workAfter(outcome, answer.prepared.model.id),
  };
  return { session: { ...names, state } };
}

/** How the work goes with this answer; nothing for most conversations. */
function workAfter(outcome: Answered, model: string): Pick<SessionState, "work"> {
  const { plan, chosen, admission, request } = outcome.decided;
  const { decision } = plan;
  const { work: before, turns = 0 } = admission.session ?? {};
  if (decision === undefined) return before === undefined ? {} : { work: before };
  const { escalation } = chosen;
  // Where the stronger model could not answer, the work is still with the one before.
  const isRaised = escalation !== undefined && escalation.to === model;
  const isBad = isFlawed(endingOf(outcome), request.inHub());
  const flaws = isBad ? (isRaised ? 1 : (before?.flaws ?? 0) + 1) : 0;
  if (!isRaised && flaws === 0 && before === undefined) return {};
  const work: SessionWork = { raises: before?.raises ?? 0, ...raisedBefore(before) };
  if (isRaised) {
    work.raises++;
    work.raisedAt = decision.work.calls;
    work.raisedTurn = turns;
  }
  if (flaws > 0) work.flaws = flaws;
  return { work };
}

function raisedBefore(work: SessionWork | undefined): Partial<SessionWork> {
  const { raisedAt, raisedTurn } = work ?? {};
  return {
    ...(raisedAt !== undefined && { raisedAt }),
    ...(raisedTurn !== undefined && { raisedTurn }),
  };
}

/** An answer that was not read to its end changes no conversation, but its client may go on from it by its id. */
function sessionNames({
  decided: { plan, request, client },
  answer,
  totals,
  end,
}: Answered): { key: string; also: readonly string[] } | undefined {
  const { decision, harness } = plan;
  const { id } = totals;
  // A stored answer may be named by the next request in place of the conversation.
  const relayed = client.name === answer.prepared.target.format;
  const stored = relayed && request.description.stored && id !== undefined;
  const answers = stored ? [responseSessionKey(harness.id, id)] : [];
  if (decision !== undefined && end.kind === "done")
    return { key: decision.sessionKey, also: [...decision.sessionAliases, ...answers] };
  const [key] = answers;
  return key === undefined ? undefined : { key, also: [] };
}
