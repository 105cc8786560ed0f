/** Estimates the input tokens of a request by sampling, at a cost that does not grow with its length. */
import type { Block, ModelRequest, Tool } from "../../core/request.ts";
import type { JsonValue } from "../../lib/json.ts";
import { estimateRequest } from "../../tokens/estimate.ts";
import { estimateTokens } from "../../tokens/text-tokens.ts";

/** Requests with fewer characters and tools are estimated without sampling. */
const maxExactCharacters = 24_000;
const maxExactTools = 8;
/** Characters of longer requests that are sampled, in windows spread over all texts. */
const sampledCharacters = 16_384;
const windowLength = 512;

/** Tokens of one image, document or recording of unknown size. */
const tokensPerMedia = 1500;
const tokensPerMessage = 4;
const tokensPerTool = 12;

/** Decisions must not depend on the client's format, so all requests are estimated as one format's provider counts. */
const countingFormat = "chat";

interface TextSize {
  readonly texts: string[];
  characters: number;
  media: number;
}

/** Estimated input tokens, for context windows and prices. Budgets use the exact estimate. */
export function estimateInputTokens(request: ModelRequest): number {
  const { messages, tools } = request;
  const size: TextSize = { texts: [], characters: 0, media: 0 };
  for (const { blocks } of messages) for (const block of blocks) addBlock(size, block);
  if (size.characters < maxExactCharacters && tools.length < maxExactTools)
    return estimateRequest(request, countingFormat);
  const text = (size.characters + toolCharacters(tools)) * tokensPerCharacter(size);
  const overhead = messages.length * tokensPerMessage + size.media * tokensPerMedia;
  return Math.max(1, Math.round(text + overhead + tools.length * tokensPerTool));
}

function addBlock(size: TextSize, block: Block): void {
  switch (block.kind) {
    case "text":
    case "refusal":
    case "thinking":
      addText(size, block.text);
      return;
    case "call":
      addText(size, block.input);
      return;
    case "result":
      for (const part of block.blocks) addBlock(size, part);
      return;
    case "media":
      size.media++;
      if (block.source.type === "text") addText(size, block.source.text);
      return;
    case "reference":
    case "opaque":
      return;
    default:
      block satisfies never;
  }
}

function addText(size: TextSize, text: string): void {
  if (text === "") return;
  size.texts.push(text);
  size.characters += text.length;
}

/** Where there is no text to sample. */
const usualDensity = 0.25;

/** Tokens per character, from windows at even distances through all texts. */
function tokensPerCharacter({ texts, characters }: Readonly<TextSize>): number {
  if (characters === 0) return usualDensity;
  const windows = Math.ceil(Math.min(characters, sampledCharacters) / windowLength);
  const distance = characters / windows;
  let tokens = 0;
  let sampled = 0;
  let textStart = 0;
  let next = 0;
  for (const text of texts) {
    while (next < textStart + text.length) {
      const sample = text.slice(next - textStart, next - textStart + windowLength);
      tokens += estimateTokens(sample);
      sampled += sample.length;
      next += distance;
    }
    textStart += text.length;
  }
  return sampled === 0 ? usualDensity : tokens / sampled;
}

/** Tools that are measured; the others are assumed to have the same mean length. */
const measuredTools = 40;
/** Values of one schema that are measured. */
const measuredValues = 300;

function toolCharacters(tools: readonly Tool[]): number {
  let characters = 0;
  const measured = tools.slice(0, measuredTools);
  for (const tool of measured) {
    if (tool.kind === "hosted") characters += 1200;
    else if (tool.kind === "custom") characters += (tool.description?.length ?? 0) + 200;
    else if (tool.deferred !== true)
      characters +=
        tool.name.length + (tool.description?.length ?? 0) + schemaCharacters(tool.schema);
  }
  return measured.length === 0 ? 0 : (characters * tools.length) / measured.length;
}

function schemaCharacters(schema: JsonValue | undefined): number {
  let characters = 0;
  const open: (JsonValue | undefined)[] = [schema];
  for (let measuredSoFar = 0; open.length > 0 && measuredSoFar < measuredValues; measuredSoFar++) {
    const value = open.pop();
    if (typeof value === "string") characters += value.length + 3;
    else if (Array.isArray(value)) open.push(...value.slice(0, 50));
    else if (typeof value === "object" && value !== null) {
      for (const name in value) {
        characters += name.length + 4;
        open.push(value[name]);
      }
    } else characters += 5;
  }
  return characters;
}
