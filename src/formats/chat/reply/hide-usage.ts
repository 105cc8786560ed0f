/**
 * Takes usage out of a relayed stream. The gateway always asks the provider for usage, since it counts tokens; for a
 * client that did not ask, the chunk with usage alone is removed, and `"usage": null` in the others. Every other byte
 * stays.
 */
import type { TextFilter } from "../../../core/format.ts";
import { asArray, isObject, parseJson, type JsonValue } from "../../../lib/json.ts";

/** Longest event that is searched, in characters; a longer one passes unchanged. */
const longestHeld = 16 * 1024 * 1024;

/** Ends of an event: two line ends in a row. A CR at the end of the text may be half of one. */
const boundary = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n|$))/g;
const longestBoundary = 4;

/** A push filter over the text of a chat stream. */
export function hideUsage(): TextFilter {
  /** The pieces of an event that has not ended, their length, and the last characters of them. */
  let pieces: string[] = [];
  let length = 0;
  let tail = "";
  const hold = (text: string): void => {
    pieces.push(text);
    length += text.length;
    tail = (tail + text).slice(-longestBoundary);
  };
  const takeHeld = (): string => {
    const held = pieces.join("");
    pieces = [];
    length = 0;
    tail = "";
    return held;
  };
  return {
    feed(text) {
      if (length === 0 && text.endsWith("\n\n") && !mayHoldUsage(text)) return text;
      // A long event arrives in many reads: its pieces are joined when it ends.
      boundary.lastIndex = 0;
      const ends = boundary.test(tail + text);
      const scanned = Math.max(0, length - longestBoundary);
      hold(text);
      if (!ends && length <= longestHeld) return "";
      const held = takeHeld();
      let out = "";
      let from = 0;
      boundary.lastIndex = scanned;
      for (let match = boundary.exec(held); match; match = boundary.exec(held)) {
        const to = match.index + match[0].length;
        out += withoutUsage(held.slice(from, to));
        from = to;
      }
      const rest = held.slice(from);
      if (rest.length > longestHeld) return out + rest;
      if (rest !== "") hold(rest);
      return out;
    },
    end: () => withoutUsage(takeHeld()),
  };
}

/** Without the first quote, of which every event has many, the search takes a third of the time. */
function mayHoldUsage(text: string): boolean {
  return text.includes('usage"');
}

/** One event's text, or nothing if it holds only usage. */
function withoutUsage(event: string): string {
  if (!event.includes('"usage"')) return event;
  const lines = event.match(/(?:^|(?<=[\r\n]))data:[^\r\n]*/g);
  if (lines?.length !== 1) return lines && isUsageAlone(joinData(lines)) ? "" : event;
  const [line] = lines;
  const span = topLevelMember(line, "usage");
  if (!span) return event;
  if (line.slice(span.valueFrom, span.to) !== "null")
    return isUsageAlone(joinData(lines)) ? "" : event;
  const at = event.indexOf(line);
  return event.slice(0, at) + withoutMember(line, span) + event.slice(at + line.length);
}

function joinData(lines: readonly string[]): JsonValue | undefined {
  return parseJson(lines.map((line) => line.slice("data:".length)).join("\n"));
}

function isUsageAlone(chunk: JsonValue | undefined): boolean {
  if (!isObject(chunk) || !isObject(chunk["usage"])) return false;
  return Array.isArray(chunk["choices"]) && asArray(chunk["choices"]).length === 0;
}

interface Span {
  /** Index of the name's opening quote. */
  from: number;
  valueFrom: number;
  /** Index after the value. */
  to: number;
}

/** The text without a member and the comma that separated it. */
function withoutMember(text: string, { from, to }: Span): string {
  const before = text.slice(0, from);
  const after = text.slice(to);
  const comma = /,\s*$/.exec(before);
  return comma ? before.slice(0, comma.index) + after : before + after.replace(/^\s*,\s*/, "");
}

/** Finds a member of the outermost object in JSON text, without parsing it. */
function topLevelMember(text: string, name: string): Span | undefined {
  const wanted = `"${name}"`;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === openBrace || code === openBracket) depth++;
    else if (code === closeBrace || code === closeBracket) depth--;
    else if (code === quote) {
      const to = stringEnd(text, at);
      const colon = depth === 1 && text.startsWith(wanted, at) ? colonAfter(text, to) : -1;
      if (colon >= 0) return valueSpan(text, at, colon + 1);
      at = to - 1;
    }
  }
  return undefined;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Index after the closing quote of the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === backslash) i++;
    else if (code === quote) return i + 1;
  }
  return text.length;
}

function colonAfter(text: string, at: number): number {
  const colon = /\s*:/y;
  colon.lastIndex = at;
  return colon.test(text) ? colon.lastIndex - 1 : -1;
}

/** The member whose name begins at `from` and whose value comes at or after `at`; the end is only found for `null`. */
function valueSpan(text: string, from: number, at: number): Span {
  let valueFrom = at;
  while (text[valueFrom] === " " || text[valueFrom] === "\t") valueFrom++;
  const isNull = /null(?=\s*[,}])/y;
  isNull.lastIndex = valueFrom;
  return { from, valueFrom, to: isNull.test(text) ? isNull.lastIndex : valueFrom };
}
