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
  /** int16, low byte first, base64: five numbers a cell, cells in the order of `features`. */
  table: string;
}

export interface Score {
  /** Probability of each tier, weakest first. */
  p: [number, number, number, number];
  /** 0..1, rises with what a dearer model would gain. */
  gain: number;
  contributions: Contribution[];
}

/** Every cell of the tables as the addend that it is: made once, shared by all decisions. */
interface Cells {
  addends: readonly Contribution[];
  /** First cell of each feature. */
  first: readonly number[];
}

let built: Cells | undefined;

function cellsOf({ table, scale: [tierScale, gainScale] }: Weights): Cells {
  const bytes = Uint8Array.from(atob(table), (char) => char.charCodeAt(0));
  if (bytes.length !== cellCount * outputs * 2)
    throw new Error("the routing weights do not belong to these features");
  const units = new DataView(bytes.buffer);
  const first: number[] = [];
  const addends: Contribution[] = [];
  for (const { name, bins } of features) {
    first.push(addends.length);
    for (const bin of bins) {
      const at = addends.length * outputs;
      const unit = (k: number, scale: number): number =>
        exact(units.getInt16((at + k) * 2, true) * scale);
      const tier = (k: number): number => unit(k, tierScale);
      addends.push({
        name,
        bin,
        tiers: [tier(0), tier(1), tier(2), tier(3)],
        gain: unit(4, gainScale),
      });
    }
  }
  return { addends, first };
}

/** Without the binary dust behind the product of a whole number and a short decimal. */
function exact(value: number): number {
  return Number(value.toPrecision(12));
}

/** Scores a request. Pure; the sum of the contributions and the bias is the score. */
export function score(signals: Signals): Score {
  const { addends, first } = (built ??= cellsOf(weights));
  const bins = binsOf(signals);
  const logits: Logits = [...weights.bias];
  const contributions: Contribution[] = [];
  for (let feature = 0; feature < bins.length; feature++) {
    const addend = addends[(first[feature] ?? 0) + (bins[feature] ?? 0)];
    if (addend === undefined || isNothing(addend)) continue;
    // By index: taking an array apart costs an iterator, fifty times a request.
    const { tiers } = addend;
    logits[0] += tiers[0];
    logits[1] += tiers[1];
    logits[2] += tiers[2];
    logits[3] += tiers[3];
    logits[4] += addend.gain;
    contributions.push(addend);
  }
  return { p: softmax(logits), gain: 1 / (1 + Math.exp(-logits[4])), contributions };
}

function isNothing({ tiers, gain }: Contribution): boolean {
  return tiers[0] === 0 && tiers[1] === 0 && tiers[2] === 0 && tiers[3] === 0 && gain === 0;
}

type Logits = [number, number, number, number, number];

function softmax(logits: Logits): [number, number, number, number] {
  const top = Math.max(logits[0], logits[1], logits[2], logits[3]);
  const a = Math.exp(logits[0] - top);
  const b = Math.exp(logits[1] - top);
  const c = Math.exp(logits[2] - top);
  const d = Math.exp(logits[3] - top);
  const sum = a + b + c + d;
  return [a / sum, b / sum, c / sum, d / sum];
}
