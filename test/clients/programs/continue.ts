/** Continue CLI, with the gateway as a model of its configuration file. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { WireFormat } from "../../kit/wire/said.ts";
import type { Program, ProgramRun } from "./program.ts";

const providers: Partial<Record<WireFormat, string>> = { chat: "openai", messages: "anthropic" };

export const continueCli: Program = {
  id: "continue",
  name: "Continue CLI",
  packages: { "@continuedev/cli": "1.5.47" },
  command: "cn",
  speaks: ["chat", "messages"],
  tools: {
    write: (filepath, content) => ({ tool: "Write", input: { filepath, content } }),
    shell: (command) => ({ tool: "Bash", input: { command } }),
    read: (filepath) => ({ tool: "Read", input: { filepath } }),
  },
  setUp(run) {
    const file = path.join(run.home, "config.yaml");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify(configuration(run)));
    const environment = { CONTINUE_GLOBAL_DIR: run.home, CONTINUE_TELEMETRY_ENABLED: "0" };
    return [{ args: ["-p", "--config", file, "--auto", run.prompt], environment }];
  },
};

function configuration({ speaks, gateway, key, model }: ProgramRun): object {
  const entry = {
    name: "lab",
    provider: providers[speaks],
    model,
    apiBase: `${gateway}/v1`,
    apiKey: key,
    roles: ["chat"],
    capabilities: ["tool_use"],
  };
  return { name: "gateway", version: "1.0.0", schema: "v1", models: [entry] };
}
