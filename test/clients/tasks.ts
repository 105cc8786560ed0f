/** The same piece of work for each client, in the words of its own tools. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { PlannedCall, Task } from "./agent.ts";
import type { ClientName } from "./cli.ts";

export const prompt = "Do the task step by step with your tools, then say that it is done.";
export const final = "Everything is done: déjà vu, 世界, 🎉.";

const words = 'héllo wörld 世界 🎉 "quoted" \\ back $HOME\tend';
const bigEnd = "the very end of the big file";

const notebook = {
  cells: [
    {
      cell_type: "code",
      id: "one",
      metadata: {},
      source: ["1 + 1"],
      outputs: [],
      execution_count: null,
    },
  ],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
};

/** What the client has to leave behind. Returns what is wrong with it. */
export function checkFiles(folder: string): string[] {
  const expected = { "first.txt": `${words}\n`, "second.txt": "from the shell: ünï" };
  return Object.entries(expected).flatMap(([name, content]) => {
    const found = read(path.join(folder, name));
    return found === content ? [] : [`${name} holds ${JSON.stringify(found)}`];
  });
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Lays what the task works on: a file of 200 KB, and a notebook. */
export function layFiles(folder: string): void {
  writeFileSync(path.join(folder, "book.ipynb"), JSON.stringify(notebook));
  const line = "0123456789 ".repeat(9);
  const lines = Array.from({ length: 2000 }, (_, index) => `${index} ${line}`);
  writeFileSync(path.join(folder, "big.txt"), `${lines.join("\n")}\n${bigEnd}\n`);
}

/** A client, and the name of a model for which it offers a certain set of tools. */
export interface Scenario {
  client: ClientName;
  model: string;
  task(folder: string): Task;
  /** Over one WebSocket, opened once. */
  socket?: boolean;
}

export const scenarios: Record<string, Scenario> = {
  /** Tools that are loaded later, by a search. */
  claude: { client: "claude", model: "lab-model", task: claudeTask },
  /** A freeform patch tool. */
  codex: { client: "codex", model: "gpt-5.5", task: codexTask },
  "codex-socket": { client: "codex", model: "gpt-5.5", task: codexTask, socket: true },
  "codex-code-socket": { client: "codex", model: "gpt-6-sol", task: codexCodeTask, socket: true },
  /** A namespace of tools. */
  "codex-plain": { client: "codex", model: "lab-model", task: codexPlainTask },
  /** Freeform code as the main tool, and all tools inside an input item. */
  "codex-code": { client: "codex", model: "gpt-6-sol", task: codexCodeTask },
};

function claudeTask(folder: string): Task {
  const file = (name: string) => path.join(folder, name);
  const edit = {
    notebook_path: file("book.ipynb"),
    cell_id: "one",
    new_source: "2 + 2",
    edit_mode: "replace",
  };
  return {
    steps: [
      [
        {
          tool: "Write",
          input: { file_path: file("first.txt"), content: `${words}\n` },
          result: /created|written/i,
        },
        { tool: "Bash", input: { command: writeSecond }, result: /shell ok/ },
      ],
      [
        { tool: "Bash", input: { command: fail }, result: /broken/ },
        { tool: "Read", input: { file_path: file("missing.txt") }, result: /not exist/i },
      ],
      [
        {
          tool: "ToolSearch",
          input: { query: "select:NotebookEdit", max_results: 5 },
          result: /NotebookEdit/,
        },
        { tool: "Read", input: { file_path: file("book.ipynb") }, result: /1 \+ 1/ },
      ],
      [{ tool: "NotebookEdit", input: edit, result: /Updated cell/i }],
      [{ tool: "Read", input: { file_path: file("big.txt") }, ...big }],
    ],
    final,
  };
}

const writeSecond = "printf 'from the shell: ünï' > second.txt; echo shell ok";
const fail = "echo broken >&2; exit 3";
const big = { result: new RegExp(bigEnd), least: 200_000 };
const patch = ["*** Begin Patch", "*** Add File: first.txt", `+${words}`, "*** End Patch"].join(
  "\n",
);

function shell(cmd: string, result: RegExp): PlannedCall {
  return { tool: "exec_command", input: { cmd, max_output_tokens: 200_000 }, result };
}

function codexTask(): Task {
  return {
    steps: [
      [shell(writeSecond, /shell ok/), { tool: "apply_patch", input: patch, result: /first\.txt/ }],
      [shell(fail, /broken/)],
      [{ ...shell("cat big.txt", big.result), least: big.least }],
    ],
    final,
  };
}

function codexPlainTask(): Task {
  const writeFirst = `cat > first.txt <<'EOF'\n${words}\nEOF\necho first ok`;
  const nobody = "00000000-0000-7000-8000-000000000000";
  return {
    steps: [
      [shell(writeFirst, /first ok/), shell(writeSecond, /shell ok/)],
      [
        {
          tool: "close_agent",
          namespace: "multi_agent_v1",
          input: { target: nobody },
          result: /not found|no .*agent/i,
        },
        shell(fail, /broken/),
      ],
      [{ ...shell("cat big.txt", big.result), least: big.least }],
    ],
    final,
  };
}

function codexCodeTask(): Task {
  const code = (source: string, result: RegExp): PlannedCall => ({
    tool: "exec",
    namespace: "functions",
    input: `// @exec: {"max_output_tokens": 200000}\n${source}`,
    result,
  });
  const command = (cmd: string) =>
    `tools.exec_command(${JSON.stringify({ cmd, max_output_tokens: 200_000 })})`;
  return {
    steps: [
      [
        code(
          `text(await ${command(writeSecond)}); text(await tools.apply_patch(${JSON.stringify(patch)}));`,
          /shell ok/,
        ),
      ],
      [{ tool: "sleep", namespace: "clock", input: { duration_ms: 5 }, result: /./ }],
      [code(`text(await ${command(fail)});`, /broken/)],
      [{ ...code(`text(await ${command("cat big.txt")});`, big.result), least: big.least }],
    ],
    final,
  };
}
