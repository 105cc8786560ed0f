/** How many tokens a request has, roughly, at a cost that does not grow with it. */
import { estimateTokens, estimateRequest } from "../tokens/estimate.ts";
import type { Block, Tool, ModelRequest } from "../core/request.ts";
import type { JsonValue } from "../lib/json.ts";

/** Requests up to so many characters are weighed whole. */
const wholeUpTo = 24_000;
/** Of longer ones so many characters are weighed, in windows spread over all texts. */
const sampled = 16_384;
const windowLength = 512;

/** One image, page, minute of sound, as good as one can tell without opening them. */
const mediaTokens = 1500;

interface Measure {
  texts: string[];
  characters: number;
  media: number;
}

/** Every request is weighed as one dialect's providers read it, so that clients of all dialects get one decision. */
const reader = "chat";

/** Estimated input tokens. Exact weighing is for budgets; this is for windows of context and for prices. */
export function roughTokens(turn: ModelRequest): number {
  const measure: Measure = { texts: [], characters: 0, media: 0 };
  for (const { blocks } of turn.messages) for (const block of blocks) addBlock(measure, block);
  const offered = turn.tools.length;
  if (measure.characters < wholeUpTo && offered < 8) return estimateRequest(turn, reader);
  const frames = turn.messages.length * 4 + measure.media * mediaTokens;
  const perCharacter = density(measure);
  const words = (measure.characters + toolCharacters(turn.tools)) * perCharacter;
  return Math.max(1, Math.round(words + frames + offered * 12));
}

function addBlock(measure: Measure, block: Block): void {
  switch (block.kind) {
    case "text":
    case "refusal":
    case "thinking":
      addText(measure, block.text);
      return;
    case "call":
      addText(measure, block.input);
      return;
    case "result":
      for (const part of block.blocks) addBlock(measure, part);
      return;
    case "media":
      measure.media++;
      if (block.source.type === "text") addText(measure, block.source.text);
      return;
    case "reference":
    case "opaque":
      return;
    default:
      block satisfies never;
  }
}

function addText(measure: Measure, text: string): void {
  if (text === "") return;
  measure.texts.push(text);
  measure.characters += text.length;
}

/** Tokens a character, from windows at even distances through all texts. */
function density({ texts, characters }: Measure): number {
  if (characters === 0) return 0.25;
  const windows = Math.ceil(Math.min(characters, sampled) / windowLength);
  const distance = characters / windows;
  let tokens = 0;
  let weighed = 0;
  let passed = 0;
  let next = 0;
  for (const text of texts) {
    while (next < passed + text.length) {
      const piece = text.slice(next - passed, next - passed + windowLength);
      tokens += estimateTokens(piece);
      weighed += piece.length;
      next += distance;
    }
    passed += text.length;
  }
  return weighed === 0 ? 0.25 : tokens / weighed;
}

/** Tools whose descriptions and schemas are measured; the rest is taken to be like them. */
const measuredTools = 40;
/** Parts of one schema that are looked at. */
const measuredParts = 300;

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
  for (let seen = 0; open.length > 0 && seen < measuredParts; seen++) {
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
