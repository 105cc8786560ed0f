/**
 * Fits the routing weights and writes src/routing/score/weights.ts.
 *   npm run train:routing -- <train.jsonl>
 * The same data gives the same file: the seed is fixed and nothing else is random.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { scoreFeatures } from "../../src/routing/signals/score-features.ts";
import { readRecords } from "./data.ts";
import { samplesOf, seedSamples, trainingSet } from "./examples.ts";
import { fit } from "./fit.ts";
import { enforceMonotone } from "./monotone.ts";
import { firstCells, tierCount, type FittedTables } from "./tables.ts";

/** Logits per unit of the stored integers, for the tiers and for the gain. */
const scale = [0.001, 0.0001] as const;

const target = "src/routing/score/weights.ts";

const file = process.argv[2];
if (file === undefined) {
  console.error("usage: npm run train:routing -- <train.jsonl>");
  process.exit(2);
}

const tables = fit(trainingSet(samplesOf(readRecords(file)), seedSamples()));
enforceMonotone(tables.tier);
const text = weightsModule(tables);
writeFileSync(target, text);
console.log(`${target}: ${text.length} bytes`);

function weightsModule(fitted: FittedTables): string {
  const [tierScale, gainScale] = scale;
  const cells: number[] = [];
  for (let cell = 0; cell < fitted.gain.length; cell++) {
    for (let k = 0; k < tierCount; k++)
      cells.push(Math.round((fitted.tier[cell * tierCount + k] ?? 0) / tierScale));
    cells.push(Math.round((fitted.gain[cell] ?? 0) / gainScale));
  }
  repairRounding(cells);
  const bytes = Buffer.alloc(cells.length * 2);
  cells.forEach((cell, at) => bytes.writeInt16LE(cell, at * 2));
  const table = bytes.toString("base64");
  const hash = createHash("sha256").update(table).digest("hex").slice(0, 16);
  const bias = [...fitted.tierBias, fitted.gainBias].map((value) => Number(value.toFixed(4)));
  return `/** Written by \`npm run train:routing\`. Not to be edited by hand. */
import type { Weights } from "./weights-format.ts";

export const weights: Weights = {
  version: "3",
  hash: "${hash}",
  scale: [${scale.join(", ")}],
  bias: [${bias.join(", ")}],
  table:
    "${table}",
};
`;
}

/** Rounding can make a monotone feature fall by one unit: raises the stronger tier where it does. */
function repairRounding(cells: number[]): void {
  const width = tierCount + 1;
  scoreFeatures.forEach(({ bins, monotone }, feature) => {
    if (monotone !== true) return;
    for (let b = 1; b < bins.length; b++) {
      const here = ((firstCells[feature] ?? 0) + b) * width;
      for (let k = 1; k < tierCount; k++) {
        const before = (cells[here - width + k] ?? 0) - (cells[here - width + k - 1] ?? 0);
        cells[here + k] = Math.max(cells[here + k] ?? 0, (cells[here + k - 1] ?? 0) + before);
      }
    }
  });
}
