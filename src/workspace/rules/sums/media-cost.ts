/** What tokens of images and sound cost beyond the same number of tokens of text. */
import { type MediaKind, mediaKinds, type MediaTokens } from "../../../core/usage.ts";
import type { BookedUsage } from "../../contract/request-record.ts";

/** The text prices that the tokens were charged at. */
export interface MediaBasis {
  readonly usage: BookedUsage;
  /** Input tokens that came from no cache and went to none. */
  readonly plain: number;
  /** Picodollars a token. */
  readonly rates: Readonly<Record<"input" | "output" | "cacheRead", number>>;
  /** USD per million tokens. */
  readonly prices: MediaTokens;
  /** On all token prices. */
  readonly factor: number;
}

const partOf = {
  inputImage: "input",
  inputAudio: "input",
  cachedImage: "cacheRead",
  cachedAudio: "cacheRead",
  outputImage: "output",
  outputAudio: "output",
} as const satisfies Record<MediaKind, keyof MediaBasis["rates"]>;

/** In picodollars; below 0 where they are cheaper. No more tokens count than their part of the usage has. */
export function mediaPico(media: MediaTokens, basis: MediaBasis): number {
  const { usage, plain, rates, prices, factor } = basis;
  const left = { input: plain, cacheRead: usage.cached_tokens, output: usage.output_tokens };
  let pico = 0;
  for (const kind of mediaKinds) {
    const [price, tokens = 0] = [prices[kind], media[kind]];
    const part = partOf[kind];
    const counted = Math.min(left[part], Number.isInteger(tokens) ? Math.max(0, tokens) : 0);
    left[part] -= counted;
    if (price !== undefined) pico += counted * (Math.round(price * factor * 1e6) - rates[part]);
  }
  return pico;
}
