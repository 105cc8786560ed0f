/** Reading requests of every format as a strict provider does. */
import type { WireFormat } from "../../kit/wire/said.ts";
import { inspectChat } from "./chat.ts";
import { inspectGemini } from "./gemini.ts";
import type { Inspection, JsonObject } from "./inspection.ts";
import { inspectMessages } from "./messages.ts";
import { inspectResponses } from "./responses.ts";

export const inspectors: Record<WireFormat, (body: JsonObject) => Inspection> = {
  chat: inspectChat,
  responses: inspectResponses,
  messages: inspectMessages,
  gemini: inspectGemini,
};
