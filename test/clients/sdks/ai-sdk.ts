/** The AI SDK, with each of its providers that takes a base URL. */
import type { Sdk, SeenErrors } from "./sdk.ts";

const errors: SeenErrors = {
  failure: { name: "RetryError", says: /the lab is on fire/, requests: 3 },
  key: { name: "APICallError", says: /M003/ },
  model: { name: "APICallError", says: /M302/ },
};

export const aiSdk: Sdk = {
  id: "ai-sdk",
  name: "AI SDK",
  packages: {
    ai: "7.0.173",
    "@ai-sdk/openai": "4.0.118",
    "@ai-sdk/anthropic": "4.0.105",
    "@ai-sdk/google": "4.0.121",
    "@ai-sdk/openai-compatible": "3.0.92",
    zod: "4.6.7",
  },
  ways: {
    openai: { speaks: "responses", errors },
    "openai.chat": { speaks: "chat", lacks: ["embed"], errors },
    anthropic: { speaks: "messages", lacks: ["embed"], errors },
    google: { speaks: "gemini", errors },
    "openai-compatible": { speaks: "chat", errors },
  },
};
