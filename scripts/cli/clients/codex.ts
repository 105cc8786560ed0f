/** Codex: a provider of its configuration file, and the catalogue of the gateway's models. */
import { existsSync } from "node:fs";
import path from "node:path";
import { findFile } from "../files/disk-file.ts";
import { isGroup, MalformedText, memberAt, membersOf, type MemberValue } from "../files/member.ts";
import { tomlText } from "../files/toml-text.ts";
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
    const file = path.join(folder, "config.toml");
    const provider = freeName(file, Object.keys(gateway));
    const members = membersOf({
      model,
      model_provider: provider,
      model_catalog_json: catalogue,
      model_providers: { [provider]: gateway },
    });
    return [
      { kind: "members", file, format: "toml", members },
      { kind: "own", file: catalogue, text: codexCatalogue },
    ];
  },
  request: (said) => ({
    format: "responses",
    base: textAt(said[0], "model_providers", textAt(said[0], "model_provider"), "base_url"),
    key: textAt(
      said[0],
      "model_providers",
      textAt(said[0], "model_provider"),
      "experimental_bearer_token",
    ),
    model: textAt(said[0], "model"),
  }),
};

/** `gateway`, where no provider of that name has more than ours: its `env_key` or headers would stay in force. */
function freeName(file: string, ours: readonly string[]): string {
  const theirs = memberAt(readable(file), ["model_providers", "gateway"]);
  const names = isGroup(theirs) ? Object.keys(theirs) : [];
  return names.every((name) => ours.includes(name)) ? "gateway" : "routing-gateway";
}

/** A file that cannot be read is refused where it would be changed. */
function readable(file: string): MemberValue {
  try {
    return existsSync(file) ? tomlText.read(findFile(file).bytes?.toString("utf8") ?? "") : {};
  } catch (error) {
    if (error instanceof MalformedText) return {};
    throw error;
  }
}
