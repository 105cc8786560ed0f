/**
 * How many tokens a text or a request has, estimated without a tokenizer: one pass over the characters that
 * counts words, digit groups, runs of marks and letters of other scripts, with weights fitted to the usage
 * numbers that providers reported for real requests.
 */
import type { Block, MediaBlock, Message, OutputShape, Tool, Turn } from "./turn.ts";

/** Longer texts are weighed in evenly spaced windows, so that the cost of one estimate is bounded. */
const wholeUpTo = 262_144;
const windowLength = 8192;

/** One image of usual size: its true size is not known without decoding it. */
const imageTokens = 1200;
/** A page of a PDF, and how much base64 a page usually takes. */
const pageTokens = 1800;
const pageLength = 90_000;
/** Speech takes about 2,000 tokens a minute, and a minute of compressed sound about 1.3 MB of base64. */
const audioTokens = 0.0015;
const videoTokens = 5000;

const messageOverhead = 4;
const callOverhead = 14;
const resultOverhead = 12;
const toolOverhead = 12;
/** What providers put in front of a list of tools. */
const toolListOverhead = 60;
const hostedToolTokens = 300;

const space = 0;
const line = 1;
const lower = 2;
const upper = 3;
const digit = 4;
const mark = 5;
const other = 6;

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => asciiKind(code));

function asciiKind(code: number): number {
  if (code === 10 || code === 13) return line;
  if (code <= 32) return space;
  if (code >= 97 && code <= 122) return lower;
  if (code >= 65 && code <= 90) return upper;
  if (code >= 48 && code <= 57) return digit;
  return mark;
}

/** Estimated tokens of a text; 0 only for the empty text. */
export function estimateTokens(text: string): number {
  if (text.length <= wholeUpTo) return Math.ceil(weigh(text, 0, text.length));
  const windows = wholeUpTo / windowLength;
  const step = (text.length - windowLength) / (windows - 1);
  let weight = 0;
  for (let n = 0; n < windows; n++) {
    const start = Math.floor(n * step);
    weight += weigh(text, start, start + windowLength);
  }
  return Math.ceil((weight * text.length) / wholeUpTo);
}

function weigh(text: string, start: number, end: number): number {
  let weight = 0;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? asciiKinds[code] : other;
    let next = at + 1;
    if (kind === other) {
      weight += letterWeight(code);
    } else if (kind === lower || kind === upper) {
      // A capital starts a word; a run of capitals is one word.
      while (next < end && kindAt(text, next) === lower) next++;
      if (next === at + 1 && kind === upper)
        while (next < end && kindAt(text, next) === upper) next++;
      weight += wordWeight(next - at);
    } else {
      while (next < end && kindAt(text, next) === kind) next++;
      weight += runWeight(kind, next - at);
    }
    at = next;
  }
  return weight;
}

function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (asciiKinds[code] ?? other) : other;
}

/** Words up to six letters are mostly one token. */
function wordWeight(length: number): number {
  return length <= 6 ? 1 : 1 + (length - 6) / 5;
}

function runWeight(kind: number | undefined, length: number): number {
  switch (kind) {
    case space:
      // One space belongs to the word behind it.
      return length === 1 ? 0 : 0.7 + length / 40;
    case line:
      return 0.8 + length / 20;
    case digit:
      return Math.ceil(length / 3);
    default:
      return 0.6 + length * 0.35;
  }
}

/** Weight of one UTF-16 unit outside ASCII, by script. */
function letterWeight(code: number): number {
  if (code < 0x250) return 0.6; // Latin with accents
  if (code < 0x590) return 0.45; // Greek, Cyrillic, Armenian
  if (code < 0x900) return 0.55; // Hebrew, Arabic
  if (code < 0x1100) return 0.75; // Indic scripts, Thai, Georgian
  if (code >= 0x2000 && code < 0x2e80) return 0.9; // marks, arrows, box drawing
  if (code >= 0x2e80 && code < 0xd800) return 1; // Chinese, Japanese, Korean
  if (code < 0xe000) return 1.2; // half of a pair: emoji and rare letters
  return 1;
}

/** Estimated tokens that a provider reads for this request: instructions, tools, history, media and their frames. */
export function estimateTurn(turn: Turn): number {
  let tokens = turn.output ? outputTokens(turn.output) : 0;
  for (const message of turn.messages) tokens += messageTokens(message);
  if (turn.tools.length > 0) tokens += toolListOverhead;
  for (const tool of turn.tools) tokens += toolTokens(tool);
  return Math.max(1, Math.round(tokens));
}

/** The answer to a client that asks how many tokens its request has. */
export function countTokens(turn: Turn): number {
  return estimateTurn(turn);
}

function outputTokens(output: OutputShape): number {
  return output.type === "schema" ? 20 + estimateTokens(JSON.stringify(output.schema)) : 0;
}

function messageTokens(message: Message): number {
  let tokens = messageOverhead;
  for (const block of message.blocks) tokens += blockTokens(block);
  return tokens;
}

function toolTokens(tool: Tool): number {
  if (tool.kind === "hosted") return hostedToolTokens;
  // A deferred tool is not shown to the model until something names it.
  if (tool.kind === "function" && tool.deferred === true) return 0;
  const words = estimateTokens(tool.name) + estimateTokens(tool.description ?? "");
  const shape = tool.kind === "function" ? tool.schema : tool.grammar;
  return toolOverhead + words + (shape ? estimateTokens(JSON.stringify(shape)) : 0);
}

function blockTokens(block: Block): number {
  switch (block.kind) {
    case "text":
    case "refusal":
      return estimateTokens(block.text);
    case "thinking":
      return estimateTokens(block.text);
    case "call":
      return callOverhead + estimateTokens(block.name) + estimateTokens(block.input);
    case "result":
      return block.blocks.reduce((sum, part) => sum + blockTokens(part), resultOverhead);
    case "media":
      return mediaTokens(block);
    case "reference":
      return 4 + estimateTokens(block.tool);
    case "opaque":
      return block.text === undefined ? 0 : estimateTokens(block.text);
    default:
      return block satisfies never;
  }
}

function mediaTokens(block: MediaBlock): number {
  const { source } = block;
  if (source.type === "text") return estimateTokens(source.text);
  if (source.type === "blocks")
    return source.blocks.reduce((sum, part) => sum + blockTokens(part), 0);
  switch (block.media) {
    case "image":
      return imageTokens;
    case "audio":
      return source.type === "bytes" ? source.data.length * audioTokens : imageTokens;
    case "video":
      return videoTokens;
    case "document":
      return source.type === "bytes"
        ? pageTokens * Math.max(1, Math.round(source.data.length / pageLength))
        : pageTokens * 2;
    default:
      return block.media satisfies never;
  }
}
