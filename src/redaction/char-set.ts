/** Sets of characters (UTF-16 code units), as patterns name them. */

/** From the first code to the last, both included. */
export type CodeRange = readonly [number, number];

export interface CharSet {
  /** Sorted, none touches the next. */
  readonly ranges: readonly CodeRange[];
  /** 1 at each ASCII code of the set: nearly all that is asked for. */
  readonly ascii: Uint8Array;
}

const lastCode = 0xffff;
const asciiCodes = 128;

/** The set of all codes in these ranges. */
export function charSet(ranges: readonly CodeRange[]): CharSet {
  const merged = mergedRanges(ranges);
  const ascii = new Uint8Array(asciiCodes);
  for (const [first, last] of merged) ascii.fill(1, first, Math.min(last + 1, asciiCodes));
  return { ranges: merged, ascii };
}

/** The ranges of every code that is in none of these. */
export function otherRanges(ranges: readonly CodeRange[]): CodeRange[] {
  const others: CodeRange[] = [];
  let next = 0;
  for (const [first, last] of mergedRanges(ranges)) {
    if (first > next) others.push([next, first - 1]);
    next = last + 1;
  }
  if (next <= lastCode) others.push([next, lastCode]);
  return others;
}

/** Whether the code is in the set. */
export function hasCode({ ascii, ranges }: CharSet, code: number): boolean {
  return code < asciiCodes ? ascii[code] === 1 : isWithin(ranges, code);
}

/** By halves: a class may name a hundred ranges. */
function isWithin(ranges: readonly CodeRange[], code: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const [first = 0, last = 0] = ranges[middle] ?? [];
    if (code < first) high = middle;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

function mergedRanges(ranges: readonly CodeRange[]): CodeRange[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}
