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
  let held = "";
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  /** Index in `held` where the scan continues. */
  let at = 0;
  /** Index in `held` where the current object begins; -1 between objects. */
  let from = -1;

  const close = (): void => {
    const text = held.slice(from, at + 1);
    const value = parseJson(text);
    from = -1;
    if (value === undefined) onInvalid();
    else onValue(value, text);
  };
  const step = (code: number): void => {
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
      if (depth === 0) close();
    }
  };
  return {
    feed(text) {
      held += text;
      for (; at < held.length; at++) step(held.charCodeAt(at));
      held = from < 0 ? "" : held.slice(from);
      at = held.length;
      if (from > 0) from = 0;
      if (held.length > longestObject) throw new RangeError("The provider's answer is too long.");
    },
    end() {
      if (from >= 0) onInvalid();
    },
  };
}

const [quote, backslash, openBrace, closeBrace] = [0x22, 0x5c, 0x7b, 0x7d];
