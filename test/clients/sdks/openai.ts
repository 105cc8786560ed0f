/** The OpenAI SDK. */
import type { Sdk, SeenErrors } from "./sdk.ts";

const errors: SeenErrors = {
  failure: { name: "InternalServerError", says: /the lab is on fire/, requests: 3 },
  key: { name: "AuthenticationError", says: /M003/ },
  model: { name: "NotFoundError", says: /M302/ },
};

export const openai: Sdk = {
  id: "openai",
  name: "OpenAI SDK",
  packages: { openai: "7.57.0", zod: "4.6.7" },
  ways: { responses: { speaks: "responses", errors }, chat: { speaks: "chat", errors } },
};
