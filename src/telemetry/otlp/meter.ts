/** Adds up metrics between two exports: what was taken is forgotten, so that memory does not grow with time. */
import type { Attributes } from "../trace/span.ts";
import type { Distribution, Instrument, Metric, Point } from "./metric.ts";

interface Series {
  readonly attributes: Attributes;
  count: number;
  sum: number;
  min: number;
  max: number;
  readonly buckets: number[];
}

/** Sets of attributes of one instrument between two exports; what is more is added up as one. */
const mostSeries = 2000;
const overflow: SeriesName = {
  key: "overflow",
  attributes: () => [["otel.metric.overflow", true]],
};

export class Meter {
  #since: number;
  #series = new Map<Instrument, Map<string, Series>>();

  constructor(now: number) {
    this.#since = now;
  }

  get isEmpty(): boolean {
    return this.#series.size === 0;
  }

  /** Adds a value, as often as `times`. */
  add(instrument: Instrument, value: number, { to, times = 1 }: Added): void {
    if (!Number.isFinite(value) || times <= 0) return;
    const series = this.#seriesOf(instrument, to);
    series.count += times;
    series.sum += value * times;
    series.min = Math.min(series.min, value);
    series.max = Math.max(series.max, value);
    const { bounds } = instrument;
    if (bounds === undefined) return;
    const at = bounds.findIndex((bound) => value <= bound);
    const bucket = at < 0 ? bounds.length : at;
    series.buckets[bucket] = (series.buckets[bucket] ?? 0) + times;
  }

  /** All that was added since the last time, which it forgets. `now` in epoch ms. */
  take(now: number): Metric[] {
    const span = { start: this.#since, end: now };
    const metrics = [...this.#series].map(([{ bounds, ...instrument }, series]): Metric => ({
      ...instrument,
      kind: bounds === undefined ? "counter" : "histogram",
      points: [...series.values()].map((each): Point => ({
        ...span,
        attributes: each.attributes,
        value: bounds === undefined ? each.sum : distribution(each, bounds),
      })),
    }));
    this.#series = new Map();
    this.#since = now;
    return metrics;
  }

  #seriesOf(instrument: Instrument, { key, attributes }: SeriesName): Series {
    let all = this.#series.get(instrument);
    if (all === undefined) this.#series.set(instrument, (all = new Map()));
    const found = all.get(key);
    if (found !== undefined) return found;
    if (all.size >= mostSeries && key !== overflow.key) return this.#seriesOf(instrument, overflow);
    const series = newSeries(attributes(), instrument);
    all.set(key, series);
    return series;
  }
}

/** A set of attributes: most times it is known, and the key is enough. */
export interface SeriesName {
  /** The values of all its attributes in one text. */
  readonly key: string;
  readonly attributes: () => Attributes;
}

/** To what a value is added, and how often. */
export interface Added {
  readonly to: SeriesName;
  readonly times?: number;
}

function newSeries(attributes: Attributes, { bounds }: Instrument): Series {
  const buckets = bounds === undefined ? [] : Array.from({ length: bounds.length + 1 }, () => 0);
  return { attributes, count: 0, sum: 0, min: Infinity, max: -Infinity, buckets };
}

function distribution(
  { count, sum, min, max, buckets }: Series,
  bounds: readonly number[],
): Distribution {
  return { count, sum, min, max, buckets, bounds };
}
