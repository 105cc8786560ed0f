/** The limits of money that a person is shown in their client: those of their key and their own. */
import type { SpendState } from "../../core/spend.ts";
import type { LimitEntry } from "../../store/config.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import type { LimitState } from "./budget.ts";
import { toDollars } from "./sums/cost.ts";
import { nodeLimitStates } from "./limit-states.ts";
import { keyNode, personNode } from "./nodes.ts";
import { personLimitsOf, type WorkspaceState } from "./state.ts";

/** Blocking limits of cost a day, week or month; clients have no word for hours. */
export function spendStates(
  state: WorkspaceState,
  { id, person, limits = [] }: KeyRecord,
  now: number,
): SpendState[] {
  const ofPerson = personLimitsOf(state, person).filter(isShown);
  const ofKey = limits.filter(isShown);
  if (ofPerson.length === 0 && ofKey.length === 0) return [];
  return [
    ...nodeLimitStates(state, { name: keyNode(id), limits: ofKey }, now),
    ...nodeLimitStates(state, { name: personNode(person ?? ""), limits: ofPerson }, now),
  ].map(spendOf);
}

/** A limit of cost as people read it. */
export function spendOf({ entry, spent, end }: LimitState): SpendState {
  const { period, max } = entry;
  return { period, used: toDollars(spent), limit: max, resets_at: new Date(end).toISOString() };
}

function isShown({ metric, action, period }: LimitEntry): boolean {
  return metric === "cost" && action === "block" && period !== "hour";
}
