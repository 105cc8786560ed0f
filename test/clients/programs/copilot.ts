/** GitHub Copilot CLI, offline, with a provider of the user's own. */
import type { WireFormat } from "../../kit/wire/said.ts";
import type { Program } from "./program.ts";

const kinds: Partial<Record<WireFormat, Record<string, string>>> = {
  chat: { COPILOT_PROVIDER_TYPE: "openai", COPILOT_PROVIDER_WIRE_API: "completions" },
  responses: { COPILOT_PROVIDER_TYPE: "openai", COPILOT_PROVIDER_WIRE_API: "responses" },
  messages: { COPILOT_PROVIDER_TYPE: "anthropic" },
};

export const copilot: Program = {
  id: "copilot",
  name: "GitHub Copilot CLI",
  packages: { "@github/copilot": "1.0.102", node: "24.21.0" },
  scripts: ["node"],
  command: "copilot",
  speaks: ["chat", "responses", "messages"],
  tools: {
    write: (file, file_text) => ({ tool: "create", input: { path: file, file_text } }),
    shell: (command) => ({ tool: "bash", input: { command, description: "A step" } }),
    read: (file) => ({ tool: "view", input: { path: file } }),
  },
  setUp({ speaks, home, gateway, key, model, prompt }) {
    const environment = {
      COPILOT_HOME: home,
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: speaks === "messages" ? gateway : `${gateway}/v1`,
      COPILOT_PROVIDER_API_KEY: key,
      COPILOT_MODEL: model,
      ...kinds[speaks],
    };
    return [{ args: ["-s", "--allow-all-tools", "--allow-all-paths", "-p", prompt], environment }];
  },
};
