/**
 * How many tokens a request has, estimated without a tokenizer: the weight of its texts, what providers put round
 * them, and media by what their first bytes tell. Weights and frames follow how tokenizers cut and what providers
 * document, checked against the usage numbers that they reported for real requests.
 *
 * Counted is what the request itself brings. What a provider's own tools fetch while it answers nobody knows before.
 */
import { pdfPages, pixelSize, soundSeconds, textStart } from "./attachments.ts";
import type { FormatName } from "../core/format-name.ts";
import { frames, type Frame } from "./overhead.ts";
import { jsonTokens, sealedToken } from "./json-tokens.ts";
import type {
  Block,
  MediaBlock,
  Message,
  OpaqueState,
  Tool,
  ModelRequest,
} from "../core/request.ts";
import { estimateTokens, textWeight } from "./text-weight.ts";

export { estimateTokens };

/** Characters of base64 a token of video of usual quality; a video that is only named. */
const videoToken = 550;
const namedVideo = 5000;
const namedPages = 3;
const namedSeconds = 60;
/** Bytes of a text file whose density stands for the whole. */
const sample = 6000;

/**
 * Estimated tokens that a provider of the dialect `reader` (unless said: the client's own) reads for this request:
 * instructions, tools, history, media and their frames.
 */
export function estimateRequest(
  request: ModelRequest,
  reader: FormatName = request.format,
): number {
  const frame = frames[reader];
  const question = frame.sealed.forgets ? lastQuestion(request.messages) : 0;
  let tokens = frame.request + toolsTokens(request, frame);
  if (request.output?.type === "schema")
    tokens +=
      frame.answer.once +
      jsonTokens(request.output.schema, "structure", frame) * frame.answer.share;
  for (const [index, { blocks }] of request.messages.entries()) {
    const reading = { frame, reader, recalls: index >= question };
    tokens += frame.message + blocksTokens(blocks, reading);
  }
  return Math.max(1, Math.round(tokens));
}

/** The answer to a client that asks how many tokens its request has. */
export function countTokens(request: ModelRequest, reader: FormatName = request.format): number {
  return estimateRequest(request, reader);
}

interface Reading {
  frame: Frame;
  reader: FormatName;
  /** Whether reasoning at this place of the conversation is shown to the model again. */
  recalls: boolean;
}

/** Where the last message of the user stands that says more than tools' results. */
function lastQuestion(messages: readonly Message[]): number {
  return messages.findLastIndex(
    ({ role, blocks }) => role === "user" && blocks.some(({ kind }) => kind !== "result"),
  );
}

function toolsTokens({ tools, messages, choice }: ModelRequest, frame: Frame): number {
  if (tools.length === 0) return 0;
  const isForced = choice?.type === "required" || choice?.type === "tool";
  let tokens = frame.toolList + (isForced ? frame.forcedCall : 0);
  const isShown = shownTools(tools, messages);
  for (const tool of tools) if (isShown(tool)) tokens += toolTokens(tool, frame);
  return tokens;
}

/** A deferred tool is not shown to the model until something names it. */
function shownTools(tools: readonly Tool[], messages: readonly Message[]): (tool: Tool) => boolean {
  const isDeferred = (tool: Tool): boolean => tool.kind === "function" && tool.deferred === true;
  if (!tools.some(isDeferred)) return () => true;
  const named = new Set<string>();
  const collect = (block: Block): void => {
    if (block.kind === "reference") named.add(block.tool);
    else if (block.kind === "result") block.blocks.forEach(collect);
  };
  for (const { blocks } of messages) blocks.forEach(collect);
  return (tool) => tool.kind === "hosted" || !isDeferred(tool) || named.has(tool.name);
}

function toolTokens(tool: Tool, frame: Frame): number {
  if (tool.kind === "hosted") return frame.hosted[tool.means ?? "other"];
  const shape = tool.kind === "function" ? tool.schema : tool.grammar;
  const words = textWeight(tool.name) + textWeight(tool.description ?? "");
  return frame.tool + words + (shape ? jsonTokens(shape, "structure", frame) : 0);
}

function blocksTokens(blocks: readonly Block[], reading: Reading): number {
  let tokens = 0;
  for (const block of blocks) tokens += blockTokens(block, reading);
  return tokens;
}

function blockTokens(block: Block, reading: Reading): number {
  const { frame } = reading;
  switch (block.kind) {
    case "text":
    case "refusal":
      return textWeight(block.text);
    case "thinking":
      // What is shown is a summary of what is sealed.
      if (!reading.recalls) return 0;
      return Math.max(textWeight(block.text), stateTokens(block.state, reading));
    case "call":
      return (
        frame.call +
        textWeight(block.name) +
        textWeight(block.input) +
        (reading.recalls ? stateTokens(block.state, reading) : 0)
      );
    case "result":
      return frame.result + blocksTokens(block.blocks, reading);
    case "media":
      return mediaTokens(block, reading);
    case "reference":
      return 4 + textWeight(block.tool);
    case "opaque":
      if (block.text !== undefined) return textWeight(block.text);
      // Other dialects are not sent it.
      return block.format === reading.reader ? jsonTokens(block.raw, "prose", frame) : 0;
    default:
      return block satisfies never;
  }
}

/** Reasoning that only its maker can read, by its length: other dialects do not take it. */
function stateTokens(state: OpaqueState | undefined, { frame, reader }: Reading): number {
  if (state === undefined || state.format !== reader) return 0;
  return Math.max(0, state.data.length - frame.sealed.wrapping) / sealedToken;
}

function mediaTokens(block: MediaBlock, reading: Reading): number {
  const { source } = block;
  const { frame } = reading;
  if (source.type === "text") return textWeight(source.text);
  if (source.type === "blocks") return blocksTokens(source.blocks, reading);
  const bytes = source.type === "bytes" ? source : undefined;
  switch (block.media) {
    case "image":
      return frame.image(bytes && pixelSize(bytes.data), block.detail);
    case "audio":
      return frame.second * (bytes ? soundSeconds(bytes.data, bytes.mime) : namedSeconds);
    case "video":
      return bytes ? bytes.data.length / videoToken : namedVideo;
    case "document":
      return bytes ? documentTokens(bytes, frame) : frame.page * namedPages;
    default:
      return block.media satisfies never;
  }
}

function documentTokens({ mime, data }: { mime: string; data: string }, frame: Frame): number {
  const isText =
    /^text\/|json|xml|yaml|csv|javascript/.test(mime) && !mime.includes("officedocument");
  const start = isText ? textStart(data, sample) : undefined;
  if (start === undefined) return frame.page * pdfPages(data);
  return textWeight(start) * Math.max(1, (data.length * 0.75) / sample);
}
