/**
 * Evaluates routing on makers of data that the fit has not seen, and measures its time.
 *   npm run eval:routing -- <train.jsonl> [--emit router.mjs]
 * "maker unseen": nothing of the judged maker is in the training. The hand-written examples are, and their authors
 * had seen the data: so this is the optimistic figure.
 * "kind of work unseen": the hand-written examples of the maker's kind of work are left out, too: the pessimistic one.
 * "random fifths": what a random split shows, which flatters.
 * `--emit` writes a module that exports `route(request)` with the committed weights.
 */
import { build } from "esbuild";
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { readRecords } from "./data.ts";
import { samplesOf, seedSamples, trainingSet, type Sample } from "./examples.ts";
import { fit } from "./fit.ts";
import { gainFigures } from "./gain-figures.ts";
import { judgeMakers, type JudgedMaker } from "./judge-makers.ts";
import { makerFigures } from "./maker-figures.ts";
import { predict, withPreference, type Prediction } from "./predict.ts";
import { seededRandom } from "./random.ts";
import { route } from "./route.ts";
import { groupedBy, meanOf } from "./statistics.ts";
import { atCost, spendFrontier, tierFigures } from "./tier-figures.ts";
import { translationAgreement } from "./translation-agreement.ts";

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
report("maker unseen", judgeMakers(samples, seeds, { imitated: false }));
report("maker and kind of work unseen", judgeMakers(samples, seeds, { imitated: true }));
reportPairs();
reportRandomFifths();
reportTranslations();
timing();

function report(title: string, judged: readonly JudgedMaker[]): void {
  const removed = judged.map(({ name, nearDuplicates }) => `${name} ${nearDuplicates}`);
  console.log(`\n${title}   near-duplicates left out: ${removed.join(", ")}`);
  for (const quality of ["eco", "balanced", "quality"] as const) {
    console.log(`  ${quality.padEnd(14)} all    mean   spread worst`);
    const chosen = judged.map((maker) => ({
      ...maker,
      predictions: withPreference(maker.predictions, quality),
    }));
    for (const [name, { all, mean, spread, worst, worstMaker }] of Object.entries(
      makerFigures(chosen),
    ))
      console.log(
        `    ${name.padEnd(12)} ${f(all)}  ${f(mean)}  ${f(spread)}  ${f(worst)} ${worstMaker}`,
      );
  }
  for (const { name, predictions } of judged) reportMaker(name, predictions);
  reportSpending(judged.flatMap(({ predictions }) => predictions));
}

function reportMaker(name: string, predictions: readonly Prediction[]): void {
  const { n, macroF1, under, severe, over } = tierFigures(predictions);
  if (n === 0) return;
  console.log(
    `    ${name.padEnd(14)} n ${String(n).padStart(4)}  under ${f(under)}  severe ${f(severe)}  over ${f(over)}  macro-F1 ${f(macroF1)}`,
  );
}

/** The errors at fixed costs. */
function reportSpending(predictions: readonly Prediction[]): void {
  const points = spendFrontier(predictions);
  const spends = [0.225, 0.275, 0.4, 0.5, 0.7, 1].map((cost) => atCost(points, cost));
  console.log(
    `  under (severe) at cost/oracle ${spends.map(({ cost, under, severe }) => `${cost}: ${f(under)} (${f(severe)})`).join("  ")}`,
  );
}

/** The gain, with each pair of models left out in turn: scores of one pair are ranked against each other. */
function reportPairs(): void {
  console.log("\ngain, pair of models unseen (chance: APGR 0.5)");
  for (const [pair, own] of groupedBy(samples, ({ record }) => record.pair)) {
    const others = samples.filter(({ record }) => record.pair !== pair);
    const tables = fit(trainingSet(others, seeds));
    const predictions = own.map((sample) => predict(sample, tables));
    const { apgr, cpt50, cpt80, savingAt95 } = gainFigures(predictions);
    const bySource = [...groupedBy(predictions, ({ record }) => record.source)].map(
      ([name, of]) => `${name} ${f(gainFigures(of).apgr)}`,
    );
    console.log(
      `  APGR ${f(apgr)}  CPT50 ${f(cpt50)}  CPT80 ${f(cpt80)}  saving at 95 % ${f(savingAt95)}  ${pair} (${bySource.join(", ")})`,
    );
  }
}

function reportRandomFifths(): void {
  const next = seededRandom(5);
  const parts = groupedBy(samples, () => String(Math.floor(next() * 5)));
  const predictions = [...parts.values()].flatMap((own) => {
    const held = new Set<Sample>(own);
    const tables = fit(
      trainingSet(
        samples.filter((sample) => !held.has(sample)),
        seeds,
      ),
    );
    return own.map((sample) => predict(sample, tables));
  });
  console.log("\nrandom fifths (flatter: every maker and source is known)");
  reportMaker("balanced", predictions);
}

/** Agreement over all kinds of work, and by kind, also by a fit that has seen English examples only. */
function reportTranslations(): void {
  const english = seeds.filter(({ record }) => record.lang === "en");
  console.log("\ntranslations with the same tier (balanced)");
  for (const [title, written] of [
    ["all hand-written examples", seeds],
    ["English examples only", english],
  ] as const) {
    const agreement = [...translationAgreement(fit(trainingSet(samples, written)))];
    console.log(
      `  ${title}: ${agreement.map(([kind, share]) => `${kind} ${f(share)}`).join("  ")}`,
    );
  }
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
