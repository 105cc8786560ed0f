/** Series of counters and histograms, in memory. */
import type { CounterFamily, Family, HistogramFamily } from "./families.ts";
import { none, other } from "./labels.ts";
import { labelText } from "./text.ts";

/** Lines that all series together may have, before names are folded into `other`. */
const mostLines = 3000;

/** The lines that series take, of all families together. */
export class LineBudget {
  #used = 0;

  /** Takes so many; false: they do not fit, and none was taken. */
  take(lines: number): boolean {
    if (this.#used + lines > mostLines) return false;
    this.#used += lines;
    return true;
  }

  /** Takes so many in any case: of what has no name that somebody chose, there is little. */
  takeAnyway(lines: number): void {
    this.#used += lines;
  }

  get used(): number {
    return this.#used;
  }
}

/** The series of one family by their labels' values; one that does not fit counts under `other`. */
class SeriesMap<Series> {
  readonly #kept = new Map<string, Series>();
  /** By the list of values itself, for lists that are used again. What it says never changes: the budget only shrinks. */
  readonly #byList = new WeakMap<readonly string[], Series>();
  readonly #family: Family;
  readonly #budget: LineBudget;
  readonly #make: (labels: readonly string[]) => Series;
  readonly #lines: number;

  constructor(family: Family, budget: LineBudget, make: (labels: readonly string[]) => Series) {
    this.#family = family;
    this.#budget = budget;
    this.#make = make;
    this.#lines = family.type === "histogram" ? family.buckets.length + 3 : 1;
  }

  at(labels: readonly string[]): Series {
    const known = this.#byList.get(labels);
    if (known !== undefined) return known;
    const found = this.#named(labels);
    this.#byList.set(labels, found);
    return found;
  }

  #named(labels: readonly string[]): Series {
    const key = labels.join("\n");
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const folded = this.#folded(labels);
    if (folded.join("\n") === key) this.#budget.takeAnyway(this.#lines);
    else if (!this.#budget.take(this.#lines)) return this.#named(folded);
    const made = this.#make(labels);
    this.#kept.set(key, made);
    return made;
  }

  values(): Iterable<Series> {
    return this.#kept.values();
  }

  #folded(labels: readonly string[]): string[] {
    const { labels: names } = this.#family;
    return labels.map((value, at) => {
      const isName = names[at] === "provider" || names[at] === "model";
      return isName && value !== none ? other : value;
    });
  }
}

interface Count {
  /** The line up to its value. */
  readonly text: string;
  value: number;
}

/** A counter by its labels. */
export class Counter {
  readonly family: CounterFamily;
  readonly #series: SeriesMap<Count>;

  constructor(family: CounterFamily, budget: LineBudget) {
    this.family = family;
    const make = (values: readonly string[]): Count => ({
      text: family.name + labelText(family.labels, values),
      value: 0,
    });
    this.#series = new SeriesMap(family, budget, make);
  }

  /** Adds to the series of these labels' values, which stand in the family's order. */
  add(labels: readonly string[], amount: number): void {
    this.#series.at(labels).value += amount;
  }

  writeTo(lines: string[]): void {
    for (const { text, value } of this.#series.values()) lines.push(`${text} ${value}`);
  }
}

interface Observed {
  /** The lines up to their values, one a bucket with the infinite one last, then the sum and the count. */
  readonly texts: readonly string[];
  /** Of each bucket alone. */
  readonly counts: number[];
  /** Milliseconds: whole numbers add up exactly. */
  sum: number;
}

/** A histogram by its labels. */
export class Histogram {
  readonly family: HistogramFamily;
  readonly #series: SeriesMap<Observed>;

  constructor(family: HistogramFamily, budget: LineBudget) {
    this.family = family;
    this.#series = new SeriesMap(family, budget, (values) => observedFor(family, values));
  }

  /** Counts one time. */
  observe(labels: readonly string[], ms: number): void {
    const seconds = ms / 1000;
    const series = this.#series.at(labels);
    const { buckets } = this.family;
    let at = 0;
    while (at < buckets.length && seconds > (buckets[at] ?? 0)) at += 1;
    series.counts[at] = (series.counts[at] ?? 0) + 1;
    series.sum += ms;
  }

  writeTo(lines: string[]): void {
    for (const series of this.#series.values()) writeObserved(series, lines);
  }
}

function observedFor(family: HistogramFamily, values: readonly string[]): Observed {
  const { name, labels, buckets } = family;
  const bounds = [...buckets.map(String), "+Inf"];
  const bucket = (bound: string): string =>
    `${name}_bucket${labelText([...labels, "le"], [...values, bound])}`;
  const plain = labelText(labels, values);
  return {
    texts: [...bounds.map(bucket), `${name}_sum${plain}`, `${name}_count${plain}`],
    counts: bounds.map(() => 0),
    sum: 0,
  };
}

function writeObserved({ texts, counts, sum }: Observed, lines: string[]): void {
  let count = 0;
  for (const [at, here] of counts.entries()) {
    count += here;
    lines.push(`${texts[at]} ${count}`);
  }
  lines.push(`${texts[counts.length]} ${sum / 1000}`, `${texts[counts.length + 1]} ${count}`);
}
