/** Whether failing work is given to a stronger model, and to which: by what the agent does, not by words of its task. */
import type { SessionState } from "../../workspace/contract/session-state.ts";
import type { RoutingDecision } from "../contract/decision.ts";
import { tierRank, type QualityPreference } from "../contract/tier.ts";
import type { TierName } from "../../workspace/contract/outcomes.ts";
import { examinedSteps } from "../work/work-signs.ts";

/** A step up: from the model in use to the next stronger one. */
export interface Escalation {
  readonly from: string;
  readonly to: string;
  /** As `X-Gateway-Reason` and the log have it. */
  readonly reason: string;
}

/** How much must go wrong before a stronger model takes over. */
interface Patience {
  /** Failed steps among the last six, the last one included. */
  readonly failures: number;
  /** The same failure among them: nothing that was done in between helped. */
  readonly sameFailures: number;
  /** Equal steps among the last six. */
  readonly repeats: number;
  /** Answers in a row that nobody can use. */
  readonly flaws: number;
  /** Answers that a model gets before the next one takes over. */
  readonly coolDown: number;
  /** Steps up in one conversation. */
  readonly most: number;
  /** The highest tier that a human's word alone raises to. */
  readonly byComplaint: TierName;
}

const patience: Readonly<Record<QualityPreference, Patience>> = {
  eco: {
    failures: 3,
    sameFailures: 2,
    repeats: 3,
    flaws: 2,
    coolDown: 2,
    most: 8,
    byComplaint: "complex",
  },
  balanced: {
    failures: 3,
    sameFailures: 2,
    repeats: 3,
    flaws: 2,
    coolDown: 2,
    most: 16,
    byComplaint: "reasoning",
  },
  quality: {
    failures: 1,
    sameFailures: 1,
    repeats: 2,
    flaws: 1,
    coolDown: 2,
    most: 32,
    byComplaint: "reasoning",
  },
};

/** A conversation whose model may be raised. */
export interface EscalationInput {
  readonly decision: RoutingDecision;
  readonly session: SessionState | null;
  /** Id of the model that would answer otherwise. */
  readonly model: string;
  /** Whether a model exists and is within the budget. */
  readonly isUsable: (id: string) => boolean;
}

/** The step up that failing work calls for; undefined where nothing fails, or nothing stronger may be used. */
export function escalationOf(input: EscalationInput): Escalation | undefined {
  const { decision, session, model } = input;
  const isBound = decision.affinity === "fixed" || decision.affinity === "inherit";
  // What lies with a provider cannot be read by another model.
  if (isBound || decision.isStored) return undefined;
  const limits = patience[decision.quality];
  if ((session?.work?.raises ?? 0) >= limits.most) return undefined;
  const reason = failureOf(decision, session, limits);
  if (reason === undefined) return undefined;
  const highest = decision.work.complaint === undefined ? undefined : limits.byComplaint;
  const to = nextStronger(input, highest);
  return to === undefined ? undefined : { from: model, to, reason };
}

function failureOf(
  { work }: RoutingDecision,
  session: SessionState | null,
  limits: Patience,
): string | undefined {
  // What a human says needs no count, and no patience.
  if (work.complaint !== undefined) return work.complaint;
  const { raisedAt, raisedTurn, flaws = 0 } = session?.work ?? {};
  if (raisedTurn !== undefined && (session?.turns ?? 0) - raisedTurn < limits.coolDown)
    return undefined;
  if (flaws >= limits.flaws) return `${flaws} unusable answers in a row`;
  // Calls disappear where a client compacts the conversation.
  const isOwn = raisedAt !== undefined && raisedAt <= work.calls;
  const own = isOwn ? work.calls - raisedAt : examinedSteps;
  const steps = work.steps.slice(0, own);
  const failures = steps.filter(({ failed }) => failed).length;
  if (steps[0]?.failed === true && failures >= limits.failures)
    return `${failures} of ${steps.length} results failed`;
  const last = steps[0]?.failure;
  const same = steps.filter(({ failure }) => failure !== undefined && failure === last).length;
  if (same >= limits.sameFailures) return `same failure ${same} times`;
  const repeats = mostEqual(steps.map(({ key }) => key));
  return repeats >= limits.repeats ? `same call and result ${repeats} times` : undefined;
}

function mostEqual(keys: readonly string[]): number {
  return Math.max(0, ...keys.map((key) => keys.filter((other) => other === key).length));
}

/** The first model of the next tier that has another one, up to the highest tier. */
function nextStronger(
  { decision, model, isUsable }: EscalationInput,
  highest: TierName = "reasoning",
): string | undefined {
  const { ladder, tierRanks, need } = decision;
  const rank = tierRanks[model] ?? tierRank(need);
  return ladder.slice(rank + 1, tierRank(highest) + 1).find((id) => id !== model && isUsable(id));
}
