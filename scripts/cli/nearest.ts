/** The word that somebody may have meant. */

/** The nearest of these words; undefined where none is near enough to be a slip of the hand. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(word.length / 3));
  const near = words
    .map((other) => ({ other, distance: wordDistance(word.toLowerCase(), other) }))
    .filter(
      ({ distance, other }) => distance <= most || (word.length > 1 && other.startsWith(word)),
    )
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.other;
}

/** How many letters have to be added, dropped, replaced or swapped with their neighbour. */
export function wordDistance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row[j] = Math.min(
        at(last, j) + 1,
        at(row, j - 1) + 1,
        at(last, j - 1) + same,
        swapped ? at(before, j - 2) + 1 : Infinity,
      );
    }
    before = last;
    last = row;
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
