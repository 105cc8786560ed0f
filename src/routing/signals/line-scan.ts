/** Counts lines, list items, answer options and code fences of a text. */
import { isDigit } from "./characters.ts";
import { isOpening, isOptionLetter, listMarkerEnd } from "./list-markers.ts";

export interface LineCounts {
  /** Lines that are not empty. */
  lines: number;
  /** Lines that begin with a bullet or a number. */
  items: number;
  /** Lines that begin with `A.`, `B)`, `(C)` …: answers to choose from. */
  options: number;
  /** Lines that open or close a code block. */
  fences: number;
}

/** Counts in one pass over a lower-case text. */
export function scanLines(text: string): LineCounts {
  const counts = { lines: 0, items: 0, options: 0, fences: 0 };
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    countLine(text, { start, end }, counts);
    start = end + 1;
  }
  return counts;
}

interface LineRange {
  readonly start: number;
  readonly end: number;
}

function countLine(text: string, { start, end }: LineRange, counts: LineCounts): void {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at++;
  if (at === end) return;
  counts.lines++;
  if (isFence(text, at)) counts.fences++;
  else if (isOption(text, at)) counts.options++;
  else if (isItem(text, at)) counts.items++;
}

/** Three backticks or three tildes. */
function isFence(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== 96 && code !== 126) return false;
  return text.charCodeAt(at + 1) === code && text.charCodeAt(at + 2) === code;
}

/** `a.`, `a)` or `(a)` with a letter from a to j or the first letters of another script. */
function isOption(text: string, start: number): boolean {
  const at = isOpening(text.charCodeAt(start)) ? start + 1 : start;
  return isOptionLetter(text.charCodeAt(at)) && listMarkerEnd(text, start) === at + 2;
}

/** `-`, `*` or a bullet with a space, or a number of one or two digits with a mark. */
function isItem(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const after = text.charCodeAt(at + 1);
  if (code === 45 || code === 42 || code === 0x2022) return after === 32;
  return (
    isDigit(code) &&
    (after === 46 || after === 41 || (isDigit(after) && text.charCodeAt(at + 2) === 46))
  );
}
