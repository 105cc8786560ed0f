/**
 * What tokens cost. Money is counted in whole picodollars (1e-12 USD), because a price with six decimals a
 * million tokens is a whole number of them a token: ten times a tenth is exactly one, and a budget of ten
 * calls admits ten.
 */
import type { Prices } from "../../core/model.ts";
import type { Usage, UsageStep } from "../../core/usage.ts";
import type { BookedUsage } from "../contract/request-record.ts";

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

/** The rates for a request with so many input tokens, or undefined when the price is unknown. */
export function ratesFor(
  prices: Prices | undefined,
  inputTokens: number,
): BookingRates | undefined {
  if (prices === undefined) return undefined;
  const base = inTier(prices, inputTokens);
  if (base.input === undefined || base.output === undefined) return undefined;
  const cacheWrite = base.cacheWrite ?? base.input;
  const cacheWrite1h =
    prices.cacheWrite1h ?? (base.cacheWrite === undefined ? base.input : base.cacheWrite * 1.6);
  return {
    input: perToken(base.input),
    output: perToken(base.output),
    cacheRead: perToken(base.cacheRead ?? base.input),
    cacheWrite: perToken(cacheWrite),
    cacheWrite1h: perToken(cacheWrite1h),
  };
}

/** USD a million tokens is 1e6 picodollars a token. */
function perToken(price: number): number {
  return Math.round(price * 1e6);
}

function inTier(prices: Prices, inputTokens: number): Omit<Prices, "tiers"> {
  let [found, reached] = [undefined as NonNullable<Prices["tiers"]>[number] | undefined, -1];
  for (const tier of prices.tiers ?? []) {
    if (inputTokens >= tier.from && tier.from > reached) [found, reached] = [tier, tier.from];
  }
  return found === undefined ? prices : { ...prices, ...found };
}

/** Cost of an attempt in USD, or null when the price is unknown. The whole request is charged in its tier. */
export function costOf(usage: BookedUsage, prices: Prices | undefined): number | null {
  const pico = picoOf(usage, prices);
  return pico === null ? null : toDollars(pico);
}

/**
 * Cost in USD of an attempt whose answer took several calls: each is charged in its own tier, at the prices of
 * the model that ran. Null when one of them is unknown.
 */
export function costOfSteps(
  steps: readonly UsageStep[],
  pricesOf: (model: string | undefined) => Prices | undefined,
): number | null {
  let total = 0;
  for (const step of steps) {
    const pico = picoOf(bookedUsage(step, nothing), pricesOf(step.model));
    if (pico === null) return null;
    total += pico;
  }
  return toDollars(total);
}

function picoOf(usage: BookedUsage, prices: Prices | undefined): number | null {
  const rates = ratesFor(prices, usage.input_tokens);
  if (rates === undefined) return null;
  const hourly = Math.min(usage.cache_write_1h_tokens ?? 0, usage.cache_write_tokens);
  const plain = usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens;
  return (
    plain * rates.input +
    usage.cached_tokens * rates.cacheRead +
    (usage.cache_write_tokens - hourly) * rates.cacheWrite +
    hourly * rates.cacheWrite1h +
    usage.output_tokens * rates.output
  );
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

function whole(value: number | undefined, guess: number, quality: { estimated: boolean }): number {
  if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= mostTokens)
    return value;
  quality.estimated = true;
  return Math.min(mostTokens, Math.max(0, Math.round(Number.isFinite(guess) ? guess : 0)));
}

/** A part that the provider left out is none of it, and no guess. */
function part(value: number | undefined, most: number, quality: { estimated: boolean }): number {
  if (value === undefined) return 0;
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  quality.estimated = true;
  if (!Number.isFinite(value)) return 0;
  return Math.min(most, Math.max(0, Math.round(value)));
}
