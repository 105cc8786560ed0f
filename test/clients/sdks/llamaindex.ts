/** LlamaIndex's models, and its agent workflow. */
import type { Sdk } from "./sdk.ts";

const errors = {
  failure: { name: "InternalServerError", says: /the lab is on fire/, requests: 2 },
  key: { name: "AuthenticationError", says: /M003/ },
  model: { name: "NotFoundError", says: /M302/ },
};
const google = {
  failure: { name: "ApiError", says: /the lab is on fire/, requests: 1 },
  key: { name: "ApiError", says: /M003/ },
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
    // It takes no signal, and reads a stream on that its reader left.
    chat: { speaks: "chat", lacks: ["abort"], errors },
    // It repeats the last piece of a stream with every event after it, and its agent streams.
    responses: { speaks: "responses", lacks: ["embed", "abort", "task", "stream"], errors },
    messages: { speaks: "messages", lacks: ["embed", "abort"], forgets: true, errors },
    gemini: {
      speaks: "gemini",
      lacks: ["embed", "abort"],
      forgets: true,
      ownFaults: /a call without a thought signature/,
      errors: google,
    },
  },
};
