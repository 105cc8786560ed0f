/**
 * Stay or switch: a conversation keeps its model while what the provider has cached of it is worth more than
 * another model would save. Pure: the time is passed in.
 */
import type { Prices } from "../core/model.ts";
import type { SessionState } from "../meter/contract.ts";
import type { ListedModel } from "../providers/contract.ts";
import type { Decision } from "./decision.ts";
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
  /** Ids that fit the budget; all when absent. */
  affordable?: readonly string[];
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

/** How long a provider keeps a prefix after its last use. Most promise five minutes. */
export const cacheLife = 5 * 60_000;
/** New input and output tokens of an ordinary turn, where nothing better is known. */
const usualInput = 1500;
const usualOutput = 600;

/** The order of candidates for this request. Absent or useless state gives the plan's own order. */
export function chooseModel(input: ChoiceInput): Choice {
  const { decision, models } = input;
  const byId = new Map(models.map((model) => [model.id, model]));
  const affordable = input.affordable === undefined ? undefined : new Set(input.affordable);
  const usable = (id: string): boolean => byId.has(id) && (affordable?.has(id) ?? true);
  const chain = decision.candidates.filter(usable).flatMap((id) => byId.get(id) ?? []);
  const verdict = verdictOf(input, { chain, byId, usable });
  const current =
    verdict.verdict === "stay" && input.session ? byId.get(input.session.model) : undefined;
  const candidates =
    current === undefined ? chain : [current, ...chain.filter(({ id }) => id !== current.id)];
  const notes =
    verdict.why === ""
      ? decision.notes
      : [decision.notes[0] ?? "", sessionNote(verdict), ...decision.notes.slice(1)];
  return { ...verdict, candidates: candidates.slice(0, longestChain), reason: reasonLine(notes) };
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
  if (decision.excluded.some(({ id }) => id === current.id))
    return { verdict: "switch", why: "model cannot serve this" };
  if (!usable(current.id)) return { verdict: "switch", why: "beyond the budget" };
  if (decision.movement === "held") return { verdict: "stay", why: "tool loop" };
  if (decision.movement === "inherit") return { verdict: "stay", why: "compaction" };
  const target = chain[0];
  if (target === undefined || target.id === current.id)
    return { verdict: "stay", why: warmth(session, now) };
  const rank = decision.places[current.id] ?? rankByCapability(current);
  if (rank < rankOf(decision.need)) return { verdict: "switch", why: "up" };
  if (now - session.lastUsed > cacheLife) return { verdict: "switch", why: "cold" };
  return byCost({ current, target, session, decision });
}

function warmth(session: SessionState, now: number): string {
  return now - session.lastUsed > cacheLife ? "cold" : `warm ${thousands(believedPrefix(session))}`;
}

function thousands(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${Math.round(tokens / 1000)}k`;
}

/** What the provider said it had cached; after a first answer what it was sent, since that was just written. */
export function believedPrefix(session: SessionState): number {
  if (session.turns <= 1) return Math.max(session.cachedTokens, session.inputTokens);
  return session.cachedTokens;
}

/** Expected further turns: three for a new conversation, more the longer it has lasted. */
export function expectedTurns(turns: number): number {
  return Math.min(12, 3 + Math.floor(turns / 4));
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
  const costs = costsOf({ a, b, session, inputTokens: decision.inputTokens });
  const label = `${thousands(costs.prefix)} warm, stay $${money(costs.stay)} vs $${money(costs.switch)}`;
  return { verdict: costs.switch < costs.stay ? "switch" : "stay", why: label, costs };
}

function money(usd: number): string {
  return usd === 0 ? "0" : usd.toPrecision(2);
}

/** USD per token. */
export interface Rates {
  input: number;
  output: number;
  read: number;
  write: number;
}

/** Rates of a model; undefined when its price is unknown. A provider without a price for reading has no cache to lose. */
export function ratesOf({
  info,
  connection,
}: Pick<ListedModel, "info" | "connection">): Rates | undefined {
  if (connection.subscription) return { input: 0, output: 0, read: 0, write: 0 };
  const prices: Prices | undefined = info.prices;
  if (prices?.input === undefined || prices.output === undefined) return undefined;
  const unit = 1e-6;
  return {
    input: prices.input * unit,
    output: prices.output * unit,
    read: (prices.cacheRead ?? prices.input) * unit,
    write: (prices.cacheWrite ?? prices.input) * unit,
  };
}

/**
 * Cost of the expected turns on either model. Staying reads the warm prefix on every turn; switching writes it
 * once and reads it from then on. Both take the new tokens of each turn at their own rates.
 */
export function costsOf({
  a,
  b,
  session,
  inputTokens,
}: {
  a: Rates;
  b: Rates;
  session: SessionState;
  inputTokens: number;
}): Costs {
  const prefix = Math.min(believedPrefix(session), Math.max(inputTokens, session.inputTokens));
  const turns = expectedTurns(session.turns);
  const fresh = Math.min(Math.max(inputTokens - prefix, usualInput), 50_000);
  let stay = 0;
  let change = 0;
  for (let turn = 0; turn < turns; turn++) {
    const held = prefix + (turn === 0 ? 0 : fresh + (turn - 1) * (usualInput + usualOutput));
    const added = turn === 0 ? fresh : usualInput + usualOutput;
    stay += held * a.read + added * a.write + usualOutput * a.output;
    change +=
      (turn === 0 ? held * b.write : held * b.read) + added * b.write + usualOutput * b.output;
  }
  return { stay, switch: change, turns, prefix };
}
