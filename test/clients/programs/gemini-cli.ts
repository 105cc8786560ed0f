/** Gemini CLI, by its own variables. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Program } from "./program.ts";

const settings = {
  // With a base URL alone it chooses a way of signing in that it then refuses.
  security: { auth: { selectedType: "gemini-api-key" } },
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
};

export const geminiCli: Program = {
  id: "gemini-cli",
  name: "Gemini CLI",
  packages: { "@google/gemini-cli": "0.61.0" },
  command: "gemini",
  speaks: ["gemini"],
  tools: {
    write: (file_path, content) => ({ tool: "write_file", input: { file_path, content } }),
    shell: (command) => ({ tool: "run_shell_command", input: { command } }),
    read: (file_path) => ({ tool: "read_file", input: { file_path } }),
  },
  names: {},
  setUp({ home, gateway, key, model, prompt }) {
    mkdirSync(path.join(home, ".gemini"), { recursive: true });
    writeFileSync(path.join(home, ".gemini/settings.json"), JSON.stringify(settings));
    const environment = {
      GEMINI_API_KEY: key,
      GOOGLE_GEMINI_BASE_URL: gateway,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    };
    return [{ args: ["-m", model, "-y", "-p", prompt], environment }];
  },
};
