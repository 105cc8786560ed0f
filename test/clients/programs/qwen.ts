/** Qwen Code, which speaks any of the four formats. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { WireFormat } from "../../kit/wire/said.ts";
import type { Program } from "./program.ts";

/** How it is told of a format: its name for it, its variables, and what follows the gateway's address. */
const kinds: Record<WireFormat, { auth: string; variables: string; base: string; path: string }> = {
  chat: { auth: "openai", variables: "OPENAI", base: "OPENAI_BASE_URL", path: "/v1" },
  responses: {
    auth: "openai-responses",
    variables: "OPENAI",
    base: "OPENAI_BASE_URL",
    path: "/v1",
  },
  messages: { auth: "anthropic", variables: "ANTHROPIC", base: "ANTHROPIC_BASE_URL", path: "" },
  gemini: { auth: "gemini", variables: "GEMINI", base: "GOOGLE_GEMINI_BASE_URL", path: "" },
};

export const qwen: Program = {
  id: "qwen",
  name: "Qwen Code",
  packages: { "@qwen-code/qwen-code": "0.24.4", node: "22.23.3" },
  scripts: ["node"],
  command: "qwen",
  speaks: ["chat", "responses", "messages", "gemini"],
  tools: {
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    shell: (command) => ({ tool: "run_shell_command", input: { command, is_background: false } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
  },
  setUp({ speaks, home, gateway, key, model, prompt }) {
    const kind = kinds[speaks];
    const settings = {
      security: { auth: { selectedType: kind.auth } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
      // Its subagent for memories would offer the same tools as the task.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false },
    };
    mkdirSync(path.join(home, ".qwen"), { recursive: true });
    writeFileSync(path.join(home, ".qwen/settings.json"), JSON.stringify(settings));
    const environment = {
      [`${kind.variables}_API_KEY`]: key,
      [`${kind.variables}_MODEL`]: model,
      [kind.base]: `${gateway}${kind.path}`,
    };
    return [{ args: ["-y", prompt], environment }];
  },
};
