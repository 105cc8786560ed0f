/**
 * Hard limits: what a request would cost at most, whether that still fits, and what is set aside for it
 * until its real cost is known.
 */
import { problemCodes } from "../../core/problem.ts";
import type { LimitEntry } from "../../store/config.ts";
import type { BudgetRefusal } from "../../policy/refusal.ts";
import type { CandidateEstimate, MostTokens } from "../contract/admission.ts";
import { dearestFactor, ratesFor, toDollars, toPico } from "./sums/cost.ts";
import { feesOf, mostFeesOf } from "./sums/fees.ts";
import { nodeOf } from "./nodes.ts";
import type { Amount } from "./sums/spend.ts";

/** A client that asks for no more than this is believed to mean it; from one that asks for more, as much is expected. */
const believedAsk = 4096;
/** What is expected where the client does not say. */
const leastGuess = 1000;

/** How many tokens the answers are expected to have at most, and whether the client's own limit says so. */
export function expectedOutput(
  candidate: Pick<CandidateEstimate, "asked" | "modelMax" | "answers">,
  usual: number | undefined,
): { tokens: number; bound: boolean } {
  const { asked, modelMax, answers = 1 } = candidate;
  const most = Math.min(asked ?? Infinity, modelMax ?? Infinity);
  if (isBelieved(candidate)) return { tokens: most, bound: true };
  const guess = Math.max(asked === undefined ? leastGuess : believedAsk, usual ?? 0);
  return { tokens: Math.min(most, guess * answers), bound: false };
}

/** Whether the client's own limit is taken for what it expects. */
function isBelieved({ asked, answers = 1 }: Pick<CandidateEstimate, "asked" | "answers">): boolean {
  return asked !== undefined && asked <= believedAsk * answers;
}

/** One limit with the state it is judged by, in the limit's own unit (picodollars, tokens, requests). */
export interface LimitState {
  entry: LimitEntry;
  /** Name of the node whose limit it is. */
  name: string;
  /** The period that runs, epoch ms. */
  start: number;
  end: number;
  spent: number;
  reserved: number;
}

interface Estimate {
  whole: Amount;
  /** Tokens of the answer in it. */
  output: number;
  /** Input tokens in it that the provider adds itself. */
  added: number;
  /** Without the answer and what the provider adds. */
  input: Amount;
  /** The client's own limits hold for `whole`. */
  bound: boolean;
  /** What it may use at most, and the output tokens in it, where that is asked for. */
  most?: Amount;
  outputMost?: number;
  /** Some of it has a price. */
  priced: boolean;
  /** The model whose price is not known; missing: all are. */
  unpriced?: string;
}

/** What the candidate would cost at most, and what its input alone costs. */
function estimate(candidate: CandidateEstimate, usual: number | undefined): Estimate {
  const output = expectedOutput(candidate, usual);
  const input = Number.isFinite(candidate.input) ? Math.max(0, candidate.input) : 0;
  const { prices, addedInput: added = 0, beside = [] } = candidate;
  const rates = dearestRates(candidate, input + added);
  const inputCost = input * (rates?.input ?? 0) + feesOf(prices, candidate);
  const outputCost = output.tokens * (rates?.output ?? 0);
  const aside = besideUse(candidate);
  const unpriced = rates === undefined ? candidate.id : aside.unpriced;
  return {
    ...(candidate.most !== undefined && {
      most: mostOf(candidate, candidate.most),
      outputMost: candidate.most.output,
    }),
    output: output.tokens,
    added,
    whole: {
      cost: inputCost + added * (rates?.input ?? 0) + outputCost + aside.cost,
      tokens: input + added + output.tokens + aside.tokens,
      requests: 1,
    },
    input: { cost: inputCost, tokens: input, requests: 1 },
    bound: output.bound && added === 0 && beside.length === 0,
    priced: rates !== undefined || beside.length > 0,
    ...(unpriced !== undefined && { unpriced }),
  };
}

/** The upper bound: every token that it may use, at the highest price that it may have, and the dearest fees. */
function mostOf(candidate: CandidateEstimate, most: MostTokens): Amount {
  const read = most.input + (most.added ?? candidate.addedInput ?? 0);
  const rates = dearestRates(candidate, read);
  const aside = besideUse(candidate, most.output);
  return {
    cost:
      read * (rates?.mostInput ?? 0) +
      most.output * (rates?.output ?? 0) +
      mostFeesOf(candidate.prices, candidate) +
      aside.cost,
    tokens: read + most.output + aside.tokens,
    requests: 1,
  };
}

/** Picodollars a token. */
interface DearestRates {
  input: number;
  /** If all of it is written to the cache for as long as that can be. */
  mostInput: number;
  output: number;
}

/** What is written to the provider's cache is dearer than what is only read, and so may be what is no text. */
function dearestRates(
  { prices, media = [], ...terms }: Omit<CandidateEstimate, "id" | "input">,
  inputTokens: number,
): DearestRates | undefined {
  const factor = dearestFactor(prices, terms);
  const rates = ratesFor(prices, inputTokens, factor);
  if (rates === undefined) return undefined;
  let input = Math.max(rates.input, rates.cacheWrite);
  let { output } = rates;
  for (const kind of media) {
    const rate = Math.round((prices?.media?.[kind] ?? 0) * factor * 1e6);
    if (kind === "outputImage" || kind === "outputAudio") output = Math.max(output, rate);
    else input = Math.max(input, rate);
  }
  return { input, mostInput: Math.max(input, rates.cacheWrite1h), output };
}

/**
 * What the gateway's own calls for the answer would use. Further turns of the model itself are charged as the answer
 * is; with `longest`, the longest answer, they are bounded like it.
 */
function besideUse(
  candidate: CandidateEstimate,
  longest?: number,
): { cost: number; tokens: number; unpriced: string | undefined } {
  const { beside = [], toolUses: _, ...own } = candidate;
  let [cost, tokens] = [0, 0];
  let unpriced: string | undefined;
  for (const call of beside) {
    const isOwn = call.id === own.id;
    const { times, input } = call;
    const output = isOwn ? Math.max(call.output, longest ?? 0) : call.output;
    const terms = isOwn ? { ...own, ...call } : call;
    const rates = dearestRates(terms, input);
    if (rates === undefined) unpriced ??= call.id;
    const one = input * ((longest === undefined ? rates?.input : rates?.mostInput) ?? 0);
    const fees = (longest === undefined ? feesOf : mostFeesOf)(call.prices, terms);
    cost += times * (one + output * (rates?.output ?? 0) + fees);
    tokens += times * (input + output);
  }
  return { cost, tokens, unpriced };
}

/** The limit's maximum in its own unit. */
export function maximumOf(limit: LimitEntry): number {
  return limit.metric === "cost" ? toPico(limit.max) : limit.max;
}

/** Whether the limit lets nothing pass whose price is not known. */
export function isStrict({ metric, action, strict }: LimitEntry): boolean {
  return metric === "cost" && action === "block" && Boolean(strict);
}

/**
 * Whether the candidate fits under the limit. A small budget stays usable: while nothing is set aside and
 * the input alone fits, a request whose length is only guessed is let through. Where the client
 * bound the answer itself the estimate is believed, and such a budget is never overrun.
 */
function fits(state: LimitState, estimated: Estimate): boolean {
  const { metric, strict } = state.entry;
  const most = maximumOf(state.entry);
  // What has no price costs nothing here, unless the limit wants to know.
  if (metric === "cost" && estimated.unpriced !== undefined) {
    if (isStrict(state.entry)) return false;
    if (!estimated.priced) return true;
  }
  // What is free adds nothing, not even to a budget that is used up.
  if (metric === "cost" && (estimated.most ?? estimated.whole).cost === 0) return true;
  if (strict === "bound" && estimated.most !== undefined)
    return state.spent + state.reserved + estimated.most[metric] <= most;
  if (state.spent + state.reserved + estimated.whole[metric] <= most) return true;
  if (metric === "requests" || estimated.bound || state.reserved > 0) return false;
  return state.spent + estimated.input[metric] < most;
}

/** What one candidate is expected to use at most. */
export interface Expected extends Amount {
  /** Tokens of its answer. */
  output: number;
  /** Input tokens that its provider adds. */
  added: number;
}

/** What the budget allows: the candidates that fit, and what to set aside; or the limit that blocks (M200). */
export type Judgement =
  | {
      ok: true;
      affordable: string[];
      reserve: Amount;
      setAside: Record<string, Expected>;
      /** Upper bounds of the affordable, where a limit holds such. */
      most: Record<string, Amount> | undefined;
    }
  | { ok: false; refusal: BudgetRefusal };

/** What the budget needs to decide. */
export interface BudgetQuestion {
  candidates: readonly CandidateEstimate[];
  flexible: boolean;
  /** The blocking limits of every node on the request's path. */
  limits: readonly LimitState[];
  /** 95th percentile of the candidate's last answers for this harness. */
  usual: (model: string) => number | undefined;
  /** The model that the conversation is on. */
  current?: string | undefined;
}

/** Which candidates fit, and what to set aside: the most expensive one's cost, because any of them may answer. */
export function judge(question: BudgetQuestion): Judgement {
  const { candidates, limits } = question;
  const holdsBounds = limits.some(({ entry }) => entry.strict === "bound");
  const reserve: Amount = { cost: 0, tokens: 0, requests: 1 };
  const affordable: string[] = [];
  const bounds: Record<string, Amount> | undefined = holdsBounds ? {} : undefined;
  const setAside: Record<string, Expected> = {};
  let refusal: BudgetRefusal | undefined;
  for (const candidate of candidates) {
    const estimated = estimate(
      candidate,
      isBelieved(candidate) ? undefined : question.usual(candidate.id),
    );
    if (isSubstitute(candidate, estimated, question.current) && isOverCost(refusal)) continue;
    const blocking = limits.find((state) => !fits(state, estimated));
    if (blocking === undefined) {
      const { whole, most, output, added } = estimated;
      affordable.push(candidate.id);
      setAside[candidate.id] = { ...whole, output, added };
      const held = holdsBounds && most !== undefined ? most : whole;
      if (bounds !== undefined) bounds[candidate.id] = held;
      reserve.cost = Math.max(reserve.cost, held.cost);
      reserve.tokens = Math.max(reserve.tokens, held.tokens);
      continue;
    }
    const reason = blockOf(blocking, estimated);
    // A block for want of money says more than one for want of a price.
    if (refusal === undefined || refusal.unpriced !== undefined) refusal = reason;
    if (candidate === candidates[0] && !question.flexible) return { ok: false, refusal: reason };
  }
  if (affordable.length === 0 && refusal !== undefined) return { ok: false, refusal };
  return { ok: true, affordable, reserve, setAside, most: bounds };
}

/** A model without a price that nobody named takes nobody's place because the others are over budget. */
function isSubstitute(
  { id, unnamed }: CandidateEstimate,
  { unpriced }: Estimate,
  current: string | undefined,
): boolean {
  return unnamed === true && unpriced === id && id !== current;
}

function isOverCost(refusal: BudgetRefusal | undefined): boolean {
  return refusal?.metric === "cost" && refusal.unpriced === undefined;
}

function blockOf(state: LimitState, estimated: Estimate): BudgetRefusal {
  const { metric, period, max } = state.entry;
  const { unpriced } = estimated;
  const noPrice = isStrict(state.entry) ? unpriced : undefined;
  const inUnit = (amount: number): number => (metric === "cost" ? toDollars(amount) : amount);
  const used = inUnit(state.spent);
  const bound = noPrice === undefined ? boundOf(state, estimated) : undefined;
  return {
    code: problemCodes.limitReached,
    metric,
    period,
    // Requests under way are certain to count; what is set aside of money and tokens is not.
    used: metric === "requests" ? state.spent + state.reserved : used,
    limit: max,
    node: nodeOf(state.name).node,
    resets_at: new Date(state.end).toISOString(),
    ...(noPrice !== undefined && { unpriced: noPrice }),
    ...(bound !== undefined && {
      bound: { ...bound, most: inUnit(bound.most), left: inUnit(bound.left) },
    }),
  };
}

/** What of an upper bound does not fit, where the limit itself is not used up. */
function boundOf({ entry, spent, reserved }: LimitState, { most, outputMost }: Estimate) {
  const left = maximumOf(entry) - spent - reserved;
  if (entry.strict !== "bound" || entry.metric === "requests" || most === undefined)
    return undefined;
  return left > 0 ? { most: most[entry.metric], left, output: outputMost ?? 0 } : undefined;
}
