/** Every metric that is kept between scrapes, under one bound of lines. */
import type { CounterFamily, HistogramFamily } from "./families.ts";
import { Counter, Histogram, LineBudget } from "./series.ts";
import { headText } from "./text.ts";

export class Registry {
  readonly #budget = new LineBudget();
  readonly #metrics: (Counter | Histogram)[] = [];

  counter(family: CounterFamily): Counter {
    const made = new Counter(family, this.#budget);
    this.#metrics.push(made);
    return made;
  }

  histogram(family: HistogramFamily): Histogram {
    const made = new Histogram(family, this.#budget);
    this.#metrics.push(made);
    return made;
  }

  /** Lines that all series together have. */
  get size(): number {
    return this.#budget.used;
  }

  /** Appends all of them in Prometheus's text format. */
  writeTo(lines: string[]): void {
    for (const metric of this.#metrics) {
      lines.push(headText(metric.family));
      metric.writeTo(lines);
    }
  }
}
