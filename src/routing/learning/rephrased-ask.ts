/** Recognizes that a human asks the same thing again: the answer in between did not help. */
import type { Message } from "../../core/request.ts";
import { messageText, truncateAsk } from "../request/human-text.ts";

/** Messages that are searched for the last two asks, from the end. */
const searchedMessages = 20;

/** Whether the last two asks are nearly the same, with nothing but an answer in words between them. */
export function isAskRephrased(messages: readonly Message[]): boolean {
  let ask: string | undefined;
  let isAnswered = false;
  for (const message of messages.slice(-searchedMessages).toReversed()) {
    if (message.role === "instruction") continue;
    // Tool calls are progress, and inside of a tool loop the ask was examined when it came.
    if (message.blocks.some(({ kind }) => kind === "call" || kind === "result")) return false;
    if (message.role === "assistant") {
      if (ask === undefined) return false;
      isAnswered = true;
      continue;
    }
    const text = truncateAsk(messageText(message).human);
    if (text === "") continue;
    if (ask !== undefined) return isAnswered && areNearlySame(ask, text);
    ask = text;
  }
  return false;
}

/** Words that two asks must share, of all that they use together. */
const sharedShare = 0.75;
/** Asks with fewer words are not compared. */
const minWords = 4;

/** Whether two texts use nearly the same words in any order. Different numbers make them different. */
export function areNearlySame(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (Math.min(a.size, b.size) < minWords) return false;
  const different = [...a].filter((word) => !b.has(word));
  const shared = a.size - different.length;
  different.push(...[...b].filter((word) => !a.has(word)));
  return (
    shared >= sharedShare * (shared + different.length) &&
    !different.some((word) => /^\p{N}/u.test(word))
  );
}

/** In scripts without spaces, every character is a word. */
const wordPattern =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+/gu;

function wordsOf(text: string): Set<string> {
  return new Set(text.toLowerCase().match(wordPattern));
}
