/** What turns cost on a model, with a warm cache or a cold one. USD and tokens. */
import type { ListedModel } from "../providers/connection/connection.ts";

/** New input and output tokens of an ordinary turn, where nothing better is known. */
export const usualInput = 1500;
export const usualOutput = 600;

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
  const { prices } = info;
  if (prices?.input === undefined || prices.output === undefined) return undefined;
  const unit = 1e-6;
  return {
    input: prices.input * unit,
    output: prices.output * unit,
    read: (prices.cacheRead ?? prices.input) * unit,
    write: (prices.cacheWrite ?? prices.input) * unit,
  };
}

/** A conversation as far as its cost goes. */
export interface Span {
  /** Tokens that the current model's provider holds. */
  prefix: number;
  /** New input tokens of the first turn. */
  fresh: number;
  turns: number;
}

/** Staying reads the warm prefix on every turn and pays only the new tokens of each. */
export function stayCost(rates: Rates, span: Span): number {
  let usd = 0;
  let held = span.prefix;
  for (let turn = 0; turn < span.turns; turn++) {
    const added = turn === 0 ? span.fresh : usualInput;
    usd += held * rates.read + added * rates.write + usualOutput * rates.output;
    held += added + usualOutput;
  }
  return usd;
}

/** Switching writes the whole prefix once on the other side and reads it from then on. */
export function switchCost(rates: Rates, span: Span): number {
  return stayCost(rates, span) + span.prefix * (rates.write - rates.read);
}
