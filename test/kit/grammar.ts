/**
 * Checkers of the client stream grammars, written from the protocols' descriptions and from nothing of the
 * product. Each reads a whole stream and names every rule that it breaks.
 */
import type { ClientFormatName } from "../../src/core/format-name.ts";
import { checkChat } from "./grammar-chat.ts";
import { checkGemini } from "./grammar-gemini.ts";
import { checkMessages } from "./grammar-messages.ts";
import type { GrammarOptions, Verdict } from "./grammar-reading.ts";
import { checkResponses } from "./grammar-responses.ts";

export type { GrammarOptions, Verdict } from "./grammar-reading.ts";

export const grammars: Record<
  ClientFormatName,
  (text: string, options: GrammarOptions) => Verdict
> = {
  chat: checkChat,
  responses: checkResponses,
  messages: checkMessages,
  gemini: checkGemini,
};
