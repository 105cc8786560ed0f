/** The same piece of work for each client, in the words of its own tools. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Task } from "./agent.ts";

export const prompt = "Do the task step by step with your tools, then say that it is done.";
export const final = "Everything is done: déjà vu, 世界, 🎉.";

const words = 'héllo wörld 世界 🎉 "quoted" \\ back $HOME\tend';
const bigEnd = "the very end of the big file";

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

/** Lays the 200 KB file that the task reads. */
export function layFiles(folder: string): void {
  const line = "0123456789 ".repeat(9);
  const lines = Array.from({ length: 2000 }, (_, index) => `${index} ${line}`);
  writeFileSync(path.join(folder, "big.txt"), `${lines.join("\n")}\n${bigEnd}\n`);
}

export function claudeTask(folder: string): Task {
  const file = (name: string) => path.join(folder, name);
  return {
    steps: [
      [
        {
          tool: "Write",
          input: { file_path: file("first.txt"), content: `${words}\n` },
          result: /created|written/i,
        },
        {
          tool: "Bash",
          input: { command: "printf 'from the shell: ünï' > second.txt; echo shell ok" },
          result: /shell ok/,
        },
      ],
      [
        { tool: "Bash", input: { command: "echo broken >&2; exit 3" }, result: /broken/ },
        { tool: "Read", input: { file_path: file("missing.txt") }, result: /not exist/i },
      ],
      [
        {
          tool: "Read",
          input: { file_path: file("big.txt") },
          result: new RegExp(bigEnd),
          least: 200_000,
        },
      ],
    ],
    final,
  };
}

export function codexTask(folder: string): Task {
  const patch = ["*** Begin Patch", "*** Add File: first.txt", `+${words}`, "*** End Patch"].join(
    "\n",
  );
  const shell = (cmd: string, more = {}) => ({
    tool: "exec_command",
    input: { cmd, workdir: folder, ...more },
  });
  return {
    steps: [
      [
        {
          ...shell("printf 'from the shell: ünï' > second.txt; echo shell ok"),
          result: /shell ok/,
        },
        { tool: "apply_patch", input: patch, result: /first\.txt/ },
      ],
      [{ ...shell("echo broken >&2; exit 3"), result: /broken/ }],
      [
        {
          ...shell("cat big.txt", { max_output_tokens: 200_000 }),
          result: new RegExp(bigEnd),
          least: 200_000,
        },
      ],
    ],
    final,
  };
}
