/**
 * Estimates the tokens of a request without a tokenizer: its texts, what providers add to them, and media by their
 * headers. The constants follow how tokenizers split text and what providers document, checked against the usage
 * that providers reported for real requests.
 *
 * Only the request itself is counted: what a provider's own tools fetch while it answers is unknown beforehand.
 */
import type { FormatName } from "../core/format-name.ts";
import type {
  Block,
  MediaBlock,
  Message,
  ModelRequest,
  OpaqueState,
  Tool,
} from "../core/request.ts";
import { audioSeconds, pdfPages, pixelSize, textStart } from "./attachments.ts";
import { encryptedCharactersPerToken, jsonTokens } from "./json-tokens.ts";
import { tokenOverheads, type TokenOverhead } from "./overhead.ts";
import { TextCounter } from "./text-counter.ts";
import { textTokens } from "./text-tokens.ts";

/** Base64 characters per token of a video of usual quality. */
const videoCharactersPerToken = 550;
/** For media that the request only refers to. */
const referencedVideoTokens = 5000;
const referencedPages = 3;
const referencedSeconds = 60;
/** Bytes of a text file whose tokens per byte stand for the whole file. */
const textSampleBytes = 6000;

/**
 * Estimated input tokens as a provider of `format` counts them (by default the client's own format):
 * instructions, tools, history, media and the provider's overhead.
 */
export function estimateRequest(
  request: ModelRequest,
  format: FormatName = request.format,
): number {
  const overhead = tokenOverheads[format];
  const lastAsk = overhead.opaqueReasoning.dropsEarlier ? lastAskIndex(request.messages) : 0;
  const counting = { overhead, format, texts: new TextCounter() };
  let tokens = overhead.request + toolsTokens(request, counting);
  tokens += outputSchemaTokens(request, counting);
  const before = { ...counting, showsReasoning: false };
  const since = { ...counting, showsReasoning: true };
  request.messages.forEach(({ blocks }, index) => {
    tokens += overhead.message + blocksTokens(blocks, index >= lastAsk ? since : before);
  });
  return Math.max(1, Math.round(tokens));
}

/** The answer to a client that asks for the number of tokens of a request. */
export function countTokens(request: ModelRequest, format: FormatName = request.format): number {
  return estimateRequest(request, format);
}

interface RequestCounting {
  readonly overhead: TokenOverhead;
  readonly format: FormatName;
  /** All texts of the request are counted by it, so that a long request costs little more than a short one. */
  readonly texts: TextCounter;
}

interface CountingContext extends RequestCounting {
  /** Whether reasoning at this place of the conversation is shown to the model again. */
  readonly showsReasoning: boolean;
}

/** Index of the last user message with more than tool results. */
function lastAskIndex(messages: readonly Message[]): number {
  return messages.findLastIndex(
    ({ role, blocks }) => role === "user" && blocks.some(({ kind }) => kind !== "result"),
  );
}

function outputSchemaTokens({ output }: ModelRequest, counting: RequestCounting): number {
  if (output?.type !== "schema") return 0;
  const { fixed, share } = counting.overhead.outputSchema;
  return fixed + jsonTokens(output.schema, "structure", counting) * share;
}

function toolsTokens({ tools, messages, choice }: ModelRequest, counting: RequestCounting): number {
  if (tools.length === 0) return 0;
  const { overhead } = counting;
  const isForced = choice?.type === "required" || choice?.type === "tool";
  let tokens = overhead.toolList + (isForced ? overhead.forcedCall : 0);
  const isShown = shownTools(tools, messages);
  for (const tool of tools) if (isShown(tool)) tokens += toolTokens(tool, counting);
  return tokens;
}

/** A deferred tool is not shown to the model until a result refers to it. */
function shownTools(tools: readonly Tool[], messages: readonly Message[]): (tool: Tool) => boolean {
  const isDeferred = (tool: Tool): boolean => tool.kind === "function" && tool.deferred === true;
  if (!tools.some(isDeferred)) return () => true;
  const loaded = new Set<string>();
  const collect = (block: Block): void => {
    if (block.kind === "reference") loaded.add(block.tool);
    else if (block.kind === "result") block.blocks.forEach(collect);
  };
  for (const { blocks } of messages) blocks.forEach(collect);
  return (tool) => tool.kind === "hosted" || !isDeferred(tool) || loaded.has(tool.name);
}

function toolTokens(tool: Tool, counting: RequestCounting): number {
  const { overhead, texts } = counting;
  if (tool.kind === "hosted") return overhead.hostedTool[tool.means ?? "other"];
  const definition = tool.kind === "function" ? tool.schema : tool.grammar;
  const text = texts.count(tool.name) + texts.count(tool.description ?? "");
  return overhead.tool + text + (definition ? jsonTokens(definition, "structure", counting) : 0);
}

function blocksTokens(blocks: readonly Block[], context: CountingContext): number {
  let tokens = 0;
  for (const block of blocks) tokens += blockTokens(block, context);
  return tokens;
}

function blockTokens(block: Block, context: CountingContext): number {
  const { overhead, format, texts, showsReasoning } = context;
  switch (block.kind) {
    case "text":
    case "refusal":
      return texts.count(block.text);
    case "thinking":
      // The visible text is a summary of the opaque reasoning.
      return showsReasoning
        ? Math.max(texts.count(block.text), opaqueReasoningTokens(block.state, context))
        : 0;
    case "call": {
      const reasoning = showsReasoning ? opaqueReasoningTokens(block.state, context) : 0;
      return overhead.call + texts.count(block.name) + texts.count(block.input) + reasoning;
    }
    case "result":
      return overhead.result + blocksTokens(block.blocks, context);
    case "media":
      return mediaTokens(block, context);
    case "reference":
      return 4 + texts.count(block.tool);
    case "opaque":
      if (block.text !== undefined) return texts.count(block.text);
      // Only sent to providers of its own format.
      return block.format === format ? jsonTokens(block.raw, "text", context) : 0;
    default:
      return block satisfies never;
  }
}

/** Reasoning that only its provider can read, by its length; only sent to providers of its own format. */
function opaqueReasoningTokens(
  state: OpaqueState | undefined,
  { overhead, format }: CountingContext,
): number {
  if (state === undefined || state.format !== format) return 0;
  const length = Math.max(0, state.data.length - overhead.opaqueReasoning.wrapperLength);
  return length / encryptedCharactersPerToken;
}

function mediaTokens(block: MediaBlock, context: CountingContext): number {
  const { source } = block;
  const { overhead, texts } = context;
  if (source.type === "text") return texts.count(source.text);
  if (source.type === "blocks") return blocksTokens(source.blocks, context);
  const file = source.type === "bytes" ? source : undefined;
  switch (block.media) {
    case "image":
      return overhead.image(file && pixelSize(file.data), block.detail);
    case "audio":
      return overhead.audioSecond * (file ? audioSeconds(file.data, file.mime) : referencedSeconds);
    case "video":
      return file ? file.data.length / videoCharactersPerToken : referencedVideoTokens;
    case "document":
      return file ? documentTokens(file, overhead) : overhead.pdfPage * referencedPages;
    default:
      return block.media satisfies never;
  }
}

interface EncodedFile {
  readonly mime: string;
  /** Base64. */
  readonly data: string;
}

function documentTokens({ mime, data }: EncodedFile, overhead: TokenOverhead): number {
  const isText =
    /^text\/|json|xml|yaml|csv|javascript/.test(mime) && !mime.includes("officedocument");
  const start = isText ? textStart(data, textSampleBytes) : undefined;
  if (start === undefined) return overhead.pdfPage * pdfPages(data);
  return textTokens(start) * Math.max(1, (data.length * 0.75) / textSampleBytes);
}
