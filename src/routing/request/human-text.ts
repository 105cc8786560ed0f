/** Separates what a human wrote in a message from what the client program put around it. */
import type { Message } from "../../core/request.ts";
import { stripClientMarkup } from "../../core/client-markup.ts";

/** A user message, split by author. */
export interface MessageText {
  /** What the human wrote. */
  readonly human: string;
  /** The beginning of what the client put around it. */
  readonly client: string;
}

/** Characters of one message that are searched. */
const maxSearched = 65_536;
/** Characters of client text that are kept of one message. */
const maxClientText = 4096;

/** Splits the texts of a message. Reads at most 65,536 characters, and the last text in any case. */
export function messageText(message: Message): MessageText {
  const human: string[] = [];
  let client = "";
  let budget = maxSearched;
  const texts = message.blocks.filter((block) => block.kind === "text");
  for (const [at, block] of texts.entries()) {
    // The question mostly stands at the end.
    if (budget <= 0 && at < texts.length - 1) continue;
    budget -= block.text.length;
    const text = stripClientMarkup(block.text);
    if (text.length < block.text.length && client.length < maxClientText)
      client += textAround(block.text, text);
    if (text !== "") human.push(text);
  }
  return { human: human.join("\n"), client };
}

/** A `messageText` that remembers its last answer: mostly the last ask is the first one as well. */
export function cachedMessageText(): (message: Message) => MessageText {
  let last: { message: Message; text: MessageText } | undefined;
  return (message) => {
    if (last?.message !== message) last = { message, text: messageText(message) };
    return last.text;
  };
}

/** The human text is found again by its first and last characters. */
const anchorLength = 64;
/** Characters at both ends of a text in which the human text is looked for. */
const anchorWindow = 32_768;
/** Characters kept before and after the human text. */
const maxAround = 2048;

/** What stands before and after the human text in the text that it was taken from. */
function textAround(text: string, human: string): string {
  if (human === "") return text.slice(0, maxAround);
  const begin = text.slice(0, anchorWindow).indexOf(human.slice(0, anchorLength));
  const before = text.slice(0, Math.min(Math.max(begin, 0), maxAround));
  const tail = text.slice(-anchorWindow);
  const anchor = human.slice(-anchorLength);
  const end = tail.lastIndexOf(anchor);
  const after = end < 0 ? "" : tail.slice(end + anchor.length).slice(0, maxAround);
  return `${before}\n${after}`;
}

/** Longest ask that is scored, in characters. */
const maxAsk = 3000;
const askHead = 1800;

/** Shortens a text to 3000 characters: 60 % from its beginning, 40 % from its end. */
export function truncateAsk(text: string): string {
  if (text.length <= maxAsk) return text;
  return `${text.slice(0, askHead)}\n${text.slice(askHead - maxAsk)}`;
}

const confirmations = new Set(
  `yes y yep ok okay k sure go continue go_on go_ahead proceed do_it yes_please please_do next more again retry try_again
  thanks oui ja sí si sim да так 是 好 好的 继续 はい 続けて 네 계속 نعم हाँ evet tak tiếp ya ใช่ weiter continuer continúa
  continua ga_door продолжай dalej lanjut devam`
    .split(/\s+/)
    .map((word) => word.replaceAll("_", " ")),
);

/** Whether a text only tells the model to go on ("yes", "continue"): the work is that of the ask before. */
export function isConfirmation(text: string): boolean {
  if (text.length > 24) return false;
  return confirmations.has(
    text
      .toLowerCase()
      .replace(/[\s.!?。！？,]+$/u, "")
      .trim(),
  );
}
