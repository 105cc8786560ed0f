/** The dialects by name: the one list of them. */
import type { JsonObject } from "../lib/json.ts";
import type { ClientFormat, ProviderFormat } from "../core/format.ts";
import type { ClientFormatName, FormatName } from "../core/format-name.ts";
import { chat, checkRequest as checkChat, hideUsage } from "./chat/index.ts";
import { gemini } from "./gemini/index.ts";
import { checkRequest as checkMessages, messages } from "./messages/index.ts";
import { checkRequest as checkResponses, responses } from "./responses/index.ts";

export const clientFormats = { chat, responses, messages } as const satisfies Record<
  ClientFormatName,
  ClientFormat
>;

export const formats = { chat, responses, messages, gemini } as const satisfies Record<
  FormatName,
  ProviderFormat
>;

/** What the gateway itself demands of a request, on relays too. Throws M300 naming the field. */
export const checks = {
  chat: checkChat,
  responses: checkResponses,
  messages: checkMessages,
} as const satisfies Record<ClientFormatName, (body: JsonObject) => void>;

/** Takes usage that only the gateway asked for out of a relayed stream, where a dialect has such a thing. */
export const usageFilters: Partial<
  Record<ClientFormatName, () => { feed(text: string): string; end(): string }>
> = {
  chat: hideUsage,
};
