/** Every format as a provider would speak it: neutral answers as wire text, whole and streamed, and its errors. */
import type { ClientFormatName, FormatName } from "../../src/core/format-name.ts";
import { replay, type Reply } from "../../src/core/reply.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { geminiBody, geminiStream } from "./gemini-answers.ts";
import { echo } from "./neutral.ts";
import type { Random } from "./random.ts";

// The records' own keys are their types.
export const providerFormatNames = Object.keys(providerFormats) as FormatName[];
export const clientFormatNames = Object.keys(clientFormats) as ClientFormatName[];

/** Every client beside every provider, its own format included. */
export const pairs = clientFormatNames.flatMap((client) =>
  providerFormatNames.map((provider) => ({ client, provider })),
);

export function providerStream(format: FormatName, reply: Reply, rng: Random): string {
  if (format === "gemini") return geminiStream(reply, rng);
  return clientFormats[format].eventWriter(echo()).write(replay(reply));
}

export function providerBody(format: FormatName, reply: Reply): JsonObject {
  return format === "gemini" ? geminiBody(reply) : clientFormats[format].writeReply(reply, echo());
}

/** The stream's events, each with its blank line. */
export function wireBlocks(text: string): string[] {
  return text.split(/(?<=\r?\n\r?\n)(?=\S)/);
}

/** How a provider of this format says in mid-stream that it failed. */
export function providerError(format: FormatName, message: string): string {
  switch (format) {
    case "chat":
      return `data: ${JSON.stringify({ error: { message, type: "server_error", code: "boom" } })}\n\n`;
    case "responses":
      return `event: error\ndata: ${JSON.stringify({ type: "error", code: "boom", message, param: null, sequence_number: 9 })}\n\n`;
    case "messages":
      return `event: error\ndata: ${JSON.stringify({ type: "error", error: { type: "overloaded_error", message } })}\n\n`;
    case "gemini":
      return `data: ${JSON.stringify({ error: { code: 503, message, status: "UNAVAILABLE" } })}\r\n\r\n`;
    default:
      return format satisfies never;
  }
}
