/** The learned additive score: one small table a feature, so that a decision is explained by its own addends. */
import type { Contribution } from "./decision.ts";
import { binsOf, cellCount, features } from "./features.ts";
import type { Signals } from "./features.ts";
import { weights } from "./weights.ts";

/** Numbers per cell: one logit for each tier, and the gain. */
export const outputs = 5;

export interface Weights {
  version: string;
  /** First 16 hex digits of the SHA-256 of `table`. */
  hash: string;
  /** Logits per unit of the table, for the tiers and for the gain. */
  scale: readonly [number, number];
  bias: readonly [number, number, number, number, number];
  /** int8, base64: five numbers a cell, cells in the order of `features`. */
  table: string;
}

export interface Score {
  /** Probability of each tier, weakest first. */
  p: [number, number, number, number];
  /** 0..1, rises with what a dearer model would gain. */
  gain: number;
  contributions: Contribution[];
}

let table: Int8Array | undefined;

function tableOf(source: Weights): Int8Array {
  const bytes = Uint8Array.from(atob(source.table), (char) => char.charCodeAt(0));
  if (bytes.length !== cellCount * outputs)
    throw new Error("the routing weights do not belong to these features");
  return new Int8Array(bytes.buffer);
}

/** Scores a request. Pure; the sum of the contributions and the bias is the score. */
export function score(signals: Signals): Score {
  const cells = (table ??= tableOf(weights));
  const bins = binsOf(signals);
  const logits: Logits = [...weights.bias];
  const contributions: Contribution[] = [];
  let first = 0;
  features.forEach((feature, index) => {
    const bin = bins[index] ?? 0;
    const addend = addendAt(cells, (first + bin) * outputs);
    for (let k = 0; k < outputs; k++) logits[k] = (logits[k] ?? 0) + (addend[k] ?? 0);
    if (addend.some((value) => value !== 0)) {
      const [a, b, c, d, gain] = addend;
      contributions.push({
        name: feature.name,
        bin: feature.bins[bin] ?? "",
        tiers: [a, b, c, d],
        gain,
      });
    }
    first += feature.bins.length;
  });
  return { p: softmax(logits), gain: 1 / (1 + Math.exp(-logits[4])), contributions };
}

type Logits = [number, number, number, number, number];

function addendAt(cells: Int8Array, at: number): Logits {
  const [tier, gain] = weights.scale;
  const unit = (k: number, scale: number): number => (cells[at + k] ?? 0) * scale;
  return [unit(0, tier), unit(1, tier), unit(2, tier), unit(3, tier), unit(4, gain)];
}

function softmax(logits: Logits): [number, number, number, number] {
  const top = Math.max(logits[0], logits[1], logits[2], logits[3]);
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => Math.exp((logits[k] ?? 0) - top)) as [
    number,
    number,
    number,
    number,
  ]; // four in, four out
  const sum = a + b + c + d;
  return [a / sum, b / sum, c / sum, d / sum];
}
