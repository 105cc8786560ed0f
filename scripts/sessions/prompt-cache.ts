/**
 * What providers keep of prompts: for five minutes after its last use, at least 1,024 tokens, per conversation and model.
 * With marks a prefix is kept where the request marks it; an automatic cache keeps every message.
 */
import { createHash } from "node:crypto";
import type { ModelPrices } from "./model-sets.ts";

/** One piece of a prompt. */
export interface PromptBlock {
  readonly text: string;
  /** The prefix that ends here is to be kept. */
  readonly marked: boolean;
}

/** Tokens of a request, and what they cost. */
export interface BilledTokens {
  readonly uncached: number;
  readonly read: number;
  readonly written: number;
  readonly output: number;
  readonly usd: number;
}

const lifetime = 5 * 60_000;
const leastTokens = 1024;
/** How many blocks before a mark a provider looks for what it has. */
const lookBack = 20;

/** The caches of a provider. */
export class PromptCaches {
  readonly #kept = new Map<string, Map<string, number>>();

  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reads and renews what is kept of a prompt. */
  bill(
    { conversation, model, prices }: { conversation: string; model: string; prices: ModelPrices },
    blocks: readonly PromptBlock[],
    output: number,
  ): BilledTokens {
    const name = `${conversation} ${model}`;
    const kept = this.#kept.get(name) ?? new Map<string, number>();
    this.#kept.set(name, kept);
    const now = this.#now();
    const marks = blocks.flatMap(({ marked }, at) => (marked ? [at] : []));
    const ends = prefixes(blocks);
    const total = ends.at(-1)?.tokens ?? 0;
    const last = marks.at(-1);
    const writable = last === undefined ? 0 : (ends[last]?.tokens ?? 0);
    const hit = ends.findLast(
      ({ hash, tokens }, at) =>
        tokens >= leastTokens &&
        (kept.get(hash) ?? 0) > now &&
        marks.some((mark) => at <= mark && at >= mark - lookBack),
    );
    const read = hit?.tokens ?? 0;
    const written = writable >= leastTokens ? Math.max(0, writable - read) : 0;
    if (hit !== undefined) kept.set(hit.hash, now + lifetime);
    for (const mark of marks) {
      const end = ends[mark];
      if (end !== undefined && end.tokens >= leastTokens) kept.set(end.hash, now + lifetime);
    }
    const uncached = total - read - written;
    const usd =
      (uncached * prices.input +
        read * prices.cacheRead +
        written * prices.cacheWrite +
        output * prices.output) /
      1e6;
    return { uncached, read, written, output, usd };
  }
}

/** The prefix at the end of each block: a hash of all before it, and its tokens. */
function prefixes(blocks: readonly PromptBlock[]): { hash: string; tokens: number }[] {
  let hash = "";
  let length = 0;
  return blocks.map(({ text }) => {
    hash = createHash("md5").update(hash).update(text).digest("base64");
    length += text.length;
    return { hash, tokens: tokensIn(length) };
  });
}

/** Tokens of so many characters. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / 4);
}
