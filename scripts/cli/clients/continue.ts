/** Continue: a model of its configuration file. */
import { existsSync } from "node:fs";
import path from "node:path";
import {
  isGroup,
  MalformedText,
  memberAt,
  type Member,
  type MemberValue,
} from "../files/member.ts";
import { yamlText } from "../files/yaml-text.ts";
import { findFile } from "../files/disk-file.ts";
import { folderFrom, type ConfigurableClient } from "./client.ts";
import { textAt } from "./said.ts";

const entryName = "Gateway";
/** What a file needs besides; Continue refuses one without. */
const header = { name: "My configuration", version: "1.0.0", schema: "v1" };

export const continueClient: ConfigurableClient = {
  id: "continue",
  name: "Continue",
  command: "cn",
  guide: "clients/continue",
  files(place, { url, key, model }) {
    const file = path.join(folderFrom(place, "CONTINUE_GLOBAL_DIR", ".continue"), "config.yaml");
    const entry = {
      name: entryName,
      provider: "openai",
      model,
      apiBase: `${url}/v1`,
      apiKey: key,
      roles: ["chat"],
      capabilities: ["tool_use", "image_input"],
    };
    const members = [...missingHeader(file), { path: ["models", entryName], value: entry }];
    return [{ kind: "members", file, format: "yaml", members }];
  },
  request: (said) => ({
    format: "chat",
    base: textAt(said[0], "models", entryName, "apiBase"),
    key: textAt(said[0], "models", entryName, "apiKey"),
    model: textAt(said[0], "models", entryName, "model"),
  }),
  notes: () => ['Choose the model "Gateway" in Continue; cn uses the first model in the file.'],
};

/** A file that cannot be read is refused where it would be changed. */
function readable(text: string): MemberValue {
  try {
    return yamlText.read(text);
  } catch (error) {
    if (error instanceof MalformedText) return {};
    throw error;
  }
}

function missingHeader(file: string): Member[] {
  const text = existsSync(file) ? (findFile(file).bytes?.toString("utf8") ?? "") : "";
  const said = readable(text);
  return Object.entries(header)
    .filter(([name, usual]) => {
      const now = isGroup(said) ? memberAt(said, [name]) : undefined;
      return now === undefined || now === usual;
    })
    .map(([name, value]) => ({ path: [name], value }));
}
