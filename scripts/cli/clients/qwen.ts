/** Qwen Code: variables in its settings file. */
import path from "node:path";
import { membersOf } from "../files/member.ts";
import { folderFrom, type ConfigurableClient } from "./client.ts";
import { textAt } from "./said.ts";

export const qwenClient: ConfigurableClient = {
  id: "qwen",
  name: "Qwen Code",
  command: "qwen",
  guide: "clients/qwen-code",
  files(place, { url, key, model }) {
    const settings = {
      security: { auth: { selectedType: "openai" } },
      model: { name: model },
      env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key },
    };
    const file = path.join(folderFrom(place, "QWEN_HOME", ".qwen"), "settings.json");
    return [
      {
        kind: "members",
        file,
        format: "json",
        unreadable: ["a trailing comma"],
        members: membersOf(settings),
      },
    ];
  },
  request: (said) => ({
    format: "chat",
    base: textAt(said[0], "env", "OPENAI_BASE_URL"),
    key: textAt(said[0], "env", "OPENAI_API_KEY"),
    model: textAt(said[0], "model", "name"),
  }),
  notes: ({ environment }) =>
    environment["OPENAI_API_KEY"] === undefined
      ? []
      : ["OPENAI_API_KEY is set in this shell and takes precedence. Unset it for Qwen Code."],
};
