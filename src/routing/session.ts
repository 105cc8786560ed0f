/**
 * Stay or switch: a conversation keeps its model while what the provider has cached of it is worth more than
 * another model would save. Pure: the time is passed in.
 */
import type { SessionState } from "../workspace/contract/session-state.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { Decision } from "./decision.ts";
import { ratesOf, stayCost, switchCost, usualInput } from "./cost.ts";
import type { Rates } from "./cost.ts";
import { reasonLine } from "./explain.ts";
import { rankOf } from "./need.ts";
import { longestChain, rankByCapability } from "./tiers.ts";

export interface ChoiceInput {
  decision: Decision;
  /** What the conversation's last answer left behind, or null for a new one. */
  session: SessionState | null;
  /** Epoch ms. */
  now: number;
  models: readonly ListedModel[];
  /** Ids that fit the budget, of those that the decision names; all when absent. */
  affordable?: readonly string[];
  /** No limit blocks: a model that the decision does not name may be asked too. */
  unlimited?: boolean;
}

export interface Choice {
  candidates: ListedModel[];
  verdict: "new" | "stay" | "switch";
  why: string;
  /** Header line with the verdict added. */
  reason: string;
  /** USD over the expected turns; only where both prices are known and the cache is warm. */
  costs?: Costs;
}

export interface Costs {
  stay: number;
  switch: number;
  /** Expected further turns. */
  turns: number;
  /** Tokens that the provider is believed to hold. */
  prefix: number;
}

/** The order of candidates for this request. Absent or useless state gives the plan's own order. */
export function chooseModel(input: ChoiceInput): Choice {
  const { decision } = input;
  const byId = known(decision, input);
  const affordable = input.affordable === undefined ? undefined : new Set(input.affordable);
  const usable = (id: string): boolean => byId.has(id) && (affordable?.has(id) ?? true);
  const own = decision.candidates.filter(usable);
  const ids = own.length > 0 ? own : nearest(decision).filter(usable);
  const chain = ids.flatMap((id) => byId.get(id) ?? []);
  const verdict = verdictOf(input, { chain, byId, usable });
  const current =
    verdict.verdict === "stay" && input.session ? byId.get(input.session.model) : undefined;
  const candidates =
    current === undefined ? chain : [current, ...chain.filter(({ id }) => id !== current.id)];
  const [first = "", ...others] = decision.notes;
  const [primary] = decision.candidates;
  const left = primary !== undefined && byId.has(primary) && !usable(primary) ? [primary] : [];
  const notes = [
    first,
    ...(verdict.why === "" ? [] : [sessionNote(verdict)]),
    ...left.map((id) => `beyond the budget=${id}`),
    ...others,
  ];
  return { ...verdict, candidates: candidates.slice(0, longestChain), reason: reasonLine(notes) };
}

/** The models that the decision names, and the one that the conversation is on: not all that there are. */
function known(
  { found }: Decision,
  { session, models }: Pick<ChoiceInput, "session" | "models">,
): ReadonlyMap<string, ListedModel> {
  const byId = new Map(found.map((model) => [model.id, model]));
  const kept = session === null ? undefined : models.find(({ id }) => id === session.model);
  if (kept !== undefined && !byId.has(kept.id)) byId.set(kept.id, kept);
  return byId;
}

/** Other tiers' models for a request whose own are too dear: those above its need first, then those below. */
function nearest({ stayable, places, need }: Decision): string[] {
  const needed = rankOf(need);
  const distance = (id: string): number => {
    const rank = places[id] ?? 0;
    return rank >= needed ? rank - needed : longestChain + needed - rank;
  };
  return stayable.toSorted((a, b) => distance(a) - distance(b));
}

type Verdict = Pick<Choice, "verdict" | "why" | "costs">;

function sessionNote({ verdict, why }: Verdict): string {
  return `session=${verdict}(${why})`;
}

interface Field {
  chain: readonly ListedModel[];
  byId: ReadonlyMap<string, ListedModel>;
  usable: (id: string) => boolean;
}

function verdictOf(input: ChoiceInput, { chain, byId, usable }: Field): Verdict {
  const { decision, session, now } = input;
  if (decision.movement === "fixed") return { verdict: "new", why: "" };
  const current = session === null ? undefined : byId.get(session.model);
  if (session === null || current === undefined) return { verdict: "new", why: "" };
  const named = decision.found.some(({ id }) => id === current.id);
  if (!named && decision.excluded.some(({ id }) => id === current.id))
    return { verdict: "switch", why: "model cannot serve this" };
  // The tiers were changed, or somebody named it: it finishes what it began.
  if (!named && !(decision.movement === "held" && input.unlimited === true))
    return { verdict: "switch", why: "serves no tier" };
  if (named && !usable(current.id)) return { verdict: "switch", why: "beyond the budget" };
  if (decision.movement === "held") return { verdict: "stay", why: decision.held };
  if (decision.movement === "inherit") return { verdict: "stay", why: "compaction" };
  const cold = now - session.lastUsed > decision.cacheLife;
  const target = chain[0];
  if (target === undefined || target.id === current.id)
    return { verdict: "stay", why: cold ? "cold" : `warm ${thousands(believedPrefix(session))}` };
  if (decision.named && target.connection.id !== current.connection.id)
    return { verdict: "stay", why: "kept there" };
  const rank = decision.places[current.id] ?? rankByCapability(current);
  if (rank < rankOf(decision.need)) return { verdict: "switch", why: "up" };
  if (cold) return { verdict: "switch", why: "cold" };
  // Saving money is no reason to make a model forget what it thought.
  if (decision.opaque && target.connection.id !== current.connection.id)
    return { verdict: "stay", why: "its reasoning" };
  return byCost({ current, target, session, decision });
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}

/** What the provider said it had cached; after a first answer what it was sent, since that was just written. */
export function believedPrefix(session: SessionState): number {
  if (session.turns <= 1) return Math.max(session.cachedTokens, session.inputTokens);
  return session.cachedTokens;
}

/** Further asks that a conversation is expected to have. */
const expectedAsks = 3.3;
/** Chance that the work soon needs the dearer model again, which then has to read everything anew. */
const returnRisk = 0.3;

/** Expected further requests: a few asks, each with as many requests as the asks had so far. */
export function expectedTurns(pace: number): number {
  return Math.min(40, Math.max(3, Math.round(expectedAsks * pace)));
}

interface Sides {
  current: ListedModel;
  target: ListedModel;
  session: SessionState;
  decision: Decision;
}

function byCost({ current, target, session, decision }: Sides): Verdict {
  const a = ratesOf(current);
  const b = ratesOf(target);
  if (a === undefined || b === undefined) return { verdict: "stay", why: "price unknown" };
  const costs = costsOf({ a, b, session, decision });
  const label = `${thousands(costs.prefix)} warm, stay $${money(costs.stay)} vs $${money(costs.switch)}`;
  return { verdict: costs.switch < costs.stay ? "switch" : "stay", why: label, costs };
}

function money(usd: number): string {
  return usd === 0 ? "0" : usd.toPrecision(2);
}

interface CostInput {
  /** Rates of the model that the conversation is on, and of the other one. */
  a: Rates;
  b: Rates;
  session: SessionState;
  decision: Pick<Decision, "inputTokens" | "pace">;
}

/** Both sides over the expected requests; the way back is part of the price of leaving. */
export function costsOf({ a, b, session, decision }: CostInput): Costs {
  const { inputTokens, pace } = decision;
  const prefix = Math.min(believedPrefix(session), Math.max(inputTokens, session.inputTokens));
  const turns = expectedTurns(pace);
  const span = { prefix, fresh: Math.max(inputTokens - prefix, usualInput), turns };
  const back = returnRisk * Math.max(0, prefix * (a.write - a.read));
  return { stay: stayCost(a, span), switch: switchCost(b, span) + back, turns, prefix };
}
