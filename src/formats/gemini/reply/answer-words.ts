/** A word chosen from an enumeration: Gemini gives it bare, other providers write it as JSON. */
import type { ReplyEcho } from "../../../core/format.ts";
import { parseJson } from "../../../lib/json.ts";
import { wantsWord } from "./write-parts.ts";

/** The text of one block, piece by piece. */
export interface AnswerWords {
  /** What the client gets of it now. */
  feed(text: string): string;
  /** The rest, when the block is complete. */
  end(): string;
}

/** For answers to one request. */
export function answerWords(echo: ReplyEcho): AnswerWords {
  if (!wantsWord(echo)) return { feed: (text) => text, end: () => "" };
  let held = "";
  return {
    feed(text) {
      held += text;
      return "";
    },
    end() {
      const word = bareWord(held);
      held = "";
      return word;
    },
  };
}

function bareWord(text: string): string {
  const value = parseJson(text);
  return typeof value === "string" ? value : text;
}
