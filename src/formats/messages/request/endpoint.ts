/** Where Messages live at a provider, how a call identifies itself, what a relay hands on, and how it counts tokens. */
import type { ClientCounting, ProviderCounting, ProviderEndpoint } from "../../../core/format.ts";
import { asNumber, isObject } from "../../../lib/json.ts";
import { pick } from "../../../translation/describe.ts";
import { checkCountRequest } from "./check.ts";
import { safeguardsBeta } from "./safeguards.ts";

export const endpoint: ProviderEndpoint = {
  auth: "x-api-key",
  headers: { "anthropic-version": "2023-06-01" },
  path: (_model, call) => (call === "count" ? "/messages/count_tokens" : "/messages"),
  publishedAs: ["/messages", "/v1/messages", "messages"],
  passes: {
    // Nothing that tells who the client is.
    headers: ["user-agent", "x-app", "x-claude-code-session-id"],
    passesToo: (name) => name.startsWith("anthropic-") && !unpassed.test(name),
    joined: "anthropic-beta",
    passesValue: (value, { traits }) => traits.makersOwn || !safeguardsBeta.test(value),
    query: true,
  },
  subscriptionHeaders: ["anthropic-ratelimit-unified-", "anthropic-organization-id"],
};

/** Credentials, and what a browser says of itself. */
const unpassed =
  /^anthropic-dangerous-|-(?:key|token|secret|password|cookie|auth|authorization|credentials?)$/;

/** Members that the counting endpoint knows; it refuses others. */
const counted = [
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "output_config",
  "mcp_servers",
  "context_management",
] as const;

export const counting: ProviderCounting = {
  body: (body) => pick(body, counted),
  read: (answer) => (isObject(answer) ? asNumber(answer["input_tokens"]) : undefined),
};

export const clientCounting: ClientCounting = {
  path: "/messages/count_tokens",
  checkRequest: checkCountRequest,
  writeCount: (tokens) => ({ input_tokens: tokens }),
};
