/** Tells the letters of formulas from the other letters that stand alone. */
import { isAsciiLetter, isDigit, isLetter } from "./characters.ts";
import { isClosing, isOpening, isOptionLetter } from "./list-markers.ts";

const apostrophes = new Set([..."'’"].map((mark) => mark.charCodeAt(0)));

/** Never a variable: words of one letter in English. */
const alwaysWords = new Set([..."ai"].map((letter) => letter.charCodeAt(0)));

/** Words of one letter in Romance and Slavic languages: a variable only next to a mark, as in `x + y`. */
const wordsOfOneLetter = new Set([..."eouywz"].map((letter) => letter.charCodeAt(0)));

/** How far the marks around a letter are looked for: spaces beyond that are not crossed. */
const reach = 2;

/** Whether the letter that stands alone at `at` in a lower-case text is a variable. */
export function isVariable(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (!isAsciiLetter(code) || alwaysWords.has(code)) return false;
  if (isElision(text, at) || isInlineMarker(text, at) || isUnit(text, at)) return false;
  return !wordsOfOneLetter.has(code) || isNextToMark(text, at);
}

/** `l'eau`, `d'une`, and what remains of `it's` and `don't`. */
function isElision(text: string, at: number): boolean {
  const before = apostrophes.has(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at - 2));
  const after = apostrophes.has(text.charCodeAt(at + 1)) && isLetter(text.charCodeAt(at + 2));
  return before || after;
}

/** Units of one letter: metre, hour, second, gram, litre, watt, volt and others. */
const unitLetters = new Set([..."mhsglwvkcfjntd"].map((letter) => letter.charCodeAt(0)));

/** `450 w` and the parts of `km/h` and `10 m/s`, but not those of `x/y`. */
function isUnit(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  if (before === 32)
    return isDigit(text.charCodeAt(at - 2)) && unitLetters.has(text.charCodeAt(at));
  if (before !== 47 || !isAsciiLetter(text.charCodeAt(at - 2))) return false;
  return isLetter(text.charCodeAt(at - 3)) || isUnit(text, at - 2);
}

/** `(b)` after a space, or `b)` after a space without an opening: `f(b)` and `(a + b)` are formulas. */
function isInlineMarker(text: string, at: number): boolean {
  if (!isOptionLetter(text.charCodeAt(at)) || !isClosing(text.charCodeAt(at + 1))) return false;
  const opened = isOpening(text.charCodeAt(at - 1));
  const before = text.charCodeAt(opened ? at - 2 : at - 1);
  if (!(Number.isNaN(before) || before <= 32)) return false;
  return opened || !isOpenBefore(text, at);
}

/** Longest formula in parentheses that is looked back for: bounded, so the scan stays linear. */
const longestFormula = 40;

/** Whether a parenthesis that opened shortly before `at`, in the same line, is still open there. */
function isOpenBefore(text: string, at: number): boolean {
  for (let back = at - 1; back >= 0 && at - back <= longestFormula; back--) {
    const code = text.charCodeAt(back);
    if (isOpening(code)) return true;
    if (isClosing(code) || code === 10) return false;
  }
  return false;
}

/** Whether the nearest character before or after, beyond one space, is neither a letter nor the end of a sentence. */
function isNextToMark(text: string, at: number): boolean {
  return isMark(text, at, -1) || isMark(text, at, 1);
}

function isMark(text: string, at: number, step: 1 | -1): boolean {
  for (let distance = 1; distance <= reach; distance++) {
    const code = text.charCodeAt(at + step * distance);
    if (Number.isNaN(code)) return false;
    if (code > 32) return formulaMarks.has(code);
  }
  return false;
}

const formulaMarks = new Set([..."+-−=<>^*/\\$()[]{}|_×÷≤≥≠≈∈"].map((mark) => mark.charCodeAt(0)));
