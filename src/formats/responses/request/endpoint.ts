/** Where Responses live at a provider, how a call identifies itself, and how it counts tokens. */
import type { ProviderCounting, ProviderEndpoint } from "../../../core/format.ts";
import { asNumber, isObject } from "../../../lib/json.ts";
import { pick } from "../../../translation/describe.ts";

export const endpoint: ProviderEndpoint = {
  auth: "bearer",
  headers: {},
  path: (_model, call) => (call === "count" ? "/responses/input_tokens" : "/responses"),
  publishedAs: ["/responses", "/v1/responses", "responses"],
};

/** Members that the counting endpoint knows; it refuses others. */
const counted = [
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
] as const;

export const counting: ProviderCounting = {
  body: (body) => pick(body, counted),
  read: (answer) => (isObject(answer) ? asNumber(answer["input_tokens"]) : undefined),
};
