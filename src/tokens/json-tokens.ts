/** Tokens of JSON that a model is shown: a tool's schema, or a block that only its own dialect knows. */
import type { JsonObject, JsonValue } from "../lib/json.ts";
import { pixelSize } from "./attachments.ts";
import type { Frame } from "./overhead.ts";
import { textWeight } from "./text-weight.ts";

/** What a value's words are: for the model, names that the request chose, or structure. */
type Role = "prose" | "names" | "structure";

interface Walk {
  /** Tokens of words that the model sees whole. */
  words: number;
  /** Tokens of the rest, of which providers show it a part. */
  structure: number;
  /** Characters that are still weighed; those behind are taken to be like JSON in general. */
  letters: number;
  open: { value: JsonValue[] | JsonObject; role: Role }[];
  frame: Frame;
}

/** Characters of base64 that one token of encrypted text takes. */
export const sealedToken = 5.3;

const weighedLetters = 262_144;
const usualDensity = 0.4;

/** Members of a schema whose words are meant for the model. */
const prose = new Set(["description", "definition", "enum", "const", "default", "pattern"]);
/** Members whose own members are names that the request chose. */
const namings = new Set(["properties", "$defs", "definitions"]);
/** A string of so many letters without a gap is data, not words. */
const encoded = /^[\w+/=-]{300}|^data:/;

/** Estimated tokens of a value, whose own words have this role. Walks without recursion: nobody limits its depth. */
export function jsonTokens(value: JsonValue, role: Role, frame: Frame): number {
  const walk: Walk = { words: 0, structure: 0, letters: weighedLetters, open: [], frame };
  addValue(walk, value, role);
  for (let part = walk.open.pop(); part !== undefined; part = walk.open.pop()) {
    if (Array.isArray(part.value)) for (const item of part.value) addValue(walk, item, part.role);
    else addMembers(walk, part.value, part.role);
  }
  return walk.words + walk.structure * frame.structure;
}

function addMembers(walk: Walk, members: JsonObject, role: Role): void {
  for (const name in members) {
    addWords(walk, name, role === "names" ? "prose" : "structure");
    addValue(walk, members[name], role === "names" ? "structure" : roleOf(name, role));
  }
}

function roleOf(name: string, role: Role): Role {
  if (role === "prose" || prose.has(name)) return "prose";
  return namings.has(name) ? "names" : "structure";
}

function addValue(walk: Walk, value: JsonValue | undefined, role: Role): void {
  if (typeof value === "string") addWords(walk, value, role);
  else if (typeof value === "object" && value !== null) walk.open.push({ value, role });
  walk.structure++;
}

function addWords(walk: Walk, text: string, role: Role): void {
  const tokens = walk.letters > 0 ? wordsTokens(text, walk.frame) : text.length * usualDensity;
  walk.letters -= text.length;
  walk.structure++;
  if (role === "prose") walk.words += tokens;
  else walk.structure += tokens;
}

/** Data among words is sealed text or a picture. */
function wordsTokens(text: string, frame: Frame): number {
  if (text.length < 300 || !encoded.test(text)) return textWeight(text);
  const size = pixelSize(text);
  if (size || text.startsWith("data:")) return frame.image(size, undefined);
  return text.length / sealedToken;
}
