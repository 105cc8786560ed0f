/** Recognizes what stands before the items of a list and before the answers of a choice: `1.`, `(b)`, `C)`, `iv.`. */
import { isDigit } from "./characters.ts";

/** First letters of answers in other scripts, in the order of their lists. Full-width letters are ranges below. */
const otherOptionLetters = new Set(
  [..."абвгдежαβγδεζأبجدهـאבגדהकखगघকখগঘกขคงจఎబగడ가나다라마ㄱㄴㄷㄹㅁアイウエオ"].map((letter) =>
    letter.charCodeAt(0),
  ),
);

/** Whether a lower-case UTF-16 unit names an answer: a to j, in full width too, or the first letters of other scripts. */
export function isOptionLetter(code: number): boolean {
  if (code < 128) return code >= 97 && code <= 106;
  return (code >= 0xff41 && code <= 0xff4a) || otherOptionLetters.has(code);
}

/** `(` and its full-width form. */
export function isOpening(code: number): boolean {
  return code === 40 || code === 0xff08;
}

/** `)`, and its full-width form. */
export function isClosing(code: number): boolean {
  return code === 41 || code === 0xff09;
}

/** A mark that can follow a marker's letter or number, with the full-width forms, which need no space after them. */
function isMarkerEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 0xff09 || code === 0xff0e || code === 0x3001) return true;
  return (code === 46 || code === 41) && isSpaceOrEnd(text, at + 1);
}

function isSpaceOrEnd(text: string, at: number): boolean {
  return at >= text.length || text.charCodeAt(at) <= 32;
}

/** Longest marker without its marks: `viii`. */
const longestMarker = 4;
const romanDigits = new Set([..."ivx"].map((digit) => digit.charCodeAt(0)));

/**
 * End of the marker with which a line begins at `start`, or `start` where there is none: a letter, one or two digits
 * or a small Roman number, followed by `.` or `)` and a space.
 */
export function listMarkerEnd(text: string, start: number): number {
  const first = isOpening(text.charCodeAt(start)) ? start + 1 : start;
  const end = first + markerLength(text, first);
  return end > first && isMarkerEnd(text, end) ? end + 1 : start;
}

/** Units of the number or the letter at `at`, 0 where neither stands there. */
function markerLength(text: string, at: number): number {
  const digits = runLength(text, at, isDigit);
  if (digits > 0) return digits <= 2 ? digits : 0;
  const roman = runLength(text, at, (code) => romanDigits.has(code));
  if (roman > 1) return roman <= longestMarker ? roman : 0;
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || isOptionLetter(code) ? 1 : 0;
}

function runLength(text: string, start: number, is: (code: number) => boolean): number {
  let at = start;
  while (at - start <= longestMarker && is(text.charCodeAt(at))) at++;
  return at - start;
}
