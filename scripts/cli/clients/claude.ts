/** Claude Code: variables in its settings file. */
import path from "node:path";
import { membersOf } from "../files/member.ts";
import { folderFrom, type ConfigurableClient } from "./client.ts";
import { textAt } from "./said.ts";

export const claudeClient: ConfigurableClient = {
  id: "claude",
  name: "Claude Code",
  command: "claude",
  guide: "clients/claude-code",
  files(place, { url, key, model, claudeCode }) {
    const env = {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_AUTH_TOKEN: key,
      ANTHROPIC_MODEL: model,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      ...claudeCode,
    };
    const file = path.join(folderFrom(place, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json");
    return [
      {
        kind: "members",
        file,
        format: "json",
        unreadable: ["a comment", "a trailing comma"],
        members: membersOf({ env }),
      },
    ];
  },
  request: (said) => ({
    format: "messages",
    base: textAt(said[0], "env", "ANTHROPIC_BASE_URL"),
    key: textAt(said[0], "env", "ANTHROPIC_AUTH_TOKEN"),
    model: textAt(said[0], "env", "ANTHROPIC_MODEL"),
  }),
  notes: (place) =>
    place.environment["ANTHROPIC_API_KEY"] === undefined
      ? []
      : [
          "ANTHROPIC_API_KEY is set in this shell. Unset it, or Claude Code sends it to the gateway too.",
        ],
};
