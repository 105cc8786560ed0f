/** Where generateContent lives at a provider, how a call identifies itself, and how it counts tokens. */
import type { ProviderCounting, ProviderEndpoint } from "../../../core/format.ts";
import { asNumber, isObject } from "../../../lib/json.ts";

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
