/** Whether arguments that come in fragments are a whole object. Each character is looked at once, and parsed once. */
import { isObject, parseJson } from "../../../lib/json.ts";

export interface Completion {
  feed(fragment: string): void;
  /** An empty object may be a mere beginning: it is not complete. */
  isComplete(): boolean;
}

/** Arguments of more characters are not looked at: their call ends where the answer does. */
const longestLooked = 16 * 1024 * 1024;

const [quote, backslash, openBrace, closeBrace] = [0x22, 0x5c, 0x7b, 0x7d];

/** The arguments of one call. What follows an object that has ended makes it incomplete again, except white space. */
export function completion(): Completion {
  let text = "";
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  let ended: boolean | undefined;
  const step = (code: number): void => {
    if (isEscaped) isEscaped = false;
    else if (isQuoted) {
      if (code === backslash) isEscaped = true;
      else if (code === quote) isQuoted = false;
    } else if (code === quote) isQuoted = true;
    else if (code === openBrace) depth++;
    else if (code === closeBrace) depth--;
  };
  const endAt = (fragment: string): number => {
    for (let at = 0; at < fragment.length; at++) {
      const code = fragment.charCodeAt(at);
      step(code);
      if (code === closeBrace && !isQuoted && depth <= 0) return at + 1;
    }
    return -1;
  };
  return {
    feed(fragment) {
      if (ended !== undefined) {
        ended &&= fragment.trim() === "";
        return;
      }
      const end = endAt(fragment);
      text += fragment;
      const isTooLong = text.length > longestLooked;
      if (end < 0 && !isTooLong) return;
      ended = !isTooLong && holdsMembers(text);
      text = "";
    },
    isComplete: () => ended === true,
  };
}

function holdsMembers(text: string): boolean {
  const value = parseJson(text);
  return isObject(value) && Object.keys(value).length > 0;
}
