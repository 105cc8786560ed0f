/**
 * What tokens cost. Money is counted in whole picodollars (1e-12 USD), because a price with six decimals a
 * million tokens is a whole number of them a token: ten times a tenth is exactly one, and a budget of ten
 * calls admits ten.
 */
import type { Prices } from "../../../core/model.ts";
import type { ToolUses, Usage, UsageStep } from "../../../core/usage.ts";
import { feesOf } from "./fees.ts";
import { mediaPico, type MediaBasis } from "./media-cost.ts";
import type { BookedUsage } from "../../contract/request-record.ts";

const picoPerDollar = 1e12;
/** No model reads or writes as much in one call; a larger report is a provider's mistake. */
const mostTokens = 50_000_000;

/** Whole picodollars. */
export function toPico(dollars: number): number {
  return Math.round(dollars * picoPerDollar);
}

/** USD. */
export function toDollars(pico: number): number {
  return pico / picoPerDollar;
}

/** Prices with everything that is needed to charge a call, in picodollars a token. */
export interface BookingRates {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h: number;
}

/** What a call's cost depends on besides its tokens: as it was served, or as it asks to be. */
export interface BillingTerms {
  readonly serviceTier?: string;
  readonly region?: string;
  readonly toolUses?: ToolUses;
  readonly searchContext?: string;
}

/** The rates for a request with so many input tokens, or undefined when the price is unknown. */
export function ratesFor(
  prices: Prices | undefined,
  inputTokens: number,
  factor = 1,
): BookingRates | undefined {
  if (prices === undefined) return undefined;
  const base = inStep(prices, inputTokens);
  if (base.input === undefined || base.output === undefined) return undefined;
  const cacheWrite = base.cacheWrite ?? base.input;
  const cacheWrite1h =
    base.cacheWrite1h ?? (base.cacheWrite === undefined ? base.input : base.cacheWrite * 1.6);
  return {
    input: perToken(base.input * factor),
    output: perToken(base.output * factor),
    cacheRead: perToken((base.cacheRead ?? base.input) * factor),
    cacheWrite: perToken(cacheWrite * factor),
    cacheWrite1h: perToken(cacheWrite1h * factor),
  };
}

/** The factor of the service tier and the region on token prices; 1 for what is not listed. */
export function termsFactor(
  prices: Prices | undefined,
  { serviceTier, region }: Pick<BillingTerms, "serviceTier" | "region">,
): number {
  return listedFactor(prices?.serviceTiers, serviceTier) * listedFactor(prices?.regions, region);
}

function listedFactor(factors: Prices["serviceTiers"], name: string | undefined): number {
  if (factors === undefined || name === undefined) return 1;
  return (Object.hasOwn(factors, name) ? factors[name] : undefined) ?? 1;
}

/** A provider may serve in another tier than it was asked for, and never above the dearer of it and the usual one. */
export function dearestFactor(
  prices: Prices | undefined,
  { serviceTier, region }: Pick<BillingTerms, "serviceTier" | "region">,
): number {
  const tier = Math.max(1, listedFactor(prices?.serviceTiers, serviceTier));
  return tier * Math.max(1, listedFactor(prices?.regions, region));
}

/** USD a million tokens is 1e6 picodollars a token. */
function perToken(price: number): number {
  return Math.round(price * 1e6);
}

function inStep(prices: Prices, inputTokens: number): Omit<Prices, "tiers"> {
  const found = prices.tiers && stepOf(prices.tiers, inputTokens);
  if (found === undefined) return prices;
  // A step that prices writes prices those for an hour too, by the usual ratio where it does not say.
  const { cacheWrite1h, ...base } = prices;
  const keeps = found.cacheWrite === undefined && cacheWrite1h !== undefined;
  return { ...base, ...(keeps && { cacheWrite1h }), ...found };
}

type PriceSteps = NonNullable<Prices["tiers"]>;

/** The highest step that so many tokens reach. */
function stepOf(steps: PriceSteps, inputTokens: number): PriceSteps[number] | undefined {
  let found: PriceSteps[number] | undefined;
  for (const step of steps) {
    if (inputTokens >= step.from && step.from > (found?.from ?? -1)) found = step;
  }
  return found;
}

/** Cost of an attempt in USD, or null when the price is unknown. All of it is charged in the step of its input. */
export function costOf(
  usage: BookedUsage,
  prices: Prices | undefined,
  terms: BillingTerms & Pick<Usage, "media"> = {},
): number | null {
  const pico = picoOf(usage, prices, terms);
  return pico === null ? null : toDollars(pico + feesOf(prices, terms));
}

/**
 * Cost in USD of an attempt whose answer took several calls: each is charged in its own step, at the prices of
 * the model that ran. Null when one of them is unknown.
 */
export function costOfSteps(
  steps: readonly UsageStep[],
  pricesOf: (model: string | undefined) => Prices | undefined,
  terms: BillingTerms = {},
): number | null {
  let total = feesOf(pricesOf(undefined), terms);
  for (const step of steps) {
    const pico = picoOf(bookedUsage(step, nothing), pricesOf(step.model), { ...terms, ...step });
    if (pico === null) return null;
    total += pico;
  }
  return toDollars(total);
}

function picoOf(
  usage: BookedUsage,
  prices: Prices | undefined,
  terms: BillingTerms & Pick<Usage, "media">,
): number | null {
  const factor = termsFactor(prices, terms);
  const rates = ratesFor(prices, usage.input_tokens, factor);
  if (rates === undefined) return null;
  const hourly = Math.min(usage.cache_write_1h_tokens ?? 0, usage.cache_write_tokens);
  const plain = usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens;
  const text =
    plain * rates.input +
    usage.cached_tokens * rates.cacheRead +
    (usage.cache_write_tokens - hourly) * rates.cacheWrite +
    hourly * rates.cacheWrite1h +
    usage.output_tokens * rates.output;
  const { media } = terms;
  if (media === undefined || prices?.media === undefined) return text;
  const basis: MediaBasis = { usage, plain, rates, prices: prices.media, factor };
  return text + mediaPico(media, basis);
}

/** Tokens to assume where the provider said nothing or nonsense. */
export interface TokenGuess {
  input: number;
  output: number;
}

/** A step that says nothing had nothing. */
const nothing: TokenGuess = { input: 0, output: 0 };

/**
 * What the provider reported, made consistent: whole, not negative, not absurd, parts not larger than
 * their whole. Whatever had to be guessed or bent marks the usage as estimated.
 */
export function bookedUsage(reported: Usage | undefined, guess: TokenGuess): BookedUsage {
  const quality = { estimated: false };
  const input = whole(reported?.input, guess.input, quality);
  const output = whole(reported?.output, guess.output, quality);
  const cached = part(reported?.cacheRead, input, quality);
  const written = part(reported?.cacheWrite, input - cached, quality);
  const hourly = part(reported?.cacheWrite1h, written, quality);
  const reasoning = part(reported?.reasoning, output, quality);
  return {
    input_tokens: input,
    cached_tokens: cached,
    cache_write_tokens: written,
    ...(hourly > 0 ? { cache_write_1h_tokens: hourly } : {}),
    output_tokens: output,
    reasoning_tokens: reasoning,
    estimated: quality.estimated,
  };
}

/**
 * What a failed call is booked at: what its provider reported before, and nothing more, unless it may bill more than
 * that; then at least the tokens that were expected of its answer.
 */
export function usedByFailure(
  { reported = {}, unreported }: FailedUse,
  guess: TokenGuess,
): { usage: Usage; guess: TokenGuess } {
  const { output, ...others } = reported;
  if (unreported === true) {
    const most = Math.max(output ?? 0, guess.output);
    return { usage: others, guess: { input: guess.input, output: most } };
  }
  // Who tells only of tools or money used no tokens.
  const counted = reported.input !== undefined || output !== undefined;
  return { usage: { ...(!counted && { input: 0 }), ...others, output: output ?? 0 }, guess };
}

/** Of a failed attempt. */
interface FailedUse {
  readonly reported?: Usage | undefined;
  /** Its provider may bill more than it reported. */
  readonly unreported?: true | undefined;
}

/** The sum of two, in USD, without errors of rounding. */
export function addMoney(one: number, other: number): number {
  return toDollars(toPico(one) + toPico(other));
}

/** What two calls used together. */
export function sumOfBooked(one: BookedUsage, other: BookedUsage): BookedUsage {
  const hourly = (one.cache_write_1h_tokens ?? 0) + (other.cache_write_1h_tokens ?? 0);
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    cached_tokens: one.cached_tokens + other.cached_tokens,
    cache_write_tokens: one.cache_write_tokens + other.cache_write_tokens,
    ...(hourly > 0 && { cache_write_1h_tokens: hourly }),
    output_tokens: one.output_tokens + other.output_tokens,
    reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
    estimated: one.estimated || other.estimated,
  };
}

/** Whether it can be what one call read or wrote. */
export function isTokenCount(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= mostTokens;
}

function whole(value: number | undefined, guess: number, quality: { estimated: boolean }): number {
  if (isTokenCount(value)) return value;
  quality.estimated = true;
  return Math.min(mostTokens, Math.max(0, Math.round(Number.isFinite(guess) ? guess : 0)));
}

/** A part that the provider left out counts as 0 and is not guessed. */
function part(value: number | undefined, most: number, quality: { estimated: boolean }): number {
  if (value === undefined) return 0;
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  quality.estimated = true;
  if (!Number.isFinite(value)) return 0;
  return Math.min(most, Math.max(0, Math.round(value)));
}
