/** Where chat completions live at a provider, and how a call identifies itself. */
import type { ProviderEndpoint } from "../../../core/format.ts";

export const endpoint: ProviderEndpoint = {
  auth: "bearer",
  headers: {},
  path: () => "/chat/completions",
  publishedAs: [
    "/chat/completions",
    "/v1/chat/completions",
    "chat/completions",
    "chat.completions",
  ],
};
