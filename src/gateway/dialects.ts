/** The dialects by name: the one list of them. */
import type { JsonObject } from "../lib/json.ts";
import type { ClientDialect, ClientFormat, FormatName, ProviderDialect } from "../core/format.ts";
import { chat, checkRequest as checkChat, hideUsage } from "../formats/chat/index.ts";
import { gemini } from "../formats/gemini/index.ts";
import { checkRequest as checkMessages, messages } from "../formats/messages/index.ts";
import { checkRequest as checkResponses, responses } from "../formats/responses/index.ts";

export const clientDialects = { chat, responses, messages } as const satisfies Record<
  ClientFormat,
  ClientDialect
>;

export const dialects = { chat, responses, messages, gemini } as const satisfies Record<
  FormatName,
  ProviderDialect
>;

/** What the gateway itself demands of a request, on relays too. Throws M300 naming the field. */
export const checks = {
  chat: checkChat,
  responses: checkResponses,
  messages: checkMessages,
} as const satisfies Record<ClientFormat, (body: JsonObject) => void>;

/** Takes usage that only the gateway asked for out of a relayed stream, where a dialect has such a thing. */
export const usageFilters: Partial<
  Record<ClientFormat, () => { feed(text: string): string; end(): string }>
> = {
  chat: hideUsage,
};
