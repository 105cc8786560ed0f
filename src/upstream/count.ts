/** Asks providers that count tokens to count those of a request. */
import type { ClientFormatName, FormatName } from "../core/format-name.ts";
import type { Target } from "../core/model.ts";
import { asNumber, isObject, type JsonObject, type JsonValue } from "../lib/json.ts";
import { formatsOf, targetIn, endpointsOf } from "../providers/connection/connect.ts";
import type { ListedModel } from "../providers/connection/connection.ts";

/** Where the provider counts for this model, in the client's dialect if it can; undefined when it doesn't count. */
export function countTarget(model: ListedModel, client: ClientFormatName): Target | undefined {
  const counting = endpointsOf(model.connection).filter((wire) => wire.counts === true);
  const formats = formatsOf(model).filter((format) =>
    counting.some((wire) => wire.format === format),
  );
  const format = formats.find((candidate) => candidate === client) ?? formats[0];
  return format === undefined ? undefined : targetIn(model, format, false);
}

/** Members that a counting endpoint knows; it refuses others. */
const counted = {
  messages: [
    "model",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "thinking",
    "output_config",
    "mcp_servers",
    "context_management",
  ],
  responses: [
    "model",
    "input",
    "instructions",
    "tools",
    "tool_choice",
    "text",
    "reasoning",
    "truncation",
    "parallel_tool_calls",
    "previous_response_id",
    "conversation",
  ],
} as const;

/** A generation's body as the body of the question for its tokens. */
export function countBody(body: JsonObject, target: Target): JsonObject {
  switch (target.format) {
    case "messages":
    case "responses":
      return Object.fromEntries(
        counted[target.format]
          .filter((name) => body[name] !== undefined)
          .map((name) => [name, body[name]]),
      );
    case "gemini": {
      const { contents, systemInstruction, tools } = body;
      const request = { model: `models/${target.model}`, contents, systemInstruction, tools };
      return { generateContentRequest: request };
    }
    case "chat":
      return body;
    default:
      return target.format satisfies never;
  }
}

const countNames: Readonly<Record<FormatName, string>> = {
  messages: "input_tokens",
  responses: "input_tokens",
  gemini: "totalTokens",
  chat: "input_tokens",
};

/** The number in the answer. */
export function readCount(body: JsonValue, format: FormatName): number | undefined {
  return isObject(body) ? asNumber(body[countNames[format]]) : undefined;
}
