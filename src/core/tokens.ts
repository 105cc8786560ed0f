/**
 * How many tokens a text or a request has, estimated without a tokenizer: one pass over the characters that
 * counts words, digit groups, runs of marks and letters of other scripts, with weights fitted to the usage
 * numbers that providers reported for real requests.
 */
import type { JsonObject } from "../lib/json.ts";
import type { FormatName } from "./format.ts";
import type { Block, MediaBlock, Tool, Turn } from "./turn.ts";

/** Longer texts are weighed in evenly spaced windows, so that the cost of one estimate is bounded. */
const wholeUpTo = 262_144;
const windowLength = 8192;

/** What stands round the words of a request, in tokens. Providers put different things there. */
interface Frame {
  request: number;
  message: number;
  call: number;
  result: number;
  /** Once, if there are tools: what the provider says about using them. */
  toolList: number;
  tool: number;
  /** How many tokens of a tool's schema are left of one token of its JSON text. */
  schema: number;
  /** An image of usual size: its true size is not known without decoding it. */
  image: number;
  /** A page of a PDF. */
  page: number;
}

const openAi: Frame = {
  request: 3,
  message: 4,
  call: 2,
  result: 2,
  toolList: 8,
  tool: 8,
  schema: 0.5,
  image: 765,
  page: 1000,
};

const frames: Record<FormatName, Frame> = {
  chat: openAi,
  responses: openAi,
  messages: {
    request: 3,
    message: 4,
    call: 30,
    result: 25,
    toolList: 470,
    tool: 10,
    schema: 1,
    image: 1300,
    page: 2000,
  },
  gemini: {
    request: 0,
    message: 0,
    call: 5,
    result: 8,
    toolList: 0,
    tool: 12,
    schema: 0.5,
    image: 258,
    page: 258,
  },
};

/** How much base64 a page of a PDF usually takes. */
const pageLength = 90_000;
/** Speech takes about 2,000 tokens a minute, and a minute of compressed sound about 1.3 MB of base64. */
const audioTokens = 0.0015;
const videoTokens = 5000;
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

/**
 * Estimated tokens that a provider of the dialect `reader` (unless said: the client's own) reads for this request:
 * instructions, tools, history, media and their frames.
 */
export function estimateTurn(turn: Turn, reader: FormatName = turn.format): number {
  const frame = frames[reader];
  let tokens = frame.request;
  if (turn.output?.type === "schema") tokens += schemaTokens(turn.output.schema, frame);
  for (const message of turn.messages)
    tokens += frame.message + blocksTokens(message.blocks, frame);
  if (turn.tools.length > 0) tokens += frame.toolList;
  for (const tool of turn.tools) tokens += toolTokens(tool, frame);
  return Math.max(1, Math.round(tokens));
}

/** The answer to a client that asks how many tokens its request has. */
export function countTokens(turn: Turn, reader: FormatName = turn.format): number {
  return estimateTurn(turn, reader);
}

function schemaTokens(schema: JsonObject, frame: Frame): number {
  return estimateTokens(JSON.stringify(schema)) * frame.schema;
}

function toolTokens(tool: Tool, frame: Frame): number {
  if (tool.kind === "hosted") return hostedToolTokens;
  // A deferred tool is not shown to the model until something names it.
  if (tool.kind === "function" && tool.deferred === true) return 0;
  const words = estimateTokens(tool.name) + estimateTokens(tool.description ?? "");
  const shape = tool.kind === "function" ? tool.schema : tool.grammar;
  return frame.tool + words + (shape ? schemaTokens(shape, frame) : 0);
}

function blocksTokens(blocks: readonly Block[], frame: Frame): number {
  let tokens = 0;
  for (const block of blocks) tokens += blockTokens(block, frame);
  return tokens;
}

function blockTokens(block: Block, frame: Frame): number {
  switch (block.kind) {
    case "text":
    case "refusal":
    case "thinking":
      return estimateTokens(block.text);
    case "call":
      return frame.call + estimateTokens(block.name) + estimateTokens(block.input);
    case "result":
      return frame.result + blocksTokens(block.blocks, frame);
    case "media":
      return mediaTokens(block, frame);
    case "reference":
      return 4 + estimateTokens(block.tool);
    case "opaque":
      return block.text === undefined ? 0 : estimateTokens(block.text);
    default:
      return block satisfies never;
  }
}

function mediaTokens(block: MediaBlock, frame: Frame): number {
  const { source } = block;
  if (source.type === "text") return estimateTokens(source.text);
  if (source.type === "blocks") return blocksTokens(source.blocks, frame);
  const length = source.type === "bytes" ? source.data.length : undefined;
  switch (block.media) {
    case "image":
      return frame.image;
    case "audio":
      return length === undefined ? frame.page : length * audioTokens;
    case "video":
      return videoTokens;
    case "document":
      return frame.page * Math.max(0.2, (length ?? 2 * pageLength) / pageLength);
    default:
      return block.media satisfies never;
  }
}
