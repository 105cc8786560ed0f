/** LangChain's chat models. */
import type { Sdk } from "./sdk.ts";

const openai = {
  failure: { name: "InternalServerError", says: /the lab is on fire/, requests: 2 },
  key: { name: "AuthenticationError", says: /M003/ },
  model: { name: "NotFoundError", says: /M302/ },
};
const google = {
  failure: { name: "GoogleGenerativeAIFetchError", says: /the lab is on fire/, requests: 2 },
  key: { name: "GoogleGenerativeAIFetchError", says: /M003/ },
  model: { name: "GoogleGenerativeAIFetchError", says: /M302/ },
};

export const langchain: Sdk = {
  id: "langchain",
  name: "LangChain",
  packages: {
    "@langchain/core": "1.4.0",
    "@langchain/openai": "1.6.0",
    "@langchain/anthropic": "1.5.11",
    "@langchain/google-genai": "2.3.2",
    zod: "4.6.7",
  },
  ways: {
    chat: { speaks: "chat", errors: openai },
    responses: { speaks: "responses", lacks: ["embed"], errors: openai },
    messages: { speaks: "messages", lacks: ["embed"], errors: openai },
    gemini: {
      speaks: "gemini",
      errors: google,
      // One content a result.
      ownFaults: /two user turns in a row|answers weather to calls of/,
    },
  },
};
