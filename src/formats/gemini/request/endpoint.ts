/** Where generateContent lives at a provider, how a call identifies itself, and how it counts tokens. */
import type { ClientCounting, ProviderCounting, ProviderEndpoint } from "../../../core/format.ts";
import { asNumber, asObject, isObject } from "../../../lib/json.ts";
import { checkContents } from "./check.ts";

const methods = {
  whole: "generateContent",
  stream: "streamGenerateContent?alt=sse",
  count: "countTokens",
} as const;

export const endpoint: ProviderEndpoint = {
  auth: "x-goog-api-key",
  headers: {},
  path: (model, call) => `/models/${encodeURIComponent(model)}:${methods[call]}`,
  publishedAs: [],
};

export const counting: ProviderCounting = {
  body: ({ contents, systemInstruction, tools }, target) => ({
    generateContentRequest: {
      model: `models/${target.model}`,
      contents,
      systemInstruction,
      tools,
    },
  }),
  read: (answer) => (isObject(answer) ? asNumber(answer["totalTokens"]) : undefined),
};

/** A count is asked for a list of contents, or for a whole request. */
export const clientCounting: ClientCounting = {
  requestOf: (body) =>
    asObject(body["generateContentRequest"] ?? body["generate_content_request"]) ?? body,
  checkRequest: (body) => checkContents(body["contents"]),
  writeCount: (tokens) => ({
    totalTokens: tokens,
    promptTokensDetails: [{ modality: "TEXT", tokenCount: tokens }],
  }),
};
