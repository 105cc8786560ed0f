/** `gateway connect`, the real program with what was written, `gateway disconnect`: what was there is there again. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startUpstream } from "../kit/upstream.ts";
import { versions } from "../kit/wire/index.ts";
import { world, type World } from "../smoke/gateway.ts";
import { npmStart } from "../smoke/host.ts";
import { agentFor } from "./agent.ts";
import { execute, installClients, type Ended } from "./cli.ts";
import { filesBelow, unlikeBefore } from "./connect-files.ts";
import { isChosen, type Options } from "./options.ts";
import { programs } from "./programs/index.ts";
import { installProgram } from "./programs/install.ts";
import { final } from "./tasks.ts";
import { judged, type Verdict } from "./verdict.ts";

/** Files below the home, by their names. */
type Files = Readonly<Record<string, string>>;

/** A client as `gateway connect` names it, and how it is asked something. */
interface Connectable {
  readonly id: string;
  /** Its id among the programs; Claude Code and Codex are installed by themselves. */
  readonly program?: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** A file below the home that its user reads into the shell first. */
  readonly sourced?: string;
  /** What lies there before, one after another. */
  readonly starts: readonly Files[];
}

const prompt = "Say hello.";
/** What the scripted model answers to a request that is not about its task. */
const shown = "Title";

// Without it Gemini CLI waits for servers that cannot be reached here.
const quietGemini = `{
  // mine
  "general": { "enableAutoUpdate": false },
  "privacy": { "usageStatisticsEnabled": false },
  "telemetry": { "enabled": false }
}
`;

const connectables: readonly Connectable[] = [
  {
    id: "claude",
    command: "claude",
    args: ["-p", prompt],
    starts: [
      {},
      {
        ".claude/settings.json":
          '{\r\n    "env": { "ANTHROPIC_BASE_URL": "https://old.example", "MINE": "1" }\r\n}',
      },
    ],
  },
  {
    id: "codex",
    command: "codex",
    args: ["exec", "--skip-git-repo-check", "--sandbox", "danger-full-access", prompt],
    starts: [
      {},
      { ".codex/config.toml": "" },
      {
        ".codex/config.toml":
          '# mine\nmodel = "old" # why\n\n[model_providers.gateway]\nname = "Old"\nbase_url = "https://old.example"\n',
      },
      {
        ".codex/config.toml": 'approval_policy = "never"\r\n\r\n[profiles.mine]\r\nmodel = "other"',
      },
    ],
  },
  {
    id: "gemini",
    program: "gemini-cli",
    command: "gemini",
    // Without a model it first asks which one suits, and again and again, because the scripted model does not say.
    args: ["-m", "gemini-3.5-flash-lite", "-p", prompt],
    environment: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    starts: [
      { ".gemini/settings.json": quietGemini },
      {
        ".gemini/settings.json": quietGemini.replaceAll("\n", "\r\n"),
        ".gemini/.env": "# mine\r\nGEMINI_API_KEY=old # why\r\nOTHER='x'",
      },
    ],
  },
  {
    id: "opencode",
    program: "opencode",
    command: "opencode",
    args: ["run", prompt],
    environment: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    starts: [
      {},
      {
        ".config/opencode/opencode.json":
          '{\r\n    // mine\r\n    "share": "disabled",\r\n    "$schema": "https://opencode.ai/config.json",\r\n}',
      },
    ],
  },
  {
    id: "qwen",
    program: "qwen",
    command: "qwen",
    args: ["-y", prompt],
    starts: [
      {},
      {
        ".qwen/settings.json":
          '{\n    // mine\n    "privacy": { "usageStatisticsEnabled": false },\n    "$version": 4\n}\n',
      },
    ],
  },
  {
    id: "cline",
    program: "cline",
    command: "cline",
    args: [prompt],
    environment: { CLINE_SESSION_BACKEND_MODE: "local", AI_SDK_LOG_WARNINGS: "false" },
    starts: [
      {},
      { ".cline/data/settings/providers.json": '{\n    "version": 1,\n    "providers": {}\n}' },
    ],
  },
  {
    id: "continue",
    program: "continue",
    command: "cn",
    args: ["-p", prompt],
    environment: { CONTINUE_TELEMETRY_ENABLED: "0" },
    starts: [{}, { ".continue/config.yaml": "# mine\nname: Mine\nversion: 0.0.1\nschema: v1\n" }],
  },
  {
    id: "copilot",
    program: "copilot",
    command: "copilot",
    args: ["-s", "--allow-all-tools", "--allow-all-paths", "-p", prompt],
    environment: { COPILOT_AUTO_UPDATE: "false" },
    sourced: ".config/routing-gateway/copilot.sh",
    starts: [{}],
  },
];

/** Runs those that the options name; `connect` is all of them. */
export async function tryConnecting(options: Options, folder: string): Promise<Verdict[]> {
  const wanted = connectables.filter(({ id }) =>
    isChosen(options.only, `connect-${id}`, "connect"),
  );
  if (wanted.length === 0) return [];
  const upstream = await startUpstream({
    // A fresh agent for every request: it has nothing to do but to say its last words.
    respond: (request) => agentFor({ steps: [], final }).respond(request, "chat"),
  });
  const host = await npmStart({ state: path.join(folder, "state-of-connecting") });
  const verdicts: Verdict[] = [];
  try {
    const place = await world(host, {
      providers: [
        {
          id: "lab",
          kind: "custom",
          format: "chat",
          base_url: `${upstream.url}/lab/${versions.chat}`,
          api_key: "sk-test",
          models: [{ id: "lab-model", context_window: 200_000, max_output: 32_000 }],
        },
      ],
      harnesses: [{ id: "h", name: "H", aliases: { "gemini-*": "auto" } }],
    });
    const queue = [...wanted];
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        verdicts.push(...(await tryClient(next, place, folder)));
    };
    await Promise.all(Array.from({ length: options.jobs }, work));
    return verdicts;
  } finally {
    await host.stop();
    await upstream.close();
  }
}

async function tryClient(client: Connectable, place: World, folder: string): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let bin = "";
  const install = async (): Promise<string[]> => {
    bin = await binOf(client);
    return [];
  };
  verdicts.push(await judged(`connect  ${client.id} installed`, install));
  if (bin === "") return verdicts;
  for (const [at, files] of client.starts.entries()) {
    const home = path.join(folder, `home-of-${client.id}-${at}`);
    const before = Object.keys(files).length === 0 ? "nothing" : `files ${at}`;
    const start = { client, files, home, bin, place };
    verdicts.push(await judged(`connect  ${client.id} over ${before}`, () => tryStart(start)));
  }
  return verdicts;
}

async function binOf({ program }: Connectable): Promise<string> {
  const found = programs.find(({ id }) => id === program);
  if (found === undefined) return await installClients(path.resolve(".clients"));
  return await installProgram(path.resolve(".clients", "programs", found.id), found);
}

interface Start {
  readonly client: Connectable;
  readonly files: Files;
  readonly home: string;
  /** The folder of its command. */
  readonly bin: string;
  readonly place: World;
}

/** Returns what was wrong. */
async function tryStart(start: Start): Promise<string[]> {
  const { client, files, home, place } = start;
  mkdirSync(path.join(home, "work"), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), text);
  }
  const before = filesBelow(home);
  const { base } = place.host;
  const told = await gateway(
    start,
    "connect",
    client.id,
    "--yes",
    "--url",
    base,
    "--key",
    place.key,
  );
  const written = filesBelow(home);
  const { code, output } = await ask(start);
  const left = filesBelow(home);
  const back = await gateway(start, "disconnect", client.id, "--yes");
  const problems = unlikeBefore({ before, written, left, after: filesBelow(home) }, [
    place.key,
    base,
  ]);
  return [
    ...(told.includes("answered.") ? [] : [`not tested: ${told.slice(-300)}`]),
    ...(code === 0 && output.includes(shown) ? [] : [`ended with ${code}: ${output.slice(-600)}`]),
    ...(back.includes("is disconnected") ? [] : [back]),
    ...(existsSync(path.join(home, ".local/state/routing-gateway-clients"))
      ? ["what connect remembers stayed"]
      : []),
    ...problems,
  ];
}

function environmentOf({ home, bin }: Start): Record<string, string> {
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  return { PATH: `${bin}:${PATH}`, LANG, HOME: home, TERM: "dumb", CI: "1" };
}

async function gateway(start: Start, ...args: string[]): Promise<string> {
  const all = [path.resolve("dist/cli/gateway.js"), ...args];
  const place = { cwd: path.join(start.home, "work"), env: environmentOf(start) };
  return (await execute(process.execPath, all, place)).output;
}

/** Starts the program as its user would. */
async function ask(start: Start): Promise<Ended> {
  const { client, home, bin } = start;
  const env = { ...environmentOf(start), DISABLE_AUTOUPDATER: "1", ...client.environment };
  const place = { cwd: path.join(home, "work"), env };
  const command = path.join(bin, client.command);
  if (client.sourced === undefined) return await execute(command, [...client.args], place);
  const file = path.join(home, client.sourced);
  const line = '. "$0" && exec "$@"';
  return await execute("sh", ["-c", line, file, command, ...client.args], place);
}
