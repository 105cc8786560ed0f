/** The four formats that providers speak. */
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { responses } from "./responses.ts";
import type { Endpoint, WireFormat } from "./said.ts";

export const endpoints: Record<WireFormat, Endpoint> = { chat, responses, messages, gemini };

/** Where the version stands in a provider's base address. */
export const versions: Record<WireFormat, string> = {
  chat: "v1",
  responses: "v1",
  messages: "v1",
  gemini: "v1beta",
};
