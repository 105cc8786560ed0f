/** OpenAI's Agents SDK. */
import type { Sdk, SeenErrors } from "./sdk.ts";

const errors: SeenErrors = {
  failure: { name: "InternalServerError", says: /the lab is on fire/, requests: 3 },
  key: { name: "AuthenticationError", says: /M003/ },
  model: { name: "NotFoundError", says: /M302/ },
};

export const openaiAgents: Sdk = {
  id: "openai-agents",
  name: "OpenAI Agents SDK",
  packages: { "@openai/agents": "0.20.0", zod: "4.6.7" },
  ways: {
    responses: { speaks: "responses", lacks: ["embed"], errors },
    chat: {
      speaks: "chat",
      lacks: ["embed"],
      errors,
      // A text part of its history holds the whole message that it came from.
      ownFaults: /unknown members role, reasoning_content, tool_calls/,
    },
  },
};
