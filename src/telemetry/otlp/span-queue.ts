/** Spans that wait to be sent: bounded by their number and by their size, so that a collector that hangs costs no memory. */
import type { AttributeValue, Span } from "../trace/span.ts";

/** Characters that spans may hold while they wait, and those of one export, about. */
const mostWaiting = 8 * 1024 * 1024;
const mostSent = 1024 * 1024;
/** Spans of one export. */
export const batchSize = 512;

interface Waiting {
  readonly span: Span;
  readonly size: number;
}

export class SpanQueue {
  readonly #most: number;
  #waiting: Waiting[] = [];
  #size = 0;

  /** `most`: spans that may wait. */
  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Takes the spans of a request, all or none: half a tree misleads. Whether it took them. */
  add(spans: readonly Span[]): boolean {
    const sized = spans.map((span) => ({ span, size: sizeOf(span) }));
    const size = sized.reduce((sum, each) => sum + each.size, 0);
    const fits = this.#waiting.length + spans.length <= this.#most;
    if (!fits || this.#size + size > mostWaiting) return false;
    this.#waiting.push(...sized);
    this.#size += size;
    return true;
  }

  /** The oldest spans, as many as one export holds. */
  take(): Span[] {
    let size = 0;
    let count = 0;
    for (const each of this.#waiting) {
      size += each.size;
      if (count > 0 && (count === batchSize || size > mostSent)) break;
      count += 1;
    }
    const taken = this.#waiting.splice(0, count);
    this.#size -= taken.reduce((sum, each) => sum + each.size, 0);
    return taken.map(({ span }) => span);
  }
}

/** Of a span's fixed members, and of one attribute beside its texts. */
const spanSize = 200;
const attributeSize = 40;

function sizeOf({ attributes, name, state = "" }: Span): number {
  const texts = attributes.reduce((sum, [, value]) => sum + attributeSize + lengthOf(value), 0);
  return spanSize + name.length + state.length + texts;
}

function lengthOf(value: AttributeValue | undefined): number {
  return typeof value === "string" ? value.length : 0;
}
