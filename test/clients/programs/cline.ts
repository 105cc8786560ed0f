/** Cline CLI, signed in to an OpenAI-compatible provider by its own command. */
import type { Program } from "./program.ts";

// Without it a daemon stays behind.
const environment = { CLINE_SESSION_BACKEND_MODE: "local", AI_SDK_LOG_WARNINGS: "false" };

export const cline: Program = {
  id: "cline",
  name: "Cline CLI",
  packages: { cline: "3.0.65" },
  command: "cline",
  speaks: ["chat"],
  tools: {
    write: (file, new_text) => ({ tool: "editor", input: { path: file, new_text } }),
    shell: (command) => ({ tool: "run_commands", input: { commands: [command] } }),
    read: (file) => ({ tool: "read_files", input: { files: [{ path: file }] } }),
  },
  setUp({ gateway, key, model, prompt }) {
    const auth = ["auth", "-p", "openai", "-k", key, "-m", model, "-b", `${gateway}/v1`];
    return [
      { args: auth, environment },
      { args: [prompt], environment },
    ];
  },
};
