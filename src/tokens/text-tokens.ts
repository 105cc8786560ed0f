/**
 * Estimates the tokens of a text without a tokenizer. A small automaton reads it once and adds for each character
 * what tokenizers usually make of it: one token for a common word, for three digits, for adjacent marks, for a line
 * end or an indent; more for long words, encoded data and other scripts. No step is negative, so that more text
 * never has fewer tokens, and none branches on the text, which makes it fast.
 */

/** Characters that are read completely; behind them, windows are sampled. */
export const completeLength = 131_072;
/** Characters of a window. */
export const windowLength = 512;
/** One of so many windows is read; half as many with every doubling of the length, so each doubling costs the same. */
export const firstStride = 8;

/** Estimated tokens of a text; 0 only for the empty text, never less for a longer text that begins the same. */
export function estimateTokens(text: string): number {
  return Math.ceil(textTokens(text));
}

/** The estimate before rounding, for sums over many short texts. */
export function textTokens(text: string): number {
  if (text.length <= completeLength) return rangeTokens(text, 0, text.length);
  let tokens = rangeTokens(text, 0, completeLength);
  let start = completeLength;
  for (let stride = firstStride; start < text.length; stride *= 2) {
    const end = Math.min(text.length, start * 2);
    for (; start < end; start += windowLength * stride) {
      // A window stands for its stride as far as the text goes, so that every character adds.
      const share = Math.min(stride, Math.max(1, (text.length - start) / windowLength));
      tokens += rangeTokens(text, start, Math.min(start + windowLength, text.length)) * share;
    }
  }
  return tokens;
}

/** Estimated tokens of a part of a text. */
export function rangeTokens(text: string, start: number, end: number): number {
  let tokens = 0;
  let state = 0;
  let last = -1;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    let kind = code < 128 ? asciiKinds[code] : highKinds[code >> 4];
    if (code === last) kind = repeatedKinds[kind ?? 0];
    last = code;
    // The tables cover every kind in every state: the fallbacks are for the compiler.
    const step = state | (kind ?? 0);
    tokens += stepTokens[step] ?? 0;
    state = nextStates[step] ?? 0;
  }
  return tokens;
}

// Kinds of UTF-16 units.
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
/** Half of a surrogate pair: emoji and rare letters. */
const surrogate = 15;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => asciiKind(code));
const highKinds = Uint8Array.from({ length: 4096 }, (_, page) => highKind(page * 16));
/** The kind of a unit that equals the one before. */
const repeatedKinds = Uint8Array.from({ length: 16 }, (_, kind) =>
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
  return code < 0xe000 ? surrogate : ideogram;
}

// States: what was read last. A state with several lengths has one number for each.
const begin = 0;
const oneSpace = 1;
const spaces = 2;
const lines = 3;
const oneMark = 4;
const marks = 5;
/** One to three capitals, and more. */
const capitals = 6;
/** One to three digits of a number. */
const number = 10;
/** Digits after letters. */
const suffix = 13;
/** Letters and digits in turns: encoded data, of which a token covers few characters. */
const dataDigits = 16;
const dataStart = 19;
const data = 20;
/** One to sixteen letters of a word, and more. */
const word = 21;
const wordStates = 17;
const stateCount = word + wordStates;

/** Tokens by kind, from `sign` on. */
const signTokens = [0.9, 0.45, 0.55, 0.75, 0.9, 0.2, 1, 1.2];

/** One step of the automaton: the tokens that it adds and the next state. */
interface AutomatonStep {
  readonly tokens: number;
  readonly to: number;
}

const steps = Array.from({ length: stateCount * 16 }, (_, at) => stepOf(at >> 4, at & 15));
const stepTokens = Float64Array.from(steps, (step) => step.tokens);
const nextStates = Uint16Array.from(steps, (step) => step.to * 16);

function stepOf(from: number, kind: number): AutomatonStep {
  switch (kind) {
    case space:
      // One space belongs to the next token.
      if (from === oneSpace) return { tokens: 0.85, to: spaces };
      return from === spaces ? { tokens: 0.02, to: spaces } : { tokens: 0, to: oneSpace };
    case line:
      if (from === lines) return { tokens: 0.05, to: lines };
      return { tokens: from === oneMark || from === marks ? 0.2 : 0.95, to: lines };
    case mark:
    case sameMark:
      if (from !== oneMark && from !== marks) return { tokens: 0.95, to: oneMark };
      return { tokens: kind === sameMark ? 0.03 : 0.25, to: marks };
    case digit:
      return digitStep(from);
    case lower:
      return letterStep(from);
    case accent: {
      const { tokens, to } = letterStep(from);
      return { tokens: tokens + 0.5, to };
    }
    case upper:
      return capitalStep(from);
    default:
      return { tokens: signTokens[kind - sign] ?? 1, to: begin };
  }
}

function digitStep(from: number): AutomatonStep {
  if (from >= dataStart && from < word) return { tokens: 1, to: dataDigits };
  if (from >= word || (from >= capitals && from < number)) return { tokens: 1, to: suffix };
  if (from >= number) {
    const full = (from - number) % 3 === 2;
    return full ? { tokens: 1.1, to: from - 2 } : { tokens: 0.1, to: from + 1 };
  }
  return { tokens: from === oneSpace ? 1.8 : 1, to: number };
}

function letterStep(from: number): AutomatonStep {
  if (from >= word) {
    const length = Math.min(from - word + 2, wordStates);
    return { tokens: letterTokens(length), to: word + length - 1 };
  }
  if (from === capitals) return { tokens: 0, to: word + 1 };
  if (from >= dataStart) return { tokens: 0.4, to: data };
  return wordStartStep(from, word);
}

function capitalStep(from: number): AutomatonStep {
  if (from >= capitals && from < number) {
    const to = Math.min(from + 1, number - 1);
    return { tokens: to === number - 1 ? 0.3 : 0, to };
  }
  return from === dataStart || from === data
    ? { tokens: 1, to: dataStart }
    : wordStartStep(from, capitals);
}

/** The first letter of a word; one mark before it is often part of its token. */
function wordStartStep(from: number, to: number): AutomatonStep {
  if (from >= suffix && from < word) return { tokens: 1, to: dataStart };
  return { tokens: from === oneMark ? 0.75 : 1.05, to };
}

/** Common words are one token; what is longer than any word is split into tokens of three letters. */
function letterTokens(length: number): number {
  if (length <= 7) return 0;
  return length < wordStates ? 1 / 6 : 1 / 3;
}
