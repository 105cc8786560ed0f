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
  readonly admission: Pick<Admission, "affordable" | "session">;
}

/** An admitted request with its candidates chosen. */
export interface Decided extends Admitted {
  readonly chosen: Chosen;
}

/** The admitted request with its candidates in their final order. Pure. */
export function choose(admitted: Admitted, now: number): Decided {
  return { ...admitted, chosen: finalCandidates(admitted, now) };
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
