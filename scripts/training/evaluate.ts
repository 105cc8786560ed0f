/**
 * Evaluates routing by cross-validation and measures its time.
 *   npm run eval:routing -- <train.jsonl> [--emit router.mjs]
 * "by source": every source is predicted by a fit without it, and every pair of models by a fit without that pair.
 * "by record": five random parts, each predicted by a fit without it.
 * `--emit` writes a module that exports `route(request)` with the committed weights.
 */
import { build } from "esbuild";
import { tierRank, type TierProbabilities } from "../../src/routing/contract/tier.ts";
import { chooseTier } from "../../src/routing/score/choose-tier.ts";
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { readRecords } from "./data.ts";
import { samplesOf, seedSamples, trainingSet, type Sample } from "./examples.ts";
import { fit } from "./fit.ts";
import { gainFigures, type GainFigures } from "./gain-figures.ts";
import { seededRandom } from "./random.ts";
import { route } from "./route.ts";
import { groupedBy, meanOf } from "./statistics.ts";
import { cellsOf, gainLogit, tierCount, tierProbabilities, type FittedTables } from "./tables.ts";
import { atCost, spendFrontier, tierFigures, type Prediction } from "./tier-figures.ts";

/** Sources with fewer records are left out of the gain figures. */
const minRecords = 60;

const file = process.argv[2];
if (file === undefined) {
  console.error("usage: npm run eval:routing -- <train.jsonl> [--emit router.mjs]");
  process.exit(2);
}
const emit = process.argv.indexOf("--emit");
const target = emit < 0 ? undefined : process.argv[emit + 1];
if (target !== undefined) await emitModule(target);

const samples = samplesOf(readRecords(file));
const seeds = seedSamples();
report("by source", crossValidated(sourceOf), crossValidated(pairOf));
const next = seededRandom(5);
const parts = new Map(samples.map(({ record }) => [record.id, String(Math.floor(next() * 5))]));
const byRecord = crossValidated(({ record }) => parts.get(record.id) ?? "0");
report("by record", byRecord, byRecord);
timing();

function sourceOf({ record }: Sample): string {
  return record.source;
}

/**
 * Scores of one pair of models are ranked against each other, so one fit must give all of them. Leaving out one
 * source at a time would lower every score by what that source gains.
 */
function pairOf({ record }: Sample): string | undefined {
  return record.pair;
}

function crossValidated(part: (sample: Sample) => string | undefined): Prediction[] {
  return [...groupedBy(samples, part)].flatMap(([name, held]) => {
    const tables = fit(
      trainingSet(
        samples.filter((sample) => part(sample) !== name),
        seeds,
      ),
    );
    return held.map((sample) => predict(sample, tables));
  });
}

function predict({ record, example }: Sample, tables: FittedTables): Prediction {
  const cells = cellsOf(example.bins);
  const p = new Float64Array(tierCount);
  tierProbabilities(cells, tables, p);
  const probabilities: TierProbabilities = [p[0] ?? 0, p[1] ?? 0, p[2] ?? 0, p[3] ?? 0];
  return {
    record,
    probabilities,
    rank: tierRank(chooseTier(probabilities, "balanced").tier),
    score: gainLogit(cells, tables),
  };
}

function report(
  title: string,
  predictions: readonly Prediction[],
  scored: readonly Prediction[],
): void {
  const figures = tierFigures(predictions);
  const { balanced } = figures;
  const sources = [
    ...groupedBy(predictions, ({ record }) =>
      record.tier === undefined ? undefined : record.source,
    ),
  ].map(([name, of]) => [name, tierFigures(of)] as const);
  console.log(`\n${title}: ${figures.n} records with a tier`);
  console.log(
    `  macro-F1 ${f(figures.macroF1)}  accuracy ${f(figures.accuracy)}  under ${f(figures.under)}  severe ${f(figures.severe)}  over ${f(figures.over)}  cost/oracle ${f(figures.costVsOracle)}`,
  );
  console.log(
    `  mean of sources: accuracy ${f(meanOf(sources, ([, { accuracy }]) => accuracy))}   mean of tiers: accuracy ${f(balanced.accuracy)}  under ${f(balanced.under)}  over ${f(balanced.over)}`,
  );
  reportSpending(predictions);
  reportGains(scored);
  for (const [name, { n, accuracy, under, over }] of sources)
    console.log(
      `    ${name.padEnd(20)} n ${String(n).padStart(4)}  right ${f(accuracy)}  under ${f(under)}  over ${f(over)}`,
    );
}

/** Errors and cost of the presets, and the errors at fixed costs. */
function reportSpending(predictions: readonly Prediction[]): void {
  for (const quality of ["eco", "quality"] as const) {
    const preset = tierFigures(
      predictions.map((one) => ({
        ...one,
        rank: tierRank(chooseTier(one.probabilities, quality).tier),
      })),
    );
    console.log(
      `  ${quality.padEnd(8)} under ${f(preset.under)}  severe ${f(preset.severe)}  over ${f(preset.over)}  cost/oracle ${f(preset.costVsOracle)}`,
    );
  }
  const points = spendFrontier(predictions);
  const spends = [0.225, 0.275, 0.4, 0.5, 0.7, 1].map((cost) => atCost(points, cost));
  console.log(
    `  under (severe) at cost/oracle ${spends.map(({ cost, under, severe }) => `${cost}: ${f(under)} (${f(severe)})`).join("  ")}`,
  );
}

function reportGains(scored: readonly Prediction[]): void {
  const figuresBy = (key: "pair" | "source"): [name: string, figures: GainFigures][] =>
    [...groupedBy(scored.filter(hasPair), ({ record }) => record[key])].map(([name, of]) => [
      name,
      gainFigures(of),
    ]);
  const pairs = figuresBy("pair");
  const sources = figuresBy("source").filter(([, { n }]) => n >= minRecords);
  for (const [name, { apgr, cpt50, cpt80, savingAt95 }] of pairs)
    console.log(
      `  APGR ${f(apgr)}  CPT50 ${f(cpt50)}  CPT80 ${f(cpt80)}  saving at 95 % ${f(savingAt95)}  ${name}`,
    );
  console.log(
    `  APGR ${f(meanOf(pairs, ([, { apgr }]) => apgr))} mean of pairs  ${f(meanOf(sources, ([, { apgr }]) => apgr))} mean of sources (${sources.map(([name, { apgr }]) => `${name} ${f(apgr)}`).join(", ")})`,
  );
}

function hasPair({ record }: Prediction): boolean {
  return record.pair !== undefined;
}

function f(value: number): string {
  return value.toFixed(3);
}

/** Time of a whole decision on every record. */
function timing(): void {
  const times: number[] = [];
  for (let round = 0; round < 2; round++) {
    times.length = 0;
    for (const { record } of samples) {
      const start = process.hrtime.bigint();
      route(record.request);
      times.push(Number(process.hrtime.bigint() - start) / 1000);
    }
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0);
  console.log(
    `\ntime: p50 ${at(0.5)} us  p95 ${at(0.95)} us  p99 ${at(0.99)} us  mean ${meanOf(times, Number).toFixed(0)} us   features ${scoreFeatures.length}`,
  );
}

async function emitModule(outfile: string): Promise<void> {
  await build({
    entryPoints: ["scripts/training/route.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2023",
  });
  console.log(`${outfile}: export { route }`);
}
