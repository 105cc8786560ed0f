/** Counts tokens, numbers, formula marks, code marks and identifiers of a text in one pass. */
import { isAsciiLetter, isDigit, isLetter, isSpaceless } from "./characters.ts";
import { isVariable } from "./variables.ts";
import { listMarkerEnd } from "./list-markers.ts";

export interface CharacterCounts {
  /** Estimated tokens, by script. */
  tokens: number;
  /** Runs of digits, of any script. The number of a list item is none. */
  numbers: number;
  /** Digits of the longest run. */
  longestNumber: number;
  /** Arithmetic and relation marks: + = < > ^ × ÷ ≤ … */
  operators: number;
  /** TeX commands and formula marks. */
  tex: number;
  /** Marks typical of code: braces and semicolons at line ends, calls, arrows, comparison operators. */
  codeMarks: number;
  /** Single letters that stand alone, as in formulas. Markers of options, short words and elisions are none. */
  variables: number;
  /** Words with a mark inside: snake_case, dotted.names, paths. */
  identifiers: number;
}

/** Counts in one pass over a lower-case text. */
export function scanCharacters(text: string): CharacterCounts {
  const counts: CharacterCounts = {
    tokens: 0,
    numbers: 0,
    longestNumber: 0,
    operators: 0,
    tex: 0,
    codeMarks: 0,
    variables: 0,
    identifiers: 0,
  };
  let at = 0;
  let lineStart = true;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (lineStart && code > 32) {
      lineStart = false;
      const marker = listMarkerEnd(text, at);
      if (marker > at) {
        counts.tokens++;
        at = marker;
        continue;
      }
    }
    if (code === 10) lineStart = true;
    if (isDigit(code)) at = countNumber(text, at, counts);
    else if (isSpaceless(code)) {
      counts.tokens += spacelessWeight(code);
      at++;
    } else if (isLetter(code)) at = countWord(text, at, counts);
    else {
      countMark(text, at, counts);
      at++;
    }
  }
  return counts;
}

function countNumber(text: string, start: number, counts: CharacterCounts): number {
  let at = start + 1;
  let digits = 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) digits++;
    // A separator belongs to the number when a digit follows it.
    else if (!((code === 44 || code === 46) && isDigit(text.charCodeAt(at + 1)))) break;
    at++;
  }
  counts.numbers++;
  counts.longestNumber = Math.max(counts.longestNumber, digits);
  counts.tokens += Math.ceil(digits / 3);
  return at;
}

function countWord(text: string, start: number, counts: CharacterCounts): number {
  let at = start + 1;
  let joined = text.charCodeAt(start) === 95;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    // An underscore or an ASCII digit: snake_case, sha256.
    if (code === 95 || (code >= 48 && code <= 57)) joined = true;
    if (!isLetter(code) || isSpaceless(code)) {
      const inside = code === 46 && at + 1 < text.length && isAsciiLetter(text.charCodeAt(at + 1));
      if (!inside) break;
      joined = true;
    }
    at++;
  }
  const length = at - start;
  const code = text.charCodeAt(start);
  if (length === 1 && isVariable(text, start)) counts.variables++;
  if (joined && length > 2) counts.identifiers++;
  counts.tokens += code < 0x250 ? 1 + Math.max(0, length - 7) / 5 : length * scriptWeight(code);
  return at;
}

/** Tokens per character of a script without spaces. */
function spacelessWeight(code: number): number {
  if (code < 0x1800) return 0.3; // Thai, Lao, Khmer
  return code < 0x3400 ? 0.5 : 0.7; // Kana carry less than Han characters
}

/** Tokens per character of a word. */
function scriptWeight(code: number): number {
  if (code < 0x590) return 0.25; // Greek, Cyrillic
  if (code < 0x900) return 0.3; // Hebrew, Arabic
  if (code < 0xe00) return 0.25; // Indic scripts: signs of vowels are characters, too
  return 0.55; // Hangul and the rest
}

// Sets of character codes: a lookup for each mark of the text.
const operatorCharacters = new Set(
  [..."+=<>^*/×÷≤≥≠≈±√∑∫∏∞∈∀∃→⇒²³"].map((mark) => mark.charCodeAt(0)),
);
const codeCharacters = new Set([..."{};[]()=<>|&#@\\`"].map((mark) => mark.charCodeAt(0)));

function countMark(text: string, at: number, counts: CharacterCounts): void {
  const code = text.charCodeAt(at);
  if (code <= 32) return;
  counts.tokens += 0.4;
  if (operatorCharacters.has(code) && isOperator(text, at)) counts.operators++;
  if (code === 36) {
    // A dollar sign before a digit is money; others open a formula.
    if (!isDigit(text.charCodeAt(at + 1))) counts.tex++;
    return;
  }
  if (code === 92) {
    if (isAsciiLetter(text.charCodeAt(at + 1)) || text.charCodeAt(at + 1) === 91) counts.tex++;
    return;
  }
  if (codeCharacters.has(code) && isCodeMark(text, at)) counts.codeMarks++;
}

/** Slashes of units, paths and addresses are no divisions, and asterisks of bullets and bold text no products. */
function isOperator(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = at === 0 ? 10 : text.charCodeAt(at - 1);
  const after = text.charCodeAt(at + 1);
  if (code === 42) return before !== 42 && after !== 42 && !(before === 10 && after === 32);
  if (code !== 47) return true;
  if (before === 47 || after === 47) return false;
  if (!isLetter(before) || isDigit(before)) return !isAsciiLetter(after) || before > 32;
  if (!isLetter(after) || isDigit(after)) return true;
  return !isLetter(text.charCodeAt(at - 2)) && isVariable(text, at - 1) && isVariable(text, at + 1);
}

/** Whether the surroundings of such a character are those of code. */
function isCodeMark(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const after = text.charCodeAt(at + 1);
  const before = at === 0 ? 32 : text.charCodeAt(at - 1);
  switch (code) {
    case 123: // {
    case 125: // }
    case 59: // ;
      // At a line end or before a space; braces of TeX are followed by something else.
      return Number.isNaN(after) || after <= 32;
    case 40: // ( directly after a name is a call
      return isAsciiLetter(before) || before === 95;
    case 61: // == != => += := ->
    case 62:
      return at > 0 && "=!-+<>:".includes(text.charAt(at - 1));
    case 38: // &&
    case 124: // ||
      return after === code;
    default:
      return false;
  }
}
