/** From labelled records to training examples: labels, soft labels, and how much each record counts. */
import { asArray } from "../../src/lib/json.ts";
import { binsOf } from "../../src/routing/features.ts";
import { signalsOfBody, tierIndex } from "./data.ts";
import type { LabelledRecord } from "./data.ts";
import type { Example } from "./fit.ts";
import { seedRecords } from "./seeds.ts";

export interface Sample {
  record: LabelledRecord;
  example: Example;
}

/** Records as samples, not yet weighed. */
export function samplesOf(records: readonly LabelledRecord[]): Sample[] {
  return records.map((record) => ({ record, example: exampleOf(record) }));
}

/**
 * Requests that one call of a tool answers, asked without tools: they are not harder for it. Without these
 * the text of such requests would pass for hard wherever the tools are missing.
 */
export function withoutTools(records: readonly LabelledRecord[]): Sample[] {
  const asked = new Set<string>();
  const single = records.filter(({ request, tier }) => {
    const messages = asArray(request["messages"]);
    if (tier !== "standard" || asArray(request["tools"]).length === 0 || messages.length !== 1)
      return false;
    // The same ask with other numbers of tools is one ask without any.
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

/** The written examples, which are part of every training set. */
export function seedSamples(): Sample[] {
  return samplesOf(seedRecords());
}

function exampleOf(record: LabelledRecord): Example {
  const gain = gainOf(record);
  const tier = likelyTiers(record);
  return {
    bins: binsOf(signalsOfBody(record.request)),
    ...(tier && { tier }),
    ...(gain !== undefined && { gain }),
    weight: 1,
    gainWeight: 1,
  };
}

/** What the pair of models showed, or the mean of that and of what whole pools of models showed: less of it is luck. */
function gainOf({ weak, strong, pools, gain }: LabelledRecord): number | undefined {
  if (weak === undefined || strong === undefined) return gain;
  const one = strong - weak;
  return pools ? (one + pools.strong - pools.small) / 2 : one;
}

/** The label, or what a pair of models says: what the cheap one solved is mostly simple. */
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

/** Everything that a fit is made of, weighed. */
export function trainingSet(samples: readonly Sample[], seeds: readonly Sample[]): Example[] {
  const records = [...samples, ...seeds].map(({ record }) => record);
  return weighed([...samples, ...seeds, ...withoutTools(records)]);
}

/** Each written example stands for a whole kind of work. */
const seedWeight = 10;
/** Records of which only a pair of models is known: soft labels, but measured, and many choices among given answers. */
const pairWeight = 5;

/** Large sources count less per record, so that no collection dominates. */
function weighed(samples: readonly Sample[]): Example[] {
  const sizes = new Map<string, number>();
  for (const { record } of samples) sizes.set(record.source, (sizes.get(record.source) ?? 0) + 1);
  return samples.map(({ record, example }) => ({
    ...example,
    weight: (sizes.get(record.source) ?? 1) ** -0.5 * kindWeight(record),
    // What was measured counts as it is; what was written counts by kinds, or the most written one would rule.
    gainWeight: record.pair === undefined ? 20 * (sizes.get(record.source) ?? 1) ** -0.5 : 1,
  }));
}

function kindWeight({ source, tier, share = 1 }: LabelledRecord): number {
  if (source.startsWith("seed-")) return seedWeight * share;
  return tier === undefined ? pairWeight : 1;
}
