/**
 * Freeform tools (raw text in) for providers that know only functions (JSON in): the text travels as the one
 * string member `input`.
 */
import { asObject, isObject, parseJson, type JsonObject } from "../lib/json.ts";
import { noteUnknownMembers, within, type Position } from "./unsupported.ts";

/** The JSON arguments that stand for a freeform input. */
export function wrapFreeform(text: string): string {
  return JSON.stringify({ input: text });
}

/** The freeform input that JSON arguments stand for; text that has not that shape stands for itself. */
export function unwrapFreeform(json: string): string {
  const value = parseJson(json);
  if (typeof value === "string") return value;
  if (!isObject(value)) return json;
  const input = value["input"];
  if (typeof input === "string") return input;
  const members = Object.values(value);
  const [only] = members;
  return members.length === 1 && typeof only === "string" ? only : json;
}

const formatMembers = new Set(["type", "syntax", "definition"]);
const nestingMembers = new Set(["type", "grammar"]);
const grammarMembers = new Set(["syntax", "definition"]);

/** A freeform tool's `format` in Responses' flat form; chat nests the grammar: `{type, grammar: {syntax, definition}}`. */
export function readGrammar(
  format: JsonObject | undefined,
  position: Position,
): JsonObject | undefined {
  if (!format) return undefined;
  const nested = asObject(format["grammar"]);
  noteUnknownMembers(format, nested ? nestingMembers : formatMembers, position);
  noteUnknownMembers(nested, grammarMembers, within(position, "grammar"));
  const { type } = format;
  const { syntax, definition } = nested ?? format;
  return {
    ...(type !== undefined && { type: nested ? "grammar" : type }),
    ...(syntax !== undefined && { syntax }),
    ...(definition !== undefined && { definition }),
  };
}

/** JSON schema of the function form. `grammar`: the tool's `format` (`{type, syntax, definition}`). */
export function freeformSchema(grammar?: JsonObject): JsonObject {
  return {
    type: "object",
    properties: { input: { type: "string", description: inputDescription(grammar) } },
    required: ["input"],
    additionalProperties: false,
  };
}

function inputDescription(grammar: JsonObject | undefined): string {
  const plain = "The whole input of the tool as raw text.";
  const definition = grammar?.["definition"];
  if (typeof definition !== "string") return plain;
  const syntax = typeof grammar?.["syntax"] === "string" ? ` (${grammar["syntax"]})` : "";
  return `${plain} It must follow this grammar${syntax}:\n${definition}`;
}

export interface FreeformReader {
  /** The raw text that this fragment of the arguments adds. */
  feed(fragment: string): string;
  /** The arguments are complete: what is still held back. */
  end(): string;
}

const opening = /^\s*\{\s*"input"\s*:\s*"/;
/** The opening is short; a longer head without it has another shape. */
const longestHead = 256;

const escapes: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Decodes `{"input":"…"}` while it arrives. Escapes and surrogate pairs that are split over fragments wait for
 * their rest; arguments of another shape are held until the end.
 */
export function freeformReader(): FreeformReader {
  let phase: "head" | "string" | "after" | "other" = "head";
  let held = "";
  /** A high surrogate that waits for its low one. */
  let half = "";

  const emit = (text: string): string => {
    const whole = half + text;
    if (whole === "") return "";
    const last = whole.charCodeAt(whole.length - 1);
    const split = last >= 0xd800 && last <= 0xdbff;
    half = split ? whole.slice(-1) : "";
    return split ? whole.slice(0, -1) : whole;
  };

  const decode = (): string => {
    const { text, rest, closed } = decodeString(held);
    held = rest;
    if (closed) phase = "after";
    return emit(text);
  };

  return {
    feed(fragment) {
      if (phase === "after") return "";
      held += fragment;
      if (phase === "string") return decode();
      if (phase === "other") return "";
      const match = opening.exec(held);
      if (!match) {
        if (held.length > longestHead) phase = "other";
        return "";
      }
      phase = "string";
      held = held.slice(match[0].length);
      return decode();
    },
    end() {
      const rest = phase === "head" || phase === "other" ? unwrapFreeform(held) : half;
      held = "";
      half = "";
      phase = "after";
      return rest;
    },
  };
}

/** Decodes the inside of a JSON string up to its closing quote or to an escape that is not complete. */
function decodeString(source: string): { text: string; rest: string; closed: boolean } {
  let text = "";
  let at = 0;
  for (;;) {
    const stop = nextSpecial(source, at);
    text += source.slice(at, stop);
    if (stop === source.length) return { text, rest: "", closed: false };
    if (source[stop] === '"') return { text, rest: "", closed: true };
    const letter = source[stop + 1];
    const length = letter === "u" ? 6 : 2;
    if (letter === undefined || source.length < stop + length)
      return { text, rest: source.slice(stop), closed: false };
    text +=
      letter === "u"
        ? codeUnit(source.slice(stop + 2, stop + 6))
        : (escapes[letter] ?? `\\${letter}`);
    at = stop + length;
  }
}

function nextSpecial(source: string, from: number): number {
  for (let i = from; i < source.length; i++) {
    const code = source.charCodeAt(i);
    if (code === 0x22 || code === 0x5c) return i;
  }
  return source.length;
}

function codeUnit(hex: string): string {
  return /^[0-9A-Fa-f]{4}$/.test(hex) ? String.fromCharCode(parseInt(hex, 16)) : `\\u${hex}`;
}
