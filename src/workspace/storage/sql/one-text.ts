/**
 * Values of a statement that are handed over as one JSON array: the runtime takes as long for each value that it binds
 * as SQLite for three or four columns (workerd 1.20260426 writes an error message for it beforehand). Not for fractions,
 * which SQLite reads from text less exactly.
 */

/** SQL of each of the first `count` members of the array that `parameter` is bound to. */
export function sqlOfMembers(parameter: string, count: number): string[] {
  return Array.from({ length: count }, (_none, index) => `${parameter} ->> ${index}`);
}
