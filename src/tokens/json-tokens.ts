/** Tokens of JSON that a model is shown: a tool's schema, or a block that only one format has. */
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { pixelSize } from "./attachments.ts";
import type { TokenOverhead } from "./overhead.ts";
import type { TextCounter } from "./text-counter.ts";

/** What the strings of a value are: text for the model, names that the request chose, or structure. */
export type JsonRole = "text" | "names" | "structure";

interface JsonWalk {
  /** Tokens that are counted whole. */
  text: number;
  /** Tokens of which providers count a share. */
  structure: number;
  readonly open: { readonly value: JsonValue[] | JsonObject; readonly role: JsonRole }[];
  readonly counting: JsonCounting;
}

/** How tokens are counted: what the provider adds, and its texts among all of the request. */
export interface JsonCounting {
  readonly overhead: TokenOverhead;
  readonly texts: TextCounter;
}

/** Base64 characters per token of encrypted text. */
export const encryptedCharactersPerToken = 5.3;

/** Schema members whose strings are text for the model. */
const textMembers = new Set(["description", "definition", "enum", "const", "default", "pattern"]);
/** Schema members whose own members are names that the request chose. */
const nameMembers = new Set(["properties", "$defs", "definitions"]);
/** A long string without spaces is data, not text. */
const minDataLength = 300;
const dataPattern = /^[\w+/=-]{300}|^data:/;

/** Estimated tokens of a value with this role. Without recursion, because the depth is not limited. */
export function jsonTokens(value: JsonValue, role: JsonRole, counting: JsonCounting): number {
  const walk: JsonWalk = { text: 0, structure: 0, open: [], counting };
  addValue(walk, value, role);
  for (let part = walk.open.pop(); part !== undefined; part = walk.open.pop()) {
    if (Array.isArray(part.value)) for (const item of part.value) addValue(walk, item, part.role);
    else addMembers(walk, part.value, part.role);
  }
  return walk.text + walk.structure * counting.overhead.structureShare;
}

function addMembers(walk: JsonWalk, members: JsonObject, role: JsonRole): void {
  for (const name in members) {
    addString(walk, name, role === "names" ? "text" : "structure");
    addValue(walk, members[name], role === "names" ? "structure" : memberRole(name, role));
  }
}

function memberRole(name: string, role: JsonRole): JsonRole {
  if (role === "text" || textMembers.has(name)) return "text";
  return nameMembers.has(name) ? "names" : "structure";
}

function addValue(walk: JsonWalk, value: JsonValue | undefined, role: JsonRole): void {
  if (typeof value === "string") addString(walk, value, role);
  else if (typeof value === "object" && value !== null) walk.open.push({ value, role });
  walk.structure++;
}

function addString(walk: JsonWalk, text: string, role: JsonRole): void {
  const tokens = stringTokens(text, walk.counting);
  walk.structure++;
  if (role === "text") walk.text += tokens;
  else walk.structure += tokens;
}

/** Data is an image or encrypted text. */
function stringTokens(text: string, { overhead, texts }: JsonCounting): number {
  if (text.length < minDataLength || !dataPattern.test(text)) return texts.count(text);
  const size = pixelSize(text);
  if (size || text.startsWith("data:")) return overhead.image(size, undefined);
  return text.length / encryptedCharactersPerToken;
}
