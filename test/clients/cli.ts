/** Both clients as programs: installed beside the project, run without a terminal on a task. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { final, prompt } from "./tasks.ts";

export type ClientName = "claude" | "codex";

/** What npm installs for each. */
export const clientVersions = {
  claude: { package: "@anthropic-ai/claude-code", version: "2.1.330" },
  codex: { package: "@openai/codex", version: "0.169.0" },
} as const satisfies Record<ClientName, { package: string; version: string }>;
const patience = 180_000;

export interface Run {
  client: ClientName;
  /** The binaries' folder. */
  bin: string;
  /** Where the task is done. */
  work: string;
  /** The client's own home: nothing of this machine's settings reaches it. */
  home: string;
  gateway: string;
  key: string;
  model: string;
  /** Codex alone: it may open a WebSocket. */
  socket?: boolean;
}

/** Installs the pinned versions into a folder of their own. Returns where their commands are. */
export async function installClients(folder: string): Promise<string> {
  const manifest = JSON.stringify({
    private: true,
    dependencies: Object.fromEntries(
      Object.values(clientVersions).map((one) => [one.package, one.version]),
    ),
    allowScripts: { "@anthropic-ai/claude-code": true },
  });
  const file = path.join(folder, "package.json");
  const bin = path.join(folder, "node_modules", ".bin");
  const same = existsSync(file) && readFileSync(file, "utf8") === manifest;
  if (same && existsSync(path.join(bin, "claude")) && existsSync(path.join(bin, "codex")))
    return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, manifest);
  const { code, output } = await execute("npm", ["install", "--no-audit", "--no-fund"], {
    cwd: folder,
    env: process.env,
  });
  if (code !== 0) throw new Error(`the clients could not be installed:\n${output}`);
  return bin;
}

/** Runs the task. Returns what was wrong with its end. */
export async function runClient(run: Run): Promise<string[]> {
  const { code, output } = await (run.client === "claude" ? runClaude(run) : runCodex(run));
  const problems: string[] = [];
  if (code !== 0) problems.push(`${run.client} ended with code ${code}`);
  if (!output.includes(final)) problems.push("the final text was not shown");
  if (problems.length > 0) problems.push(output.slice(-1500));
  return problems;
}

function runClaude(run: Run): Promise<Ended> {
  const { model } = run;
  const args = [
    "-p",
    prompt,
    "--model",
    model,
    "--permission-mode",
    "acceptEdits",
    "--allowedTools",
    "Bash,Read,Write,Edit",
  ];
  return execute(path.join(run.bin, "claude"), args, {
    cwd: run.work,
    env: {
      ...plainEnvironment(run),
      ANTHROPIC_BASE_URL: run.gateway,
      ANTHROPIC_AUTH_TOKEN: run.key,
      ANTHROPIC_DEFAULT_OPUS_MODEL: model,
      ANTHROPIC_DEFAULT_SONNET_MODEL: model,
      ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
      CLAUDE_CODE_SUBAGENT_MODEL: model,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // The big file is one result, not a refusal.
      CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: "500000",
    },
  });
}

function runCodex(run: Run): Promise<Ended> {
  const config = [
    `model = ${JSON.stringify(run.model)}`,
    `model_provider = "gateway"`,
    "tool_output_token_limit = 500000",
    "[model_providers.gateway]",
    `name = "Routing Gateway"`,
    `base_url = ${JSON.stringify(`${run.gateway}/v1`)}`,
    `env_key = "GATEWAY_API_KEY"`,
    `wire_api = "responses"`,
    ...(run.socket === true ? ["supports_websockets = true"] : []),
  ];
  writeFileSync(path.join(run.home, "config.toml"), config.join("\n"));
  const args = ["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", prompt];
  const env = { ...plainEnvironment(run), CODEX_HOME: run.home, GATEWAY_API_KEY: run.key };
  return execute(path.join(run.bin, "codex"), args, { cwd: run.work, env });
}

function plainEnvironment(run: Run): Record<string, string> {
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  return { PATH, LANG, HOME: run.home, TERM: "dumb", DISABLE_AUTOUPDATER: "1" };
}

/** How a command ended. */
export interface Ended {
  code: number | null;
  output: string;
}

/** Runs a command to its end; what it said on both outputs. */
export function execute(
  command: string,
  args: string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    child.stderr.on("data", (part: Buffer) => (output += part.toString()));
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}
