/** LlamaIndex's models, and its agent workflow. */
import type { Sdk } from "./sdk.ts";

const errors = {
  failure: { name: "InternalServerError", says: /the lab is on fire/, requests: 2 },
  key: { name: "AuthenticationError", says: /M005/ },
  model: { name: "NotFoundError", says: /M302/ },
};
const google = {
  failure: { name: "ApiError", says: /the lab is on fire/, requests: 1 },
  key: { name: "ApiError", says: /M005/ },
  model: { name: "ApiError", says: /M302/ },
};

export const llamaindex: Sdk = {
  id: "llamaindex",
  name: "LlamaIndex",
  packages: {
    llamaindex: "0.12.1",
    "@llamaindex/openai": "0.4.22",
    "@llamaindex/anthropic": "0.3.26",
    "@llamaindex/google": "0.4.0",
    "@llamaindex/workflow": "1.1.24",
    zod: "4.6.7",
  },
  ways: {
    chat: { speaks: "chat", errors },
    responses: { speaks: "responses", lacks: ["embed"], errors },
    messages: { speaks: "messages", lacks: ["embed"], errors },
    gemini: { speaks: "gemini", lacks: ["embed"], errors: google },
  },
};
