/** Stay or switch: the candidates of an admitted request in their final order, from what the workspace knows. */
import type { ListedModel } from "../providers/connection/connection.ts";
import { withinWall } from "../providers/models/wall.ts";
import { chooseModel, type ModelChoice } from "../routing/session/choose-model.ts";
import type { Admission, Admitted } from "./admit.ts";
import type { Plan } from "./candidates/candidates.ts";

export interface Chosen extends Partial<
  Pick<ModelChoice, "verdict" | "why" | "costs" | "escalation">
> {
  /** First is the primary. */
  readonly candidates: readonly ListedModel[];
  readonly reason: string;
}

export interface Choosable {
  readonly plan: Plan;
  /** What the workspace knows about budget and conversation. */
  readonly admission: Pick<Admission, "affordable" | "session" | "spent">;
}

/** An admitted request with its candidates chosen. */
export interface Decided extends Admitted {
  readonly chosen: Chosen;
}

/** The admitted request with its candidates in their final order. Pure. */
export function choose(admitted: Admitted, now: number): Decided {
  const plan = planInForce(admitted);
  return { ...admitted, plan, chosen: finalCandidates({ ...admitted, plan }, now) };
}

/** Where most of what the client lets the conversation cost is spent, the rest has to last. */
function planInForce({ plan, admission }: Choosable): Plan {
  const { budget, thrifty } = plan;
  const { spent = 0 } = admission;
  if (budget === undefined || thrifty === undefined || spent < thriftyFrom * budget.most)
    return plan;
  const [tier = "", ...others] = thrifty.notes;
  const notes = [tier, `budget=${usd(spent)} of ${usd(budget.most)}`, ...others];
  const { reason, confidence } = thrifty;
  return { ...plan, tier: thrifty.tier, reason, confidence, decision: { ...thrifty, notes } };
}

/** Share of the budget. */
const thriftyFrom = 0.8;

function usd(amount: number): string {
  return `$${Number(amount.toPrecision(3))}`;
}

export function finalCandidates({ plan, admission }: Choosable, now: number): Chosen {
  const { decision } = plan;
  const { affordable, session } = admission;
  if (!decision) {
    const kept = plan.candidates.filter(({ id }) => affordable.includes(id));
    return { candidates: kept, reason: plan.reason };
  }
  const models = withinWall(plan.directory.models, plan.wall);
  const unlimited = plan.limits.every(({ action }) => action !== "block");
  return chooseModel({ decision, session, now, models, affordable, unlimited });
}
