/** The order in which an admitted request's candidates are asked: the conversation, the budget, their health. */
import type { SessionState } from "../workspace/contract/session-state.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { chooseModel, type Choice } from "../routing/session.ts";
import type { Admission } from "./admit.ts";
import type { Plan } from "./plan.ts";

export interface Chosen extends Partial<Pick<Choice, "verdict" | "why" | "costs">> {
  candidates: ListedModel[];
  /** Ids in the chain's own order, whoever is cooling down: the first is the primary. */
  order: string[];
  reason: string;
  /** What the conversation's last answer left behind. */
  session: SessionState | null;
}

export interface Orderable {
  plan: Plan;
  answer: Pick<Admission, "affordable" | "cooling" | "session">;
}

/** Stay or switch, from the session's state; candidates that are cooling down go to the end. */
export function order({ plan, answer: admission }: Orderable, now: number): Chosen {
  const { decision } = plan;
  const { affordable, cooling, session } = admission;
  if (!decision) {
    const kept = plan.candidates.filter(({ id }) => affordable.includes(id));
    return { ...inOrder(kept, cooling, now), reason: plan.reason, session };
  }
  const { models } = plan.directory;
  const unlimited = plan.harness.limits?.every(({ action }) => action !== "block") ?? true;
  const moved = chooseModel({ decision, session, now, models, affordable, unlimited });
  return { ...moved, ...inOrder(moved.candidates, cooling, now), session };
}

function inOrder(
  chain: readonly ListedModel[],
  cooling: Readonly<Record<string, number>>,
  now: number,
): Pick<Chosen, "candidates" | "order"> {
  return { candidates: coolLast(chain, cooling, now), order: chain.map(({ id }) => id) };
}

function coolLast(
  candidates: readonly ListedModel[],
  cooling: Readonly<Record<string, number>>,
  now: number,
): ListedModel[] {
  const cool = (model: ListedModel): boolean => (cooling[model.id] ?? 0) > now;
  return [...candidates.filter((model) => !cool(model)), ...candidates.filter(cool)];
}
