/**
 * The tokens of a request's texts, whose cost hardly grows with their length: the first are read whole, of what follows
 * the beginning of each stride, and its tokens a character stand for the rest. Strides double with the length.
 */
import { completeLength, firstStride, rangeTokens, windowLength } from "./text-tokens.ts";

/** Counts texts in the order of the request: what comes later never makes fewer of what came before. */
export class TextCounter {
  /** Characters until here. */
  #length = 0;
  /** Characters that are still read, of this stride. */
  #unread = completeLength;
  /** Of this stride: characters that were read, and their tokens. */
  #read = completeLength;
  #tokens = 0;
  /** Characters until the next stride, at so many tokens each. */
  #skipped = 0;
  #rate = 0;

  /** Estimated tokens of the next text, before rounding. */
  count(text: string): number {
    let tokens = 0;
    for (let from = 0; from < text.length;) {
      const end = Math.min(text.length, from + (this.#unread > 0 ? this.#unread : this.#skipped));
      if (this.#unread > 0) tokens += this.#readRange(text, from, end);
      else tokens += this.#skip(end - from);
      this.#length += end - from;
      from = end;
    }
    return tokens;
  }

  #readRange(text: string, from: number, end: number): number {
    const tokens = rangeTokens(text, from, end);
    this.#tokens += tokens;
    this.#unread -= end - from;
    if (this.#unread === 0) {
      const doublings = Math.max(0, Math.floor(Math.log2((this.#length + 1) / completeLength)));
      this.#rate = this.#tokens / this.#read;
      this.#skipped = (firstStride * 2 ** doublings - 1) * windowLength;
    }
    return tokens;
  }

  #skip(length: number): number {
    this.#skipped -= length;
    if (this.#skipped === 0) {
      this.#unread = windowLength;
      this.#read = windowLength;
      this.#tokens = 0;
    }
    return length * this.#rate;
  }
}
