/** A push parser for a JSON object, or a JSON array of objects: each object is passed on when it is complete. */
import { parseJson, type JsonValue } from "../../../lib/json.ts";

/** Longest single object, in characters: 32 Mi. */
const longestObject = 32 * 1024 * 1024;

/** A parser that is fed the text of a body, however it is cut. */
export interface JsonParser {
  /** Throws RangeError over `longestObject` characters. */
  feed(text: string): void;
  end(): void;
}

/** What the parser calls. */
export interface JsonHandlers {
  /** An object, with its own text. */
  onValue(value: JsonValue, text: string): void;
  /** An object is not JSON or did not end. */
  onInvalid(): void;
}

/** A parser that calls `onValue` for each outermost object. */
export function jsonParser({ onValue, onInvalid }: JsonHandlers): JsonParser {
  /** The pieces of the current object that came before this text. */
  let pieces: string[] = [];
  let length = 0;
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  /** Index in the text that is being fed where the current object begins or goes on. */
  let from = 0;

  const close = (text: string, at: number): void => {
    const object = pieces.join("") + text.slice(from, at + 1);
    pieces = [];
    length = 0;
    const value = parseJson(object);
    if (value === undefined) onInvalid();
    else onValue(value, object);
  };
  const step = (text: string, at: number): void => {
    const code = text.charCodeAt(at);
    if (isEscaped) isEscaped = false;
    else if (isQuoted) {
      if (code === backslash) isEscaped = true;
      else if (code === quote) isQuoted = false;
    } else if (code === quote) isQuoted = true;
    else if (code === openBrace) {
      if (depth === 0) from = at;
      depth++;
    } else if (code === closeBrace && depth > 0) {
      depth--;
      if (depth === 0) close(text, at);
    }
  };
  return {
    feed(text) {
      from = 0;
      for (let at = 0; at < text.length; at++) step(text, at);
      if (depth === 0) return;
      pieces.push(text.slice(from));
      length += text.length - from;
      if (length > longestObject) throw new RangeError("The provider's answer is too long.");
    },
    end() {
      if (depth > 0) onInvalid();
    },
  };
}

const [quote, backslash, openBrace, closeBrace] = [0x22, 0x5c, 0x7b, 0x7d];
