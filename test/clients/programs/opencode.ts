/** opencode, with the gateway as a provider of its configuration file. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { WireFormat } from "../../kit/wire/said.ts";
import type { Program, ProgramRun } from "./program.ts";

/** The AI SDK's package for each format; all are part of the program. */
const sdks: Partial<Record<WireFormat, string>> = {
  chat: "@ai-sdk/openai-compatible",
  messages: "@ai-sdk/anthropic",
  responses: "@ai-sdk/openai",
  gemini: "@ai-sdk/google",
};

export const opencode: Program = {
  id: "opencode",
  name: "opencode",
  packages: { "opencode-ai": "1.18.33" },
  scripts: ["opencode-ai"],
  command: "opencode",
  speaks: ["chat", "messages", "responses", "gemini"],
  tools: {
    write: (filePath, content) => ({ tool: "write", input: { filePath, content } }),
    shell: (command) => ({ tool: "bash", input: { command } }),
    read: (filePath) => ({ tool: "read", input: { filePath } }),
  },
  names: {
    delegation: {
      tool: "task",
      input: { description: "Look", prompt: "Look at a file.", subagent_type: "general" },
    },
  },
  setUp(run) {
    writeFileSync(path.join(run.work, "opencode.json"), JSON.stringify(configuration(run)));
    const environment = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
    return [{ args: ["run", run.prompt], environment }];
  },
};

function configuration({ speaks, gateway, key, model }: ProgramRun): object {
  const version = speaks === "gemini" ? "v1beta" : "v1";
  return {
    autoupdate: false,
    share: "disabled",
    permission: "allow",
    model: `gateway/${model}`,
    small_model: `gateway/${model}`,
    provider: {
      gateway: {
        npm: sdks[speaks],
        name: "Gateway",
        options: { baseURL: `${gateway}/${version}`, apiKey: key },
        models: { [model]: { name: "Lab", limit: { context: 200_000, output: 32_000 } } },
      },
    },
  };
}
