/** pi: a provider of its models file, chosen in its settings. */
import path from "node:path";
import { membersOf } from "../files/member.ts";
import { folderFrom, type ConfigurableClient } from "./client.ts";
import { memberAt } from "../files/member.ts";
import { textAt } from "./said.ts";

export const piClient: ConfigurableClient = {
  id: "pi",
  name: "pi",
  command: "pi",
  guide: "clients/pi",
  files(place, { url, key, model, context }) {
    const folder = folderFrom(place, "PI_CODING_AGENT_DIR", ".pi/agent");
    const models = [
      { id: model, contextWindow: context, maxTokens: 32_000, input: ["text", "image"] },
    ];
    const gateway = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: key, models };
    const chosen = { defaultProvider: "gateway", defaultModel: model };
    return [
      {
        kind: "members",
        file: path.join(folder, "models.json"),
        format: "json",
        members: membersOf({ providers: { gateway } }),
      },
      {
        kind: "members",
        file: path.join(folder, "settings.json"),
        format: "json",
        members: membersOf(chosen),
      },
    ];
  },
  request: (said) => ({
    format: "chat",
    base: textAt(said[0], "providers", "gateway", "baseUrl"),
    key: textAt(said[0], "providers", "gateway", "apiKey"),
    model: String(memberAt(said[1], ["defaultModel"]) ?? "auto"),
  }),
};
