/** The row of the request log, by how the exchange ended. Pure. */
import { type Problem, problemCodes } from "../core/problem.ts";
import type { Usage } from "../core/usage.ts";
import { elapsed } from "../lib/clock.ts";
import { isoTime } from "../lib/iso-time.ts";
import { blockingNodes } from "../policy/refusal.ts";
import { pricesBeside } from "../providers/models/directory.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { explainDecision } from "../routing/explanation/explain-decision.ts";
import type {
  AttemptRecord,
  BookedUsage,
  RequestRecord,
} from "../workspace/contract/request-record.ts";
import { departed } from "../workspace/rules/sums/logged-outcome.ts";
import {
  addMoney,
  bookedUsage,
  isTokenCount,
  sumOfBooked,
  usedByFailure,
} from "../workspace/rules/sums/cost.ts";
import { billOf, type Bill } from "../workspace/rules/sums/bill.ts";
import { billingTerms, expectedUse, unreportedInput, unreportedOutput } from "./unreported.ts";
import type { AnswerTurns, Prepared } from "../upstream/upstream.ts";
import type { Decided } from "./choose.ts";
import type { RoutingFacts } from "./headers.ts";
import { clientIds } from "./request/client-ids.ts";
import { clientMarks } from "./request/client-marks.ts";
import type { Identified } from "./identify.ts";
import type { Answered, AnswerEnd, ExchangeOutcome, Refused, Unanswered } from "./outcome.ts";
import {
  type ErrorOrigin,
  keptAttempts,
  keptError,
  keptSideError,
  keptTexts,
} from "./kept-texts.ts";
import type { Parsed } from "./parse.ts";
import type { Planned } from "./plan.ts";
import { requestOutcome } from "./request-outcome.ts";
import { requestTags } from "./request/request-tags.ts";
import { learnedFrom, sessionAfter } from "./session.ts";

/** What is known of a request at its end, however far it came. */
export interface Known {
  readonly stage: Identified | Parsed | Planned;
  readonly routing: RoutingFacts | undefined;
  /** Epoch ms. */
  readonly now: number;
  /** The machine's clock was set while it ran. */
  readonly clockStep: boolean;
}

const longestModel = 512;

export function requestRecordOf(outcome: ExchangeOutcome, known: Known): RequestRecord {
  switch (outcome.kind) {
    case "answered":
      return answeredRecord(outcome, known);
    case "unanswered":
    case "refused":
      return failedRecord(outcome, known);
    default:
      return outcome satisfies never;
  }
}

function answeredRecord(outcome: Answered, known: Known): RequestRecord {
  const { answer, decided, end, firstByte } = outcome;
  const { prepared } = answer;
  const { plan } = decided;
  const reported = reportedIn(outcome);
  const uncounted = isUncounted(reported, outcome);
  const latest = usageOf(reported, outcome);
  const complete = end.kind === "done";
  const own = { model: prepared.model, decided, reported, complete };
  const bill = uncounted ? unbilled : billIn(latest, own);
  const { usage, cost } = withTurns({ usage: latest, cost: bill.cost }, answer.turns);
  const origin = { stage: known.stage, harness: plan.harness };
  // Once for the row and for its last attempt: it is compared with the whole request.
  const error = errorOf(outcome, origin);
  const last = { usage: uncounted ? null : usage, cost, now: known.now, error };
  const earlier = earlierAttempts(outcome, origin);
  const attempts = [...earlier, lastAttempt(outcome, last)];
  return {
    ...commonOf(known),
    outcome: requestOutcome(outcome),
    attempts,
    model: prepared.model.id,
    provider: prepared.model.connection.id,
    status: statusOf(end),
    usage: uncounted ? null : usage,
    cost: withAttempts(cost ?? unknownCost(outcome, uncounted), earlier),
    ...unpriced(attempts, bill.unpriced),
    dropped: droppedBy(prepared),
    first_byte_ms: elapsed(decided.time, firstByte),
    total_ms: elapsed(decided.time, known.now),
    error,
    ...(plan.decision && { routing: explainDecision(plan.decision) }),
    ...escalated(decided),
    ...(plan.budget !== undefined && { budget: plan.budget.key }),
    ...(plan.harness.log_text === true && {
      text: keptTexts(decided, outcome.totals.texts.text(), plan.harness),
    }),
    ...learnedFrom(outcome),
    ...sessionAfter(outcome, contextOf(reported, latest, answer.turns), known.now),
  };
}

/** Calls before the one that answered, and extra calls. */
function earlierAttempts({ answer, decided }: Answered, origin: ErrorOrigin): AttemptRecord[] {
  const { attempts, sideCalls } = answer;
  if (attempts.length === 0 && sideCalls === undefined) return [];
  const all = sideCalls === undefined ? attempts : [...attempts, ...sideCalls];
  return keptAttempts(billedAttempts(all, decided), origin);
}

/** Each path once. */
function droppedBy({ dropped, quiet }: Prepared): string[] {
  if (dropped.length === 0 && quiet.length === 0) return [];
  return [...new Set([...dropped, ...quiet])].toSorted();
}

/** A row for a request that ended without an answer of a provider: refused, or every attempt failed. */
function failedRecord(outcome: Unanswered | Refused, known: Known): RequestRecord {
  const unanswered = outcome.kind === "unanswered";
  const { status, message } = unanswered
    ? outcome
    : {
        status: outcome.problem.status,
        message: `${outcome.problem.marker}: ${outcome.problem.message}`,
      };
  const harness = unanswered ? outcome.decided.plan.harness : undefined;
  const origin = { stage: known.stage, harness };
  const attempts = unanswered ? billedAttempts(outcome.answer.attempts, outcome.decided) : [];
  const ended = requestOutcome(outcome);
  return {
    ...commonOf(known),
    outcome: ended,
    attempts: keptAttempts(attempts, origin),
    model: null,
    provider: primaryProvider(known),
    status,
    usage: null,
    cost: withAttempts(null, attempts),
    ...unpriced(attempts),
    ...(!unanswered && blockedBy(outcome.problem)),
    dropped: [],
    first_byte_ms: null,
    total_ms: elapsed(known.stage.time, known.now),
    error:
      attempts.at(-1)?.side === true ? keptSideError(message, origin) : keptError(message, origin),
    // Clients that go on asking are blocked by the thousand: those rows stay small.
    ...(ended !== "blocked" && whatFailed(known.stage)),
    ...(unanswered && escalated(outcome.decided)),
    ...(unanswered && learnedFrom(outcome)),
  };
}

/** The step up that failing work led to. */
function escalated({ chosen }: Decided): Pick<RequestRecord, "escalation"> {
  return chosen.escalation === undefined ? {} : { escalation: { ...chosen.escalation } };
}

/** Why it went where it failed, and what it asked: who looks for the cause needs both. */
function whatFailed(stage: Known["stage"]): Pick<RequestRecord, "routing" | "text"> {
  if (!("request" in stage)) return {};
  const decision = "plan" in stage ? stage.plan.decision : undefined;
  const { harness: id, snapshot } = stage.holder;
  const harness = snapshot.config.harnesses?.find((entry) => entry.id === id);
  return {
    ...(decision && { routing: explainDecision(decision) }),
    ...(harness?.log_text === true && { text: keptTexts(stage, "", harness) }),
  };
}

/** Whether tokens were used whose price is not known, or tools of the provider. */
function unpriced(
  attempts: readonly AttemptRecord[],
  inAnswer = false,
): Pick<RequestRecord, "unpriced"> {
  const found =
    inAnswer ||
    attempts.some(
      ({ usage, cost, unpriced: isPart }) =>
        isPart === true || (usage !== undefined && cost === undefined),
    );
  return found ? { unpriced: true } : {};
}

/** Whose limit refused the request. */
function blockedBy({ marker, extra }: Problem): Pick<RequestRecord, "blocked_by"> {
  const node = blockingNodes.find((name) => name === extra["node"]);
  return marker === problemCodes.limitReached && node !== undefined ? { blocked_by: node } : {};
}

/** Of the model that was to answer, as far as one was chosen. */
function primaryProvider({ stage, routing }: Known): string | null {
  if (routing !== undefined) return routing.provider;
  return "plan" in stage ? stage.plan.candidates[0].connection.id : null;
}

type Common =
  | "id"
  | "time"
  | "harness"
  | "key_id"
  | "person"
  | "session_id"
  | "agent"
  | "parent_agent"
  | "prompt"
  | "role"
  | "tags"
  | "format"
  | "requested_model"
  | "tier"
  | "reason"
  | "confidence"
  | "clock_step"
  | "stream";

/** What is known of every request, however it ended. */
function commonOf({ stage, routing, clockStep }: Known): Pick<RequestRecord, Common> {
  const description = "request" in stage ? stage.request.description : undefined;
  const { person } = stage.holder.terms;
  const { headers } = stage;
  const role = "plan" in stage ? stage.plan.role : undefined;
  const tags = requestTags(headers);
  return {
    id: stage.id,
    time: isoTime(stage.time),
    harness: stage.holder.harness,
    key_id: stage.holder.keyId,
    ...(person !== undefined && { person }),
    ...clientIds(clientMarks(headers, description?.marks), description?.conversation),
    ...(role !== undefined && { role }),
    ...(tags !== undefined && { tags }),
    format: stage.operation ?? stage.client.name,
    requested_model: (description?.model ?? "").slice(0, longestModel),
    tier: routing?.tier ?? null,
    reason: routing?.reason ?? null,
    confidence: routing?.confidence ?? null,
    stream: description?.stream === true,
    ...(clockStep && { clock_step: true as const }),
  };
}

/** What the last attempt's record has besides the outcome. */
interface LastAttempt {
  readonly usage: BookedUsage | null;
  readonly cost: number | null;
  /** Epoch ms. */
  readonly now: number;
  /** As the row has it. */
  readonly error: string | null;
}

function lastAttempt(
  { answer, end }: Answered,
  { usage, cost, now, error }: LastAttempt,
): AttemptRecord {
  return {
    model: answer.prepared.model.id,
    status: statusOf(end),
    ms: elapsed(answer.begun, now),
    begun: answer.begun,
    providerFormat: answer.prepared.target.format,
    ...(answer.span !== undefined && { span: answer.span }),
    ...(usage !== null && { usage }),
    ...(cost !== null && { cost }),
    outcome: healthOf(end),
    ...(end.kind === "failed" && { cause: end.failure.cause, ...(error !== null && { error }) }),
  };
}

interface Booked {
  readonly usage: BookedUsage;
  readonly cost: number | null;
}

/** The bill of the latest call with those of the turns before it. */
function withTurns(latest: Booked, turns: AnswerTurns | undefined): Booked {
  if (turns === undefined) return latest;
  return turns.complete().reduce<Booked>(
    (sum, { usage, cost }) => ({
      usage: usage === undefined ? sum.usage : sumOfBooked(sum.usage, usage),
      cost: sum.cost === null || cost === undefined ? null : addMoney(sum.cost, cost),
    }),
    latest,
  );
}

/** What the end says about the provider: a client that left, or a fault of the gateway, says nothing. */
function healthOf(end: AnswerEnd): AttemptRecord["outcome"] {
  if (end.kind === "done") return "ok";
  return end.kind === "failed" && end.failure.ours !== true ? "failed" : "neutral";
}

function statusOf(end: AnswerEnd): number {
  switch (end.kind) {
    case "done":
      return 200;
    case "gone":
      return departed;
    case "failed":
      return end.failure.status;
    default:
      return end satisfies never;
  }
}

function errorOf({ end, answer: { turns } }: Answered, origin: ErrorOrigin): string | null {
  switch (end.kind) {
    case "done":
      return null;
    case "gone":
      return "the client left";
    case "failed":
      return turns === undefined
        ? keptError(end.failure.message, origin)
        : keptSideError(end.failure.message, origin);
    default:
      return end satisfies never;
  }
}

/** A model without a price costs nothing here; what cannot be counted has no cost at all. */
function unknownCost({ decided }: Answered, uncounted: boolean): number | null {
  return uncounted || decided.request.operation?.operation.output === "uncounted" ? null : 0;
}

/** With what is known of the calls before it and beside it. */
function withAttempts(cost: number | null, attempts: readonly AttemptRecord[]): number | null {
  if (attempts.length === 0) return cost;
  const costs = attempts.flatMap((call) => call.cost ?? []);
  return costs.length === 0 ? cost : costs.reduce(addMoney, cost ?? 0);
}

/** Failed attempts, with what their providers reported before, or may still bill. */
export function billedAttempts(
  attempts: readonly AttemptRecord[],
  decided: Decided,
): AttemptRecord[] {
  return attempts.map(({ reported, ...attempt }) => {
    const { model: id, unreported } = attempt;
    const model = decided.chosen.candidates.find((candidate) => candidate.id === id);
    if (model === undefined || (unreported !== true && reported === undefined)) return attempt;
    const used = usedByFailure({ reported, unreported }, expectedUse(id, decided));
    const usage = bookedUsage(used.usage, used.guess);
    const call = { model, decided, reported: used.usage, complete: unreported !== true };
    const { cost, unpriced: isPart } = billIn(usage, call);
    return {
      ...attempt,
      usage,
      ...(cost !== null && { cost }),
      ...(isPart && { unpriced: true as const }),
    };
  });
}

/** Images and audio whose provider reported no tokens, because it bills them in another unit. */
function isUncounted({ input, cost }: Usage, { decided, end }: Answered): boolean {
  const { operation: asked } = decided.request;
  return (
    asked !== undefined &&
    end.kind === "done" &&
    input === undefined &&
    cost === undefined &&
    (asked.operation.output === "uncounted" || asked.inputTokens() === undefined) &&
    asked.operation.answer !== "media"
  );
}

/**
 * What an answer that broke off reported of its output before all of it was written, is no count of it. A count behind
 * the last content is, where it was the provider that ended it.
 */
function reportedIn({ answer: { turns }, totals, end }: Answered): Usage {
  const latest = turns?.latest();
  if (turns !== undefined && latest === undefined) return { input: 0, output: 0 };
  const reported = latest?.reported ?? totals.usage;
  if (end.kind === "done" || (latest === undefined && totals.counted && isEnding(end)))
    return reported;
  const { output: _, steps: __, ...before } = reported;
  return before;
}

/** Whether the provider itself ended the answer: one that fell silent, or whose client left, may write on. */
function isEnding(end: AnswerEnd): boolean {
  if (end.kind !== "failed" || end.failure.ours === true) return false;
  const { cause } = end.failure;
  return cause === "stated" || cause === "cut" || cause === "reset";
}

function usageOf(reported: Usage, outcome: Answered): BookedUsage {
  const { input, output } = reported;
  const read = outcome.answer.turns?.latest()?.input;
  return bookedUsage(reported, {
    input: isTokenCount(input) ? input : (read ?? unreportedInput(outcome)),
    output: isTokenCount(output) ? output : unreportedOutput(outcome),
  });
}

/** What nobody counts has no cost. */
const unbilled: Bill = { cost: null, unpriced: false };

/** A call whose usage is booked. */
interface BookedCall {
  readonly model: ListedModel;
  readonly decided: Decided;
  readonly reported: Usage;
  /** Nothing of it can be missing in what was reported. */
  readonly complete: boolean;
}

function billIn(usage: BookedUsage, { model, decided, reported, complete }: BookedCall): Bill {
  return billOf({
    reported,
    usage,
    terms: billingTerms(reported, model.id, decided),
    complete,
    pricesOf: (id) => pricesBeside(model, id, decided.plan.directory),
  });
}

/** What the model had before it when it was done: after several steps or turns, that of the last. */
function contextOf(
  { steps }: Usage,
  latest: BookedUsage,
  turns: AnswerTurns | undefined,
): BookedUsage {
  const last = steps?.at(-1);
  if (last !== undefined) return bookedUsage(last, { input: 0, output: 0 });
  return turns?.latest() === undefined ? (turns?.complete().at(-1)?.usage ?? latest) : latest;
}
