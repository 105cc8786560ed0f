/** Google's Gen AI SDK. It does not retry unless told to. */
import type { Sdk } from "./sdk.ts";

export const googleGenai: Sdk = {
  id: "google-genai",
  name: "Google Gen AI SDK",
  packages: { "@google/genai": "3.1.0", zod: "4.6.7" },
  ways: {
    gemini: {
      speaks: "gemini",
      errors: {
        failure: { name: "ApiError", says: /the lab is on fire/, requests: 1 },
        key: { name: "ApiError", says: /M003/ },
        model: { name: "ApiError", says: /M302/ },
      },
    },
  },
};
