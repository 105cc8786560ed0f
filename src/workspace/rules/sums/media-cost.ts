/** The cost of images and audio, whose tokens have their own prices, or which are billed by the hour. */
import type { Prices } from "../../../core/model.ts";
import type { MediaTokens, Usage } from "../../../core/usage.ts";
import type { BookedUsage } from "../../contract/request-record.ts";
import { type BillingTerms, costOf, isTokenCount, tierFactor, toDollars, toPico } from "./cost.ts";

export interface MediaBill {
  readonly usage: BookedUsage;
  readonly prices: Prices | undefined;
  readonly terms: BillingTerms;
}

const secondsOfHour = 3600;
/** A longer report is a provider's mistake. */
const mostSeconds = 1_000_000;

/** Cost in USD, or null when a price is unknown. */
export function costWithMedia(reported: Usage, { usage, prices, terms }: MediaBill): number | null {
  const { audioSeconds, media } = reported;
  if (audioSeconds !== undefined) return costOfAudio(audioSeconds, prices);
  const plain = costOf(usage, prices, terms);
  if (plain === null || media === undefined) return plain;
  const factor = tierFactor(prices, terms.serviceTier);
  const extra = extraPico(media, usage, prices);
  return toDollars(toPico(plain) + Math.round(extra * factor));
}

function costOfAudio(seconds: number, prices: Prices | undefined): number | null {
  const hour = prices?.audioHour;
  if (hour !== undefined && seconds >= 0 && seconds <= mostSeconds)
    return toDollars(toPico((seconds / secondsOfHour) * hour));
  const free = prices?.input === 0 && prices.output === 0;
  return free ? 0 : null;
}

/** The cost of the parts beyond what they were charged as text, in picodollars. */
function extraPico(media: MediaTokens, usage: BookedUsage, prices: Prices = {}): number {
  const extra = (price: number | undefined, base: number | undefined, tokens: number): number =>
    price === undefined || base === undefined || !isTokenCount(tokens)
      ? 0
      : (price - base) * 1e6 * tokens;
  const { media: own = {}, input, output } = prices;
  const most = { input: usage.input_tokens - usage.cached_tokens, output: usage.output_tokens };
  return (
    extra(own.inputImage, input, Math.min(media.inputImage, most.input)) +
    extra(own.inputAudio, input, Math.min(media.inputAudio, most.input)) +
    extra(own.outputImage, output, Math.min(media.outputImage, most.output)) +
    extra(own.outputAudio, output, Math.min(media.outputAudio, most.output))
  );
}
