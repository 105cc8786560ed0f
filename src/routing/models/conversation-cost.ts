/** What the next requests of a conversation cost on a model, with and without its prefix in the provider's cache. */
import type { ListedModel } from "../../providers/connection/connection.ts";

/** Tokens of an ordinary request, where nothing better is known. */
export const typicalNewInput = 1500;
const typicalOutput = 600;

/** Prices in USD per token. */
export interface TokenRates {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

const freeRates: TokenRates = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const perMillion = 1e-6;

/** Rates of a model; undefined when its price is unknown. Without cache prices, cached input costs as much as new. */
export function tokenRates({
  info,
  connection,
}: Pick<ListedModel, "info" | "connection">): TokenRates | undefined {
  if (connection.subscription) return freeRates;
  const { prices } = info;
  if (prices?.input === undefined || prices.output === undefined) return undefined;
  return {
    input: prices.input * perMillion,
    output: prices.output * perMillion,
    cacheRead: (prices.cacheRead ?? prices.input) * perMillion,
    cacheWrite: (prices.cacheWrite ?? prices.input) * perMillion,
  };
}

/** The next requests of a conversation, as far as their cost goes. */
export interface ConversationOutlook {
  /** Tokens that the current model's provider has cached. */
  readonly cachedTokens: number;
  /** New input tokens of the first request; later ones are ordinary. */
  readonly newTokens: number;
  /** Expected requests. */
  readonly requests: number;
}

/** USD on the current model: every request reads the cached prefix and pays for its new tokens. */
export function stayCost(rates: TokenRates, outlook: ConversationOutlook): number {
  let usd = 0;
  let cached = outlook.cachedTokens;
  for (let request = 0; request < outlook.requests; request++) {
    const added = request === 0 ? outlook.newTokens : typicalNewInput;
    usd += cached * rates.cacheRead + added * rates.cacheWrite + typicalOutput * rates.output;
    cached += added + typicalOutput;
  }
  return usd;
}

/** USD on another model: the whole prefix is written to its cache once and read from then on. */
export function switchCost(rates: TokenRates, outlook: ConversationOutlook): number {
  return stayCost(rates, outlook) + outlook.cachedTokens * (rates.cacheWrite - rates.cacheRead);
}
