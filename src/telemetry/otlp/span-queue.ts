/** Spans that wait to be sent: bounded by their number and by their size, so that a collector that hangs costs no memory. */
import type { Span } from "../trace/span.ts";

/** Characters that spans may hold while they wait, and those of one export, about. */
const mostWaiting = 8 * 1024 * 1024;
const mostSent = 1024 * 1024;
/** Of a span without texts: its attributes are names and numbers, which are short. */
const spanSize = 2000;
/** Spans of one export. */
export const batchSize = 256;

interface Waiting {
  readonly span: Span;
  readonly size: number;
}

export class SpanQueue {
  readonly #most: number;
  #waiting: Waiting[] = [];
  /** What was taken and is not settled. */
  #taken: Waiting[] = [];
  #size = 0;

  /** `most`: spans that may wait. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Spans that were taken and are not settled. */
  get taken(): number {
    return this.#taken.length;
  }

  /** Takes the spans of a request, all or none: half a tree misleads. Whether it took them. `texts`: their characters. */
  add(spans: readonly Span[], texts: number): boolean {
    const size = spanSize + texts / spans.length;
    const held = this.#waiting.length + this.#taken.length;
    const fits = held + spans.length <= this.#most;
    if (!fits || this.#size + size * spans.length > mostWaiting) return false;
    for (const span of spans) this.#waiting.push({ span, size });
    this.#size += size * spans.length;
    return true;
  }

  /** The oldest spans, as many as one export holds. They keep their place until they are settled or put back. */
  take(): Span[] {
    let size = 0;
    let count = 0;
    for (const each of this.#waiting) {
      size += each.size;
      if (count > 0 && (count === batchSize || size > mostSent)) break;
      count += 1;
    }
    this.#taken = this.#waiting.splice(0, count);
    return this.#taken.map(({ span }) => span);
  }

  /** The spans that were taken are sent, or lost. */
  settle(): void {
    this.#size -= this.#taken.reduce((sum, each) => sum + each.size, 0);
    this.#taken = [];
  }

  /** The spans that were taken are the first of the next export. */
  putBack(): void {
    this.#waiting = this.#taken.concat(this.#waiting);
    this.#taken = [];
  }
}
