/** Fits the additive tables: multinomial for the tiers, least squares for the gain, both under a pull towards zero. */
import { cellCount, features } from "../../src/routing/features.ts";

export const tierCount = 4;

/** One training example: its bins, what the tier may be, what a dearer model gained, and how much it counts. */
export interface Example {
  bins: Uint8Array;
  /** Probabilities of the four tiers, or none. */
  tier?: readonly number[];
  /** -1..1 */
  gain?: number;
  weight: number;
  gainWeight: number;
}

export interface Tables {
  /** cellCount * 4 */
  tier: Float64Array;
  tierBias: Float64Array;
  /** cellCount */
  gain: Float64Array;
  gainBias: number;
}

export interface FitOptions {
  epochs: number;
  tierDecay: number;
  gainDecay: number;
  /** Pull between neighbouring bins of one feature. */
  smooth: number;
  /** Share of cue features hidden in each pass, as a language without them would. */
  hidden: number;
  seed: number;
}

export const defaults: FitOptions = {
  epochs: 200,
  tierDecay: 0.001,
  gainDecay: 30,
  smooth: 0.002,
  hidden: 0.1,
  seed: 20,
};

/** A small repeatable source of numbers in [0, 1). */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export const offsets: readonly number[] = (() => {
  let at = 0;
  return features.map(({ bins }) => {
    const start = at;
    at += bins.length;
    return start;
  });
})();

const cueFeatures = features.flatMap(({ name }, index) => (name.startsWith("cue.") ? [index] : []));

class Adam {
  private readonly m: Float64Array;
  private readonly v: Float64Array;
  private step = 0;
  private readonly values: Float64Array;
  private readonly rate: number;
  constructor(values: Float64Array, rate: number) {
    this.values = values;
    this.rate = rate;
    this.m = new Float64Array(values.length);
    this.v = new Float64Array(values.length);
  }
  apply(gradient: Float64Array): void {
    this.step++;
    const c1 = 1 - 0.9 ** this.step;
    const c2 = 1 - 0.999 ** this.step;
    for (let i = 0; i < gradient.length; i++) {
      const g = gradient[i]!;
      this.m[i] = 0.9 * this.m[i]! + 0.1 * g;
      this.v[i] = 0.999 * this.v[i]! + 0.001 * g * g;
      this.values[i]! -= (this.rate * (this.m[i]! / c1)) / (Math.sqrt(this.v[i]! / c2) + 1e-8);
    }
  }
}

/** Fits both heads. Deterministic for a seed. */
export function fit(examples: readonly Example[], options: FitOptions = defaults): Tables {
  const tier = new Float64Array(cellCount * tierCount);
  const tierBias = new Float64Array(tierCount);
  fitTier(
    examples.filter((example) => example.tier),
    { tier, tierBias, options },
  );
  const gain = new Float64Array(cellCount);
  const gainBias = fitGain(
    examples.filter((example) => example.gain !== undefined),
    { gain, options },
  );
  return { tier, tierBias, gain, gainBias };
}

export function fitTier(
  examples: readonly Example[],
  { tier, tierBias, options }: { tier: Float64Array; tierBias: Float64Array; options: FitOptions },
): void {
  const total = examples.reduce((sum, { weight }) => sum + weight, 0);
  const step = new Adam(tier, 0.05);
  const biasStep = new Adam(tierBias, 0.05);
  const next = random(options.seed);
  const p = new Float64Array(tierCount);
  for (let epoch = 0; epoch < options.epochs; epoch++) {
    const gradient = new Float64Array(tier.length);
    const biasGradient = new Float64Array(tierCount);
    for (const { bins, tier: target, weight } of examples) {
      const masked = next() < 0.5 ? hideCues(bins, options.hidden, next) : bins;
      softmaxOf(masked, { tier, tierBias }, p);
      for (let k = 0; k < tierCount; k++) {
        const error = ((p[k]! - target![k]!) * weight) / total;
        biasGradient[k]! += error;
        for (let f = 0; f < offsets.length; f++)
          gradient[(offsets[f]! + masked[f]!) * tierCount + k]! += error;
      }
    }
    decay(tier, gradient, {
      width: tierCount,
      strength: options.tierDecay,
      smooth: options.smooth,
    });
    step.apply(gradient);
    biasStep.apply(biasGradient);
    keepRising(tier);
  }
}

function hideCues(bins: Uint8Array, share: number, next: () => number): Uint8Array {
  const masked = bins.slice();
  for (const index of cueFeatures) if (masked[index]! > 0 && next() < share) masked[index] = 0;
  return masked;
}

export function softmaxOf(
  bins: Uint8Array,
  { tier, tierBias }: Pick<Tables, "tier" | "tierBias">,
  into: Float64Array,
): void {
  let top = -Infinity;
  for (let k = 0; k < tierCount; k++) {
    let sum = tierBias[k]!;
    for (let f = 0; f < offsets.length; f++) sum += tier[(offsets[f]! + bins[f]!) * tierCount + k]!;
    into[k] = sum;
    top = Math.max(top, sum);
  }
  let all = 0;
  for (let k = 0; k < tierCount; k++) all += into[k] = Math.exp(into[k]! - top);
  for (let k = 0; k < tierCount; k++) into[k]! /= all;
}

export function gainOf(
  bins: Uint8Array,
  { gain, gainBias }: Pick<Tables, "gain" | "gainBias">,
): number {
  let sum = gainBias;
  for (let f = 0; f < offsets.length; f++) sum += gain[offsets[f]! + bins[f]!]!;
  return sum;
}

/**
 * Least squares of the gain under a pull towards zero, in closed form: with so little to learn, less is more.
 * In logits: four times a probability near a half.
 */
export function fitGain(
  examples: readonly Example[],
  { gain, options }: { gain: Float64Array; options: FitOptions },
): number {
  const columns = features.flatMap(({ bins, gains }, f) =>
    gains === true ? bins.map((_bin, b) => offsets[f]! + b) : [],
  );
  const place = new Map(columns.map((cell, at) => [cell, at]));
  const rows = examples.map(({ bins, gain: target, gainWeight }) => ({
    cells: [...bins].flatMap((bin, f) => place.get(offsets[f]! + bin) ?? []),
    target: target!,
    weight: gainWeight,
  }));
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return 0;
  const n = columns.length;
  const mean = new Float64Array(n);
  let meanTarget = 0;
  for (const { cells, target, weight } of rows) {
    meanTarget += (weight * target) / total;
    for (const at of cells) mean[at]! += weight / total;
  }
  const matrix = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n + 1 }, (_cell, k) => (k === i ? options.gainDecay : 0)),
  );
  for (const { cells, target, weight } of rows) {
    const centred = Float64Array.from(mean, (value) => -value);
    for (const at of cells) centred[at]! += 1;
    for (let i = 0; i < n; i++) {
      const scaled = weight * centred[i]!;
      const row = matrix[i]!;
      for (let k = 0; k < n; k++) row[k]! += scaled * centred[k]!;
      row[n]! += scaled * (target - meanTarget);
    }
  }
  const solved = solve(matrix);
  let bias = 4 * (meanTarget - 0.5);
  solved.forEach((value, at) => {
    gain[columns[at]!] = 4 * value;
    bias -= 4 * value * mean[at]!;
  });
  return bias;
}

/** Gauss with pivots on rows that end in their right side. */
function solve(matrix: Float64Array[]): number[] {
  const n = matrix.length;
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++)
      if (Math.abs(matrix[k]![i]!) > Math.abs(matrix[pivot]![i]!)) pivot = k;
    [matrix[i], matrix[pivot]] = [matrix[pivot]!, matrix[i]!];
    const top = matrix[i]!;
    for (let k = i + 1; k < n; k++) {
      const row = matrix[k]!;
      const factor = row[i]! / top[i]!;
      if (factor !== 0) for (let c = i; c <= n; c++) row[c]! -= factor * top[c]!;
    }
  }
  const result = Array.from({ length: n }, () => 0);
  for (let i = n - 1; i >= 0; i--) {
    const row = matrix[i]!;
    let sum = row[n]!;
    for (let k = i + 1; k < n; k++) sum -= row[k]! * result[k]!;
    result[i] = sum / row[i]!;
  }
  return result;
}

function decay(
  values: Float64Array,
  gradient: Float64Array,
  { width, strength, smooth }: { width: number; strength: number; smooth: number },
): void {
  for (let i = 0; i < values.length; i++) gradient[i]! += strength * values[i]!;
  features.forEach(({ bins }, f) => {
    for (let b = 1; b < bins.length; b++) {
      for (let k = 0; k < width; k++) {
        const here = (offsets[f]! + b) * width + k;
        const pull = smooth * (values[here]! - values[here - width]!);
        gradient[here]! += pull;
        gradient[here - width]! -= pull;
      }
    }
  });
}

/**
 * Rising features: from bin to bin, no tier may gain on a higher one. Then more of it can only move
 * probability upwards, whatever else the request shows.
 */
export function keepRising(tier: Float64Array): void {
  features.forEach(({ bins, rising }, f) => {
    if (rising !== true) return;
    const ratios = Array.from({ length: tierCount - 1 }, (_, k) =>
      pool(
        bins.map(
          (_bin, b) =>
            tier[(offsets[f]! + b) * tierCount + k + 1]! - tier[(offsets[f]! + b) * tierCount + k]!,
        ),
      ),
    );
    bins.forEach((_bin, b) => {
      const at = (offsets[f]! + b) * tierCount;
      const mean = (tier[at]! + tier[at + 1]! + tier[at + 2]! + tier[at + 3]!) / tierCount;
      let value = 0;
      const raw = [0, ...ratios.map((ratio) => (value += ratio[b]!))];
      const shift = mean - raw.reduce((sum, x) => sum + x, 0) / tierCount;
      raw.forEach((x, k) => (tier[at + k] = x + shift));
    });
  });
}

/** The nearest sequence that never falls (pool adjacent violators). */
function pool(values: readonly number[]): number[] {
  const blocks: { sum: number; n: number }[] = [];
  for (const value of values) {
    blocks.push({ sum: value, n: 1 });
    while (blocks.length > 1) {
      const last = blocks.at(-1)!;
      const before = blocks.at(-2)!;
      if (before.sum / before.n <= last.sum / last.n) break;
      before.sum += last.sum;
      before.n += last.n;
      blocks.pop();
    }
  }
  return blocks.flatMap(({ sum, n }) => Array.from({ length: n }, () => sum / n));
}
