/** A JSON object, or a JSON array of objects, as a push parser: every object is handed on when it is complete. */
import { parseJson, type JsonValue } from "../../../lib/json.ts";

/** Longest single object, in characters: 32 Mi. */
const longestObject = 32 * 1024 * 1024;

export interface JsonParser {
  feed(text: string): void;
  end(): void;
}

export function jsonParser(on: {
  /** Beside its own text. */
  value: (value: JsonValue, text: string) => void;
  broken: () => void;
}): JsonParser {
  let held = "";
  let depth = 0;
  let quoted = false;
  let escaped = false;
  /** Where in `held` the scan goes on. */
  let at = 0;
  /** Where in `held` the current object begins; -1 between objects. */
  let from = -1;

  const close = (): void => {
    const text = held.slice(from, at + 1);
    const value = parseJson(text);
    from = -1;
    if (value === undefined) on.broken();
    else on.value(value, text);
  };
  const step = (code: number): void => {
    if (escaped) escaped = false;
    else if (quoted) {
      if (code === 0x5c) escaped = true;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b) {
      if (depth === 0) from = at;
      depth++;
    } else if (code === 0x7d && depth > 0) {
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
      if (held.length > longestObject) throw new RangeError("the provider's answer is too long");
    },
    end() {
      if (from >= 0) on.broken();
    },
  };
}
