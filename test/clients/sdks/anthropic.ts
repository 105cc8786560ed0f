/** The Anthropic SDK: its tool runner keeps a thread, or sends everything where there are none. */
import type { Sdk } from "./sdk.ts";

export const anthropic: Sdk = {
  id: "anthropic",
  name: "Anthropic SDK",
  packages: { "@anthropic-ai/sdk": "1.12.0", zod: "4.6.7" },
  ways: {
    messages: {
      speaks: "messages",
      lacks: ["embed"],
      errors: {
        failure: { name: "InternalServerError", says: /the lab is on fire/, requests: 3 },
        key: { name: "AuthenticationError", says: /M003/ },
        model: { name: "NotFoundError", says: /M302/ },
      },
    },
  },
};
