/** Codex: a provider of its configuration file, and the catalogue of the gateway's models. */
import path from "node:path";
import { membersOf } from "../files/member.ts";
import { folderFrom, type ConfigurableClient } from "./client.ts";
import { textAt } from "./said.ts";

export const codexClient: ConfigurableClient = {
  id: "codex",
  name: "Codex",
  command: "codex",
  guide: "clients/codex",
  files(place, { url, key, model, codexCatalogue }) {
    const folder = folderFrom(place, "CODEX_HOME", ".codex");
    const catalogue = path.resolve(folder, "gateway-models.json");
    const gateway = {
      name: "Gateway",
      base_url: `${url}/v1`,
      // The one way of giving a key that needs no variable in every shell.
      experimental_bearer_token: key,
      wire_api: "responses",
    };
    const members = membersOf({
      model,
      model_provider: "gateway",
      model_catalog_json: catalogue,
      model_providers: { gateway },
    });
    return [
      { kind: "members", file: path.join(folder, "config.toml"), format: "toml", members },
      { kind: "own", file: catalogue, text: codexCatalogue },
    ];
  },
  request: (said) => ({
    format: "responses",
    base: textAt(said[0], "model_providers", "gateway", "base_url"),
    key: textAt(said[0], "model_providers", "gateway", "experimental_bearer_token"),
    model: textAt(said[0], "model"),
  }),
};
