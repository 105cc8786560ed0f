/** Counts what a request gives a model to read. */
import {
  asArray,
  asNumber,
  asObject,
  asString,
  type JsonObject,
  type JsonValue,
} from "../lib/json.ts";
import { textOfContent } from "./embeddings-from-gemini.ts";
import { estimateTokens } from "../tokens/text-tokens.ts";

/** Texts, lists of texts, and lists of tokens, of which each number is one. */
export function countInput(value: JsonValue | undefined): number {
  if (typeof value === "string") return estimateTokens(value);
  return asArray(value).reduce<number>((sum, item) => sum + countItem(item), 0);
}

function countItem(item: JsonValue): number {
  if (typeof item === "string") return estimateTokens(item);
  if (asNumber(item) !== undefined) return 1;
  if (Array.isArray(item)) return item.length;
  const part = asObject(item);
  return estimateTokens(asString(part?.["text"]) ?? "");
}

/** The texts of a body in Gemini's form; undefined where it holds more than text. */
export function countGeminiInput(fields: JsonObject): number | undefined {
  const requests = Array.isArray(fields["requests"]) ? fields["requests"] : [fields];
  const texts = requests.map((request) => textOfContent(asObject(request)?.["content"]));
  const known = texts.filter((text) => text !== undefined);
  return known.length < texts.length ? undefined : countInput(known);
}
