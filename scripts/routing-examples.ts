/** From labelled records to training examples: labels, soft labels, and how much each record counts. */
import { binsOf } from "../src/routing/features.ts";
import { signalsOfBody, tierIndex } from "./routing-data.ts";
import type { LabelledRecord } from "./routing-data.ts";
import type { Example } from "./routing-fit.ts";
import { seedRecords } from "./routing-seeds.ts";

export interface Sample {
  record: LabelledRecord;
  example: Example;
}

/** Records as samples, not yet weighed. */
export function samplesOf(records: readonly LabelledRecord[]): Sample[] {
  return records.map((record) => ({ record, example: exampleOf(record) }));
}

/** The hand-written examples, which are part of every training set. */
export function seedSamples(): Sample[] {
  return samplesOf(seedRecords());
}

function exampleOf(record: LabelledRecord): Example {
  const tier = tierIndex(record.tier);
  const gain =
    record.weak === undefined || record.strong === undefined
      ? undefined
      : record.strong - record.weak;
  return {
    bins: binsOf(signalsOfBody(record.request)),
    ...(tier !== undefined && { tier: [0, 1, 2, 3].map((k) => (k === tier ? 1 : 0)) }),
    ...(gain !== undefined && { gain }),
    weight: 1,
    gainWeight: 1,
  };
}

/** Large sources count less per record, so that no collection dominates. */
export function weighed(samples: readonly Sample[]): Example[] {
  const sizes = new Map<string, number>();
  for (const { record } of samples) sizes.set(record.source, (sizes.get(record.source) ?? 0) + 1);
  return samples.map(({ record, example }) => ({
    ...example,
    weight: (sizes.get(record.source) ?? 1) ** -0.5,
  }));
}
