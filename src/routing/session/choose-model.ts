/**
 * Session affinity: a conversation stays on its model while what the provider has cached of it is worth more than
 * another model would save. Pure: the time is passed in.
 */
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { SessionState } from "../../workspace/contract/session-state.ts";
import type { RoutingDecision } from "../contract/decision.ts";
import { tierRank } from "../contract/tier.ts";
import { reasonLine } from "../explanation/reason-line.ts";
import { tokenRates } from "../models/conversation-cost.ts";
import { maxCandidates } from "../models/tier-candidates.ts";
import { stayOrSwitch, type SessionVerdict } from "./stay-or-switch.ts";

/** A decision, and what is known of the conversation and the budget. */
export interface ModelChoiceInput {
  readonly decision: RoutingDecision;
  /** State after the conversation's last answer, or null for a new conversation. */
  readonly session: SessionState | null;
  /** Epoch ms. */
  readonly now: number;
  readonly models: readonly ListedModel[];
  /** Ids of the decision's models that the budget allows; all when absent. */
  readonly affordable?: readonly string[];
  /** No limit blocks requests: a session model that the decision does not name may be used too. */
  readonly unlimited?: boolean;
}

/** The candidates of a request in the order in which they are tried. */
export interface ModelChoice extends SessionVerdict {
  readonly candidates: ListedModel[];
  /** The decision's reason with the verdict added. */
  readonly reason: string;
}

/** Orders the candidates by the session. Without a usable session the plan's own order stays. */
export function chooseModel(input: ModelChoiceInput): ModelChoice {
  const { decision, session } = input;
  const models = modelsById(input);
  const affordable = input.affordable === undefined ? undefined : new Set(input.affordable);
  const isUsable = (id: string): boolean => models.has(id) && (affordable?.has(id) ?? true);
  const own = decision.candidates.filter(isUsable);
  const ids = own.length > 0 ? own : byTierDistance(decision).filter(isUsable);
  const planned = ids.flatMap((id) => models.get(id) ?? []);
  const current = session === null ? undefined : models.get(session.model);
  const verdict = verdictOf(input, { current, target: planned[0], isUsable });
  const candidates =
    verdict.verdict === "stay" && current !== undefined
      ? [current, ...planned.filter(({ id }) => id !== current.id)]
      : planned;
  const [primary] = decision.candidates;
  const isBeyondBudget = primary !== undefined && models.has(primary) && !isUsable(primary);
  const [chosen] = candidates;
  const reason = reasonWith(decision, verdict, {
    beyondBudget: isBeyondBudget ? primary : undefined,
    unpriced: isBeyondBudget && chosen && tokenRates(chosen) === undefined ? chosen.id : undefined,
  });
  return { ...verdict, candidates: candidates.slice(0, maxCandidates), reason };
}

interface BudgetNotes {
  /** The plan's first model, which the budget does not allow. */
  readonly beyondBudget: string | undefined;
  /** The model in its place, where its price is not known. */
  readonly unpriced: string | undefined;
}

function reasonWith(
  { notes }: RoutingDecision,
  { verdict, why }: SessionVerdict,
  { beyondBudget, unpriced }: BudgetNotes,
): string {
  const [tier = "", ...others] = notes;
  return reasonLine([
    tier,
    ...(why === "" ? [] : [`session=${verdict}(${why})`]),
    ...(beyondBudget === undefined ? [] : [`beyond the budget=${beyondBudget}`]),
    ...(unpriced === undefined ? [] : [`price unknown=${unpriced}`]),
    ...others,
  ]);
}

/** The models that the decision names and the session's model. */
function modelsById({
  decision,
  session,
  models,
}: ModelChoiceInput): ReadonlyMap<string, ListedModel> {
  const byId = new Map(decision.models.map((model) => [model.id, model]));
  const current = session === null ? undefined : models.find(({ id }) => id === session.model);
  if (current !== undefined && !byId.has(current.id)) byId.set(current.id, current);
  return byId;
}

/** Other tiers' models for a request whose own are beyond the budget: those at or above its need first. */
function byTierDistance({ stayCandidates, tierRanks, need }: RoutingDecision): string[] {
  const needed = tierRank(need);
  const distance = (id: string): number => {
    const rank = tierRanks[id] ?? 0;
    return rank >= needed ? rank - needed : maxCandidates + needed - rank;
  };
  return stayCandidates.toSorted((a, b) => distance(a) - distance(b));
}

interface VerdictContext {
  /** The session's model, if it still exists. */
  readonly current: ListedModel | undefined;
  readonly target: ListedModel | undefined;
  readonly isUsable: (id: string) => boolean;
}

function verdictOf(
  { decision, session, now, unlimited }: ModelChoiceInput,
  { current, target, isUsable }: VerdictContext,
): SessionVerdict {
  if (decision.affinity === "fixed" || session === null || current === undefined)
    return { verdict: "new", why: "" };
  const isNamed = decision.models.some(({ id }) => id === current.id);
  if (!isNamed && decision.excluded.some(({ id }) => id === current.id))
    return { verdict: "switch", why: "model cannot serve this" };
  // The tiers were changed, or a client named the model: it finishes the tool loop that it began.
  if (!isNamed && !(decision.affinity === "held" && unlimited === true))
    return { verdict: "switch", why: "serves no tier" };
  if (isNamed && !isUsable(current.id)) return { verdict: "switch", why: "beyond the budget" };
  if (decision.affinity === "held") return { verdict: "stay", why: decision.holdReason };
  if (decision.affinity === "inherit") return { verdict: "stay", why: "compaction" };
  return stayOrSwitch({ decision, session, current, target, now });
}
