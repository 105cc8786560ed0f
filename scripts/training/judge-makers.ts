/** Judges fits on the makers of data that they have not seen. */
import type { Sample } from "./examples.ts";
import { trainingSet } from "./examples.ts";
import { fit } from "./fit.ts";
import { groupOf, imitationsOf, makersOf } from "./makers.ts";
import { withoutNearDuplicates } from "./near-duplicates.ts";
import { predict, type Prediction } from "./predict.ts";
import { groupedBy } from "./statistics.ts";

/** What a fit predicts for the requests of a maker that it has not seen. */
export interface JudgedMaker {
  readonly name: string;
  readonly predictions: readonly Prediction[];
  /** Requests that were not judged, because the fit has seen nearly the same words. */
  readonly nearDuplicates: number;
}

/**
 * `imitated`: the hand-written examples of the maker's kind of work are left out, too. They were written by people
 * who had seen the maker's data; without them, the fit knows nothing of that kind of work.
 */
export interface LeaveOut {
  readonly imitated: boolean;
}

/** Fits once without each maker, and without everything that shares a maker with it. */
export function judgeMakers(
  samples: readonly Sample[],
  seeds: readonly Sample[],
  { imitated }: LeaveOut,
): JudgedMaker[] {
  return [...groupedBy(samples, ({ record }) => groupOf(record))].map(([name, own]) => {
    const makers = new Set(own.flatMap(({ record }) => makersOf(record)));
    const imitations = new Set(imitated ? own.flatMap(({ record }) => imitationsOf(record)) : []);
    const others = samples.filter(({ record }) => !makersOf(record).some((one) => makers.has(one)));
    const written = seeds.filter(({ record }) => !imitations.has(record.source));
    const judged = withoutNearDuplicates(own, [...others, ...written]);
    const tables = fit(trainingSet(others, written));
    return {
      name,
      predictions: judged.map((sample) => predict(sample, tables)),
      nearDuplicates: own.length - judged.length,
    };
  });
}
