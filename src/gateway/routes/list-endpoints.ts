/** Lists, whose errors are OpenAI-shaped. */
import { clientFormats } from "../../formats/index.ts";
import { handleCodexModels } from "../endpoints/codex-models.ts";
import { handleModel, handleModels } from "../endpoints/models.ts";
import type { PublicEndpoint } from "./endpoint.ts";

export const listEndpoints: readonly PublicEndpoint[] = (
  [
    ["/models", handleModels],
    ["/codex-models.json", handleCodexModels],
    ["/models/:id{.+}", handleModel],
  ] as const
).map(([path, handler]) => ({
  path,
  method: "GET",
  client: clientFormats.chat,
  generates: false,
  handler,
}));
