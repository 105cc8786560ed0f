/** What staying on the session's model costs compared with switching to the plan's first model. */
import type { ListedModel } from "../../providers/connection/connection.ts";
import type { SessionState } from "../../workspace/contract/session-state.ts";
import type { RoutingDecision } from "../contract/decision.ts";
import { tierRank, type QualityPreference } from "../contract/tier.ts";
import {
  stayCost,
  switchCost,
  tokenRates,
  typicalNewInput,
  type TokenRates,
} from "../models/conversation-cost.ts";
import { rankByCapability } from "../models/tier-candidates.ts";

/** Both sides in USD, as `POST /api/route` shows them. */
export interface StayOrSwitchCosts {
  readonly stay: number;
  readonly switch: number;
  /** Expected further requests. */
  readonly turns: number;
  /** Tokens that the current model's provider is expected to have cached. */
  readonly prefix: number;
}

/**
 * Whether a conversation stays on its model. `new`: there is no session to stay on, or it does not matter. `raise`:
 * failing work goes to a stronger model.
 */
export interface SessionVerdict {
  readonly verdict: "new" | "stay" | "switch" | "raise";
  readonly why: string;
  /** Only where costs decided. */
  readonly costs?: StayOrSwitchCosts;
}

/** A conversation with its current model, and the model that the plan would take. */
export interface StayOrSwitchInput {
  readonly decision: RoutingDecision;
  readonly session: SessionState;
  readonly current: ListedModel;
  /** Undefined when the plan has no model that the budget allows. */
  readonly target: ListedModel | undefined;
  /** Epoch ms. */
  readonly now: number;
}

/** Decides by need first, then by what the provider has cached. */
export function stayOrSwitch(input: StayOrSwitchInput): SessionVerdict {
  const { decision, session, current, target, now } = input;
  const isCold = decision.compacted || now - session.lastUsed > decision.cacheLifetimeMs;
  if (target === undefined || target.id === current.id) {
    const why = isCold ? "cold" : `warm ${thousands(expectedCachedTokens(session))}`;
    return { verdict: "stay", why };
  }
  const isOtherProvider = target.connection.id !== current.connection.id;
  if (decision.referencesItems && isOtherProvider) return { verdict: "stay", why: "kept there" };
  const rank = decision.tierRanks[current.id] ?? rankByCapability(current);
  if (rank < tierRank(decision.need)) return { verdict: "switch", why: "up" };
  // What failed here is not finished: a weaker model would not do better.
  if (decision.work.complaint !== undefined || decision.work.leftFailing)
    return { verdict: "stay", why: "still failing" };
  if (isCold) return { verdict: "switch", why: "cold" };
  // Another provider would lose the reasoning so far: no saving is worth that.
  if (decision.opaqueReasoning && isOtherProvider) return { verdict: "stay", why: "its reasoning" };
  return verdictByCost({ ...input, target });
}

function verdictByCost({
  decision,
  session,
  current,
  target,
}: StayOrSwitchInput & { target: ListedModel }): SessionVerdict {
  const currentRates = tokenRates(current);
  const targetRates = tokenRates(target);
  if (currentRates === undefined || targetRates === undefined)
    return { verdict: "stay", why: "price unknown" };
  const costs = stayOrSwitchCosts({ currentRates, targetRates, session, decision });
  const why = `${thousands(costs.prefix)} warm, stay $${usd(costs.stay)} vs $${usd(costs.switch)}`;
  return { verdict: costs.switch < costs.stay ? "switch" : "stay", why, costs };
}

/** What both costs are computed from. */
export interface StayOrSwitchCostInput {
  readonly currentRates: TokenRates;
  readonly targetRates: TokenRates;
  readonly session: SessionState;
  readonly decision: Pick<RoutingDecision, "inputTokens" | "requestsPerAsk" | "quality">;
}

/**
 * Chance that the work soon needs the current model again, which then has to cache the prefix anew. `eco` goes down as if
 * it never did: in sessions of agents that costs less.
 */
const returnProbability: Readonly<Record<QualityPreference, number>> = {
  eco: 0,
  balanced: 0.3,
  quality: 0.3,
};

/** Costs over the expected requests; a switch also pays for the chance of coming back. */
export function stayOrSwitchCosts({
  currentRates,
  targetRates,
  session,
  decision,
}: StayOrSwitchCostInput): StayOrSwitchCosts {
  const { inputTokens, requestsPerAsk, quality } = decision;
  const cachedTokens = Math.min(
    expectedCachedTokens(session),
    Math.max(inputTokens, session.inputTokens),
  );
  const requests = expectedRequests(requestsPerAsk);
  const newTokens = Math.max(inputTokens - cachedTokens, typicalNewInput);
  const outlook = { cachedTokens, newTokens, requests };
  const { cacheRead, cacheWrite } = currentRates;
  const wayBack = returnProbability[quality] * Math.max(0, cachedTokens * (cacheWrite - cacheRead));
  return {
    stay: stayCost(currentRates, outlook),
    switch: switchCost(targetRates, outlook) + wayBack,
    turns: requests,
    prefix: cachedTokens,
  };
}

/** What the provider reported as cached; after a first answer what it was sent, since that was just written. */
function expectedCachedTokens(session: SessionState): number {
  if (session.turns <= 1) return Math.max(session.cachedTokens, session.inputTokens);
  return session.cachedTokens;
}

/** Most requests that one ask is expected to take. */
const mostRequests = 40;

/** Expected further requests: those of one ask, because the next one decides anew. */
function expectedRequests(requestsPerAsk: number): number {
  return Math.min(mostRequests, Math.max(1, Math.round(requestsPerAsk)));
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}

function usd(amount: number): string {
  return amount === 0 ? "0" : amount.toPrecision(2);
}
