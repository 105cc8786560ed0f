/**
 * Tokens of a text without a tokenizer. A small automaton reads it once and adds, letter by letter, what tokenizers
 * usually make of it: one token for a usual word, for three digits, for marks that go together, for a line end or an
 * indent; more for long words, encoded data and other scripts. It has no weight below zero, so that more text never
 * has fewer tokens, and no branch that depends on the text, which is what makes it fast.
 */

/** Texts are weighed whole up to here. */
const wholeUpTo = 131_072;
/** How often a stretch twice as long is looked into; every doubling costs the same, an eighth of the whole part. */
const windowLength = 512;
const firstStride = 8;

/** Estimated tokens of a text; 0 only for the empty text, never less for a longer text that begins the same. */
export function estimateTokens(text: string): number {
  return Math.ceil(textWeight(text));
}

/** The estimate before rounding, for sums over many short texts. */
export function textWeight(text: string): number {
  if (text.length <= wholeUpTo) return weigh(text, 0, text.length);
  let weight = weigh(text, 0, wholeUpTo);
  let start = wholeUpTo;
  for (let stride = firstStride; start < text.length; stride *= 2) {
    const end = Math.min(text.length, start * 2);
    for (; start < end; start += windowLength * stride) {
      // A window speaks for the stride behind it as far as that has text, so that every character adds.
      const share = Math.min(stride, Math.max(1, (text.length - start) / windowLength));
      weight += weigh(text, start, Math.min(start + windowLength, text.length)) * share;
    }
  }
  return weight;
}

function weigh(text: string, start: number, end: number): number {
  let weight = 0;
  let state = 0;
  let last = -1;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    let kind = code < 128 ? asciiKinds[code] : highKinds[code >> 4];
    if (code === last) kind = repeated[kind ?? 0];
    last = code;
    // The tables cover every kind in every state; without bounds the compiler wants it said.
    const step = state | (kind ?? 0);
    weight += weights[step] ?? 0;
    state = states[step] ?? 0;
  }
  return weight;
}

// What a UTF-16 unit is.
const space = 0;
const line = 1;
const lower = 2;
const upper = 3;
const digit = 4;
const mark = 5;
const sameMark = 6;
/** A Latin letter with an accent: part of a word. */
const accent = 7;
const sign = 8;
const alphabet = 9;
const abjad = 10;
const indic = 11;
const symbol = 12;
const sameSymbol = 13;
const ideogram = 14;
/** Half of a pair: emoji and rare letters. */
const half = 15;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => asciiKind(code));
const highKinds = Uint8Array.from({ length: 4096 }, (_, page) => highKind(page * 16));
const repeated = Uint8Array.from({ length: 16 }, (_, kind) =>
  kind === mark ? sameMark : kind === symbol ? sameSymbol : kind,
);

function asciiKind(code: number): number {
  if (code === 10 || code === 13) return line;
  if (code <= 32) return space;
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  return code >= 48 && code <= 57 ? digit : mark;
}

function highKind(code: number): number {
  if (code < 0xc0) return sign; // degree, section, guillemets
  if (code < 0x250) return accent;
  if (code < 0x590) return alphabet; // Greek, Cyrillic, Armenian
  if (code < 0x900) return abjad; // Hebrew, Arabic
  if (code < 0x1e00) return indic; // Indic scripts, Thai, Georgian
  if (code < 0x1f00) return accent; // Vietnamese
  if (code < 0x2000) return alphabet;
  if (code < 0x2e80) return symbol; // typographic marks, arrows, box drawing
  if (code < 0xd800) return ideogram; // Chinese, Japanese, Korean
  return code < 0xe000 ? half : ideogram;
}

// What stands before it.
const begin = 0;
const oneSpace = 1;
const spaces = 2;
const lines = 3;
const oneMark = 4;
const marks = 5;
/** One to four capitals, and more. */
const capitals = 6;
/** One to three digits of a number; digits behind letters; digits in encoded data. */
const number = 10;
const suffix = 13;
const codeNumber = 16;
/** Letters and digits in turn: encoded data, which tokens fit badly. */
const codeStart = 19;
const code = 20;
/** One to seventeen letters of a word, and more. */
const word = 21;
const longestWord = 17;
const stateCount = word + longestWord;

/** By kind, from `sign` on. */
const signWeights = [0.9, 0.45, 0.55, 0.75, 0.9, 0.2, 1, 1.2];

interface Step {
  weight: number;
  to: number;
}

const steps = Array.from({ length: stateCount * 16 }, (_, at) => stepOf(at >> 4, at & 15));
const weights = Float64Array.from(steps, (step) => step.weight);
const states = Uint16Array.from(steps, (step) => step.to * 16);

function stepOf(from: number, kind: number): Step {
  switch (kind) {
    case space:
      // One space belongs to what stands behind it.
      if (from === oneSpace) return { weight: 0.85, to: spaces };
      return from === spaces ? { weight: 0.02, to: spaces } : { weight: 0, to: oneSpace };
    case line:
      if (from === lines) return { weight: 0.05, to: lines };
      return { weight: from === oneMark || from === marks ? 0.2 : 0.95, to: lines };
    case mark:
    case sameMark:
      if (from !== oneMark && from !== marks) return { weight: 0.95, to: oneMark };
      return { weight: kind === sameMark ? 0.03 : 0.25, to: marks };
    case digit:
      return digitStep(from);
    case lower:
      return letterStep(from);
    case accent: {
      const { weight, to } = letterStep(from);
      return { weight: weight + 0.5, to };
    }
    case upper:
      return capitalStep(from);
    default:
      return { weight: signWeights[kind - sign] ?? 1, to: begin };
  }
}

function digitStep(from: number): Step {
  if (from >= codeStart && from < word) return { weight: 1, to: codeNumber };
  if (from >= word || (from >= capitals && from < number)) return { weight: 1, to: suffix };
  if (from >= number) {
    const full = (from - number) % 3 === 2;
    return full ? { weight: 1.1, to: from - 2 } : { weight: 0.1, to: from + 1 };
  }
  return { weight: from === oneSpace ? 1.8 : 1, to: number };
}

function letterStep(from: number): Step {
  if (from >= word) {
    const length = Math.min(from - word + 2, longestWord);
    return { weight: letterWeight(length), to: word + length - 1 };
  }
  if (from === capitals) return { weight: 0, to: word + 1 };
  if (from >= codeStart) return { weight: 0.4, to: code };
  return pieceStep(from, word);
}

function capitalStep(from: number): Step {
  if (from >= capitals && from < number) {
    const to = Math.min(from + 1, number - 1);
    return { weight: to === number - 1 ? 0.3 : 0, to };
  }
  return from === codeStart || from === code
    ? { weight: 1, to: codeStart }
    : pieceStep(from, capitals);
}

/** The first letter of a piece; one mark before it is often part of it. */
function pieceStep(from: number, to: number): Step {
  if (from >= suffix && from < word) return { weight: 1, to: codeStart };
  return { weight: from === oneMark ? 0.75 : 1.05, to };
}

/** Usual words are one token; what is longer than a word falls into pieces of three letters. */
function letterWeight(length: number): number {
  if (length <= 7) return 0;
  return length < longestWord ? 1 / 6 : 1 / 3;
}
