/** Metrics as they are exported: what was counted since the export before. */
import type { Attributes } from "../trace/span.ts";

/** A metric's name, and what it counts. */
export interface Instrument {
  readonly name: string;
  /** In the notation of UCUM. */
  readonly unit: string;
  readonly description: string;
  /** Upper bounds of a histogram's buckets, rising; missing: a counter. */
  readonly bounds?: readonly number[];
}

/** An instrument with its points. */
export interface Metric extends Omit<Instrument, "bounds"> {
  readonly kind: "counter" | "histogram";
  readonly points: readonly Point[];
}

/** What one set of attributes came to. */
export interface Point {
  readonly attributes: Attributes;
  /** Epoch ms. */
  readonly start: number;
  readonly end: number;
  readonly value: number | Distribution;
}

/** Values by their size. */
export interface Distribution {
  readonly bounds: readonly number[];
  /** One more than bounds: the last one holds what is larger. */
  readonly buckets: readonly number[];
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}
