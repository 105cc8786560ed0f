/** Sums, means and groups. */

/** The sum of a number of each item. */
export function sumOf<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

/** The mean; NaN of nothing. */
export function meanOf<T>(items: readonly T[], of: (item: T) => number): number {
  return sumOf(items, of) / items.length;
}

/** The standard deviation; NaN of nothing. */
export function spreadOf<T>(items: readonly T[], of: (item: T) => number): number {
  const mean = meanOf(items, of);
  return Math.sqrt(meanOf(items, (item) => (of(item) - mean) ** 2));
}

/** Groups by a key, in order of appearance. */
export function groupedBy<T>(
  items: readonly T[],
  key: (item: T) => string | undefined,
): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = key(item);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
