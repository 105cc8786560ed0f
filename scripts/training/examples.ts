/** From labelled records to training examples: labels, soft labels, and how much each record counts. */
import { asArray } from "../../src/lib/json.ts";
import { featureBins } from "../../src/routing/signals/score-features.ts";
import { signalsOfBody, tierIndex } from "./data.ts";
import type { LabelledRecord } from "./data.ts";
import { seedRecords } from "./seeds.ts";
import type { TrainingExample } from "./training-example.ts";

/** A record with the training example that is made of it. */
export interface Sample {
  record: LabelledRecord;
  example: TrainingExample;
}

/** Records as samples, all of the same weight. */
export function samplesOf(records: readonly LabelledRecord[]): Sample[] {
  return records.map((record) => ({ record, example: exampleOf(record) }));
}

/**
 * Copies of requests that one tool call answers, without their tools and with easier labels. Without these copies
 * the text of such requests would count as hard where no tools are offered.
 */
function copiesWithoutTools(records: readonly LabelledRecord[]): Sample[] {
  const asked = new Set<string>();
  const single = records.filter(({ request, tier }) => {
    const messages = asArray(request["messages"]);
    if (tier !== "standard" || asArray(request["tools"]).length === 0 || messages.length !== 1)
      return false;
    // An ask that occurs with several numbers of tools is copied once.
    const ask = JSON.stringify(messages);
    return !asked.has(ask) && asked.add(ask).size > 0;
  });
  return samplesOf(
    single.map((record) => {
      const { tools: _tools, ...request } = record.request;
      return {
        ...record,
        id: `${record.id}/plain`,
        source: `${record.source}-plain`,
        request,
        likely: [0.5, 0.45, 0.05, 0],
      };
    }),
  );
}

/** The seed examples, which are part of every training set. */
export function seedSamples(): Sample[] {
  return samplesOf(seedRecords());
}

function exampleOf(record: LabelledRecord): TrainingExample {
  const gain = gainOf(record);
  const tier = likelyTiers(record);
  return {
    bins: featureBins(signalsOfBody(record.request)),
    ...(tier && { tier }),
    ...(gain !== undefined && { gain }),
    ...(record.pair !== undefined && { pair: record.pair }),
    weight: 1,
    gainWeight: 1,
  };
}

/** The measured gain of a pair of models, averaged with that of whole pools of models where known: less chance. */
function gainOf({ weak, strong, pools, gain }: LabelledRecord): number | undefined {
  if (weak === undefined || strong === undefined) return gain;
  const one = strong - weak;
  return pools ? (one + pools.strong - pools.small) / 2 : one;
}

/** The label, or what a pair of models suggests: what the cheap one solved is mostly simple. */
function likelyTiers({
  tier,
  likely,
  weak,
  strong,
}: LabelledRecord): readonly number[] | undefined {
  if (likely) return likely;
  const index = tierIndex(tier);
  if (index !== undefined) return [0, 1, 2, 3].map((k) => (k === index ? 1 : 0));
  if (weak === undefined) return undefined;
  if (weak > 0) return [0.75, 0.13, 0.06, 0.06];
  return (strong ?? 0) > 0 ? [0.15, 0.4, 0.25, 0.2] : [0.1, 0.2, 0.25, 0.45];
}

/** All examples of a fit with their weights. */
export function trainingSet(
  samples: readonly Sample[],
  seeds: readonly Sample[],
): TrainingExample[] {
  const records = [...samples, ...seeds].map(({ record }) => record);
  return weightedExamples([...samples, ...seeds, ...copiesWithoutTools(records)]);
}

/** Each seed example stands for a whole kind of work. */
const seedWeight = 10;
/** Records without a label, of which a pair of models was measured; most of them are multiple choice. */
const pairWeight = 5;

/** Records of large sources count less, so that no source dominates. */
function weightedExamples(samples: readonly Sample[]): TrainingExample[] {
  const sizes = new Map<string, number>();
  for (const { record } of samples) sizes.set(record.source, (sizes.get(record.source) ?? 0) + 1);
  return samples.map(({ record, example }) => ({
    ...example,
    weight: (sizes.get(record.source) ?? 1) ** -0.5 * kindWeight(record),
    // Measured gains count fully; those of seed examples count by kind, so that no kind dominates.
    gainWeight: record.pair === undefined ? 20 * (sizes.get(record.source) ?? 1) ** -0.5 : 1,
  }));
}

function kindWeight({ source, tier, share = 1 }: LabelledRecord): number {
  if (source.startsWith("seed-")) return seedWeight * share;
  return tier === undefined ? pairWeight : 1;
}
