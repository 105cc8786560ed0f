/** Tells when the arguments of a call are a whole JSON object, while they arrive in pieces: each character is read once. */
import { isObject, parseJson } from "../../../lib/json.ts";

/** The arguments of one call. */
export interface ArgumentScan {
  add(piece: string): void;
  /** Whether they are an object with members; an empty one may be a mere beginning. `text`: all pieces. */
  isWhole(text: string): boolean;
}

const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** A scan of which no piece came yet. */
export function argumentScan(): ArgumentScan {
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  /** `other`: it is no object, whatever follows. */
  let phase: "before" | "inside" | "closed" | "other" = "before";
  let whole: boolean | undefined;

  const stepInside = (code: number): void => {
    if (isEscaped) isEscaped = false;
    else if (isQuoted) {
      if (code === backslash) isEscaped = true;
      else if (code === quote) isQuoted = false;
    } else if (code === quote) isQuoted = true;
    else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) phase = "closed";
  };
  const step = (code: number): void => {
    if (phase === "inside") return stepInside(code);
    if (isSpace(code)) return;
    phase = phase === "before" && code === openBrace ? "inside" : "other";
    depth = 1;
  };
  return {
    add(piece) {
      for (let at = 0; at < piece.length; at++) {
        if (phase === "other") return;
        step(piece.charCodeAt(at));
      }
    },
    isWhole(text) {
      if (phase !== "closed") return false;
      return (whole ??= hasMembers(text));
    },
  };
}

/** The white space of JSON. */
function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function hasMembers(text: string): boolean {
  const value = parseJson(text);
  return isObject(value) && Object.keys(value).length > 0;
}
