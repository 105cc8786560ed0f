/** Lengths of the last answers of each harness and model, for guessing the next one's. */
const kept = 100;
const mostPairs = 2000;

interface Answers {
  /** Newest last. */
  lengths: number[];
  /** Computed when asked for, forgotten with the next answer. */
  usual?: number | undefined;
}

/** By `pairKey`. */
export type AnswerLengths = Map<string, Answers>;

/** Name of a harness and a model together. */
export function pairKey(harness: string, model: string): string {
  return `${harness} ${model}`;
}

/** Adds the length of one answer; the oldest beyond a hundred is forgotten. */
export function addAnswerLength(answers: AnswerLengths, key: string, outputTokens: number): void {
  const known = answers.get(key) ?? { lengths: [], usual: undefined };
  known.lengths.push(outputTokens);
  if (known.lengths.length > kept) known.lengths.shift();
  known.usual = undefined;
  // Set anew, so that the pair used longest ago stands first.
  answers.delete(key);
  answers.set(key, known);
  const oldest = answers.keys().next().value;
  if (answers.size > mostPairs && oldest !== undefined) answers.delete(oldest);
}

/** The 95th percentile (nearest rank) of the last hundred answers; undefined before the first. */
export function usualAnswerLength(answers: AnswerLengths, key: string): number | undefined {
  const found = answers.get(key);
  if (found === undefined || found.lengths.length === 0) return undefined;
  found.usual ??= percentile(found.lengths, 0.95);
  return found.usual;
}

/** The percentile by nearest rank; `share` from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  // Typed arrays are sorted as numbers without a call for each comparison.
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
