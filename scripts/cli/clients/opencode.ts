/** opencode: a provider of its configuration file for the user. */
import { existsSync } from "node:fs";
import path from "node:path";
import { membersOf } from "../files/member.ts";
import { folderFrom, type ConfigurableClient, type UserPlace } from "./client.ts";
import { textAt } from "./said.ts";

export const opencodeClient: ConfigurableClient = {
  id: "opencode",
  name: "opencode",
  command: "opencode",
  guide: "clients/opencode",
  files(place, { url, key, model, context }) {
    const described = {
      name: model,
      limit: { context, output: 32_000 },
      // Without it pictures and documents are kept from the model.
      modalities: { input: ["text", "image", "pdf"], output: ["text"] },
    };
    const gateway = {
      npm: "@ai-sdk/openai-compatible",
      name: "Gateway",
      options: { baseURL: `${url}/v1`, apiKey: key },
      models: { [model]: described },
    };
    const named = `gateway/${model}`;
    const settings = { model: named, small_model: named, provider: { gateway } };
    return [{ kind: "members", file: fileOf(place), format: "json", members: membersOf(settings) }];
  },
  request: (said) => ({
    format: "chat",
    base: textAt(said[0], "provider", "gateway", "options", "baseURL"),
    key: textAt(said[0], "provider", "gateway", "options", "apiKey"),
    model: textAt(said[0], "model").replace(/^gateway\//, ""),
  }),
  notes: ({ environment }) =>
    (environment["OPENCODE_CONFIG_CONTENT"] ?? "") === ""
      ? []
      : ["OPENCODE_CONFIG_CONTENT is set in this shell and takes precedence."],
};

/** The one that exists; of several the one that opencode reads last, and what it reads last takes precedence. */
function fileOf(place: UserPlace): string {
  const { OPENCODE_CONFIG_DIR: own = "", OPENCODE_CONFIG: named = "" } = place.environment;
  if (own === "" && named !== "") return named;
  const usual = path.join(folderFrom(place, "XDG_CONFIG_HOME", ".config"), "opencode");
  const folder = own === "" ? usual : own;
  const files = ["opencode.jsonc", "opencode.json"].map((name) => path.join(folder, name));
  return files.find((file) => existsSync(file)) ?? path.join(folder, "opencode.json");
}
