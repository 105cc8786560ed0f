/** What a text looks like, counted in one pass, with nothing that depends on its script or its capitals. */
import { cueNames } from "./cues.ts";
import { countCues, isLetter, isSpaceless } from "./trie.ts";

export interface Scan {
  /** Estimated tokens, per script. */
  tokens: number;
  /** Runs of digits, of any script. */
  numbers: number;
  /** Longest run of digits. */
  longestNumber: number;
  /** Arithmetic and relation marks: + = < > ^ × ÷ ≤ … */
  operators: number;
  /** TeX: commands and formula marks. */
  tex: number;
  /** Characters typical of code: braces, semicolons, calls, arrows, comparison pairs. */
  codeMarks: number;
  fences: number;
  lines: number;
  /** Lines that begin with a bullet or a number. */
  items: number;
  /** Lines (or places) that begin with A. B) (C) …: answers to choose from. */
  options: number;
  /** Single letters that stand alone, as in formulas. */
  variables: number;
  /** Words with a mark inside: snake_case, dotted.names, paths. */
  identifiers: number;
  cues: Uint16Array;
  /** The cues of the first words alone: what is wanted, before what it is wanted of. */
  opening: Uint16Array;
}

/** Characters that count as the first words. */
const openingLength = 100;

/** Counts in a text that is already bounded in length. */
export function scan(source: string): Scan {
  const text = source.toLowerCase();
  const cues = new Uint16Array(cueNames.length);
  countCues(text, cues);
  const opening = new Uint16Array(cueNames.length);
  countCues(text.slice(0, openingLength), opening);
  const seen = countMarks(text);
  seen.tokens = Math.max(0, seen.tokens - urgeTokens * (cues[urge] ?? 0));
  return { ...seen, ...countLines(text), cues, opening };
}

const urge = cueNames.indexOf("urge");
/** Tokens of an urging, with the words round it. */
const urgeTokens = 5;

type Marks = Omit<Scan, "cues" | "opening" | "lines" | "items" | "options" | "fences">;

function countMarks(text: string): Marks {
  const seen: Marks = {
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
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) at = takeNumber(text, at, seen);
    else if (isSpaceless(code)) {
      seen.tokens += code < 0x1800 ? 0.4 : 0.8;
      at++;
    } else if (isLetter(code)) at = takeWord(text, at, seen);
    else {
      takeMark(text, at, seen);
      at++;
    }
  }
  return seen;
}

/** Digits of the scripts in use: ASCII, Arabic, Indic, Thai, full width. */
function isDigit(code: number): boolean {
  if (code < 128) return code >= 48 && code <= 57;
  if (code >= 0xff10 && code <= 0xff19) return true;
  if (code >= 0x660 && code <= 0x669) return true;
  if (code >= 0x6f0 && code <= 0x6f9) return true;
  if (code >= 0x966 && code <= 0xdef) return (code & 0x7f) >= 0x66 && (code & 0x7f) <= 0x6f;
  return code >= 0xe50 && code <= 0xe59;
}

function takeNumber(text: string, start: number, seen: Marks): number {
  let at = start + 1;
  let digits = 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) digits++;
    // A separator belongs to the number when a digit follows it.
    else if (!((code === 44 || code === 46) && isDigit(text.charCodeAt(at + 1)))) break;
    at++;
  }
  seen.numbers++;
  seen.longestNumber = Math.max(seen.longestNumber, digits);
  seen.tokens += Math.ceil(digits / 3);
  return at;
}

function takeWord(text: string, start: number, seen: Marks): number {
  let at = start + 1;
  let joined = text.charCodeAt(start) === 95;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    // snake_case, and words like sha256 or vue3.
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
  if (length === 1 && code < 128 && code !== 97 && code !== 105) seen.variables++;
  if (joined && length > 2) seen.identifiers++;
  seen.tokens += code < 0x250 ? 1 + Math.max(0, length - 7) / 5 : length * scriptWeight(code);
  return at;
}

function scriptWeight(code: number): number {
  if (code < 0x590) return 0.25; // Greek, Cyrillic
  if (code < 0x900) return 0.3; // Hebrew, Arabic
  if (code < 0xe00) return 0.35; // Indic scripts
  return 0.6; // Hangul and the rest
}

function isAsciiLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

const operatorMarks = new Set([..."+=<>^*/×÷≤≥≠≈±√∑∫∏∞∈∀∃→⇒²³"].map((mark) => mark.charCodeAt(0)));
const codeCharacters = new Set([..."{};[]()=<>|&#@\\`"].map((mark) => mark.charCodeAt(0)));

function takeMark(text: string, at: number, seen: Marks): void {
  const code = text.charCodeAt(at);
  if (code <= 32) return;
  seen.tokens += 0.4;
  if (operatorMarks.has(code)) seen.operators++;
  if (code === 36) {
    // A dollar before a digit is money; one before a letter or a backslash opens a formula.
    if (!isDigit(text.charCodeAt(at + 1))) seen.tex++;
    return;
  }
  if (code === 92) {
    if (isAsciiLetter(text.charCodeAt(at + 1)) || text.charCodeAt(at + 1) === 91) seen.tex++;
    return;
  }
  if (codeCharacters.has(code)) takeCodeMark(text, at, seen);
}

function takeCodeMark(text: string, at: number, seen: Marks): void {
  const code = text.charCodeAt(at);
  const after = text.charCodeAt(at + 1);
  const before = at === 0 ? 32 : text.charCodeAt(at - 1);
  switch (code) {
    case 123: // {
    case 125: // }
    case 59: // ;
      // Braces of TeX stand behind a command or a letter-mark; those of code before a line's end or a blank.
      if (Number.isNaN(after) || after <= 32) seen.codeMarks++;
      return;
    case 40: // ( directly behind a name is a call
      if (isAsciiLetter(before) || before === 95) seen.codeMarks++;
      return;
    case 61: // == != => += := ->
    case 62:
      if ("=!-+<>:".includes(text.charAt(at - 1)) && at > 0) seen.codeMarks++;
      return;
    case 38:
    case 124:
      if (after === code) seen.codeMarks++;
      return;
    default:
  }
}

function countLines(text: string): Pick<Scan, "lines" | "items" | "options" | "fences"> {
  const seen = { lines: 0, items: 0, options: 0, fences: 0 };
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    readLine(text, { start, end }, seen);
    start = end + 1;
  }
  return seen;
}

type Lines = { lines: number; items: number; options: number; fences: number };

function readLine(text: string, { start, end }: { start: number; end: number }, seen: Lines): void {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at++;
  if (at === end) return;
  seen.lines++;
  const code = text.charCodeAt(at);
  if (
    (code === 96 || code === 126) &&
    text.charCodeAt(at + 1) === code &&
    text.charCodeAt(at + 2) === code
  ) {
    seen.fences++;
    return;
  }
  if (isOption(text, at)) seen.options++;
  else if (isItem(text, at, code)) seen.items++;
}

/** `a.` `a)` `(a)` with a to j and a blank behind. */
function isOption(text: string, start: number): boolean {
  const at = text.charCodeAt(start) === 40 ? start + 1 : start;
  const code = text.charCodeAt(at);
  const mark = text.charCodeAt(at + 1);
  return code >= 97 && code <= 106 && (mark === 46 || mark === 41) && text.charCodeAt(at + 2) <= 32;
}

function isItem(text: string, at: number, code: number): boolean {
  const after = text.charCodeAt(at + 1);
  if (code === 45 || code === 42 || code === 0x2022) return after === 32;
  return (
    isDigit(code) &&
    (after === 46 || after === 41 || (isDigit(after) && text.charCodeAt(at + 2) === 46))
  );
}
