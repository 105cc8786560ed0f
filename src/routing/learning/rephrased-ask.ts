/** Recognizes that a human asks the same thing again: the answer in between did not help. */
import type { Message } from "../../core/request.ts";
import { messageText, truncateAsk } from "../request/human-text.ts";
import { areNearlySame } from "../request/same-ask.ts";

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
