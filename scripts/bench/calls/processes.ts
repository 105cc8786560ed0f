/** Processes that a benchmark starts by this project's scripts, and waits for until they say that they are ready. */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** A script that runs. */
export interface Started {
  /** What its first line of that kind said. */
  readonly said: string;
  readonly pid: number;
  stop(): Promise<unknown>;
}

export interface Script {
  readonly file: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Its first group is what is said. */
  readonly ready: RegExp;
}

/** Starts it. Throws where it ends before it is ready. */
export async function startScript({
  file,
  args = [],
  environment,
  ready,
}: Script): Promise<Started> {
  const child = spawn(process.execPath, ["scripts/run.mjs", file, ...args], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const said = await saidBy(child, ready);
  // A child that said something runs.
  return { said, pid: child.pid ?? 0, stop: () => (child.kill("SIGTERM"), ended) };
}

function saidBy(child: ChildProcess, ready: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.once("exit", (code) => reject(new Error(`a process ended with code ${code}`)));
    child.stdout?.on("data", (part: Buffer) => {
      printed += part.toString();
      const found = ready.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

/** The only child of a process, such as the launcher's workerd. */
export function childOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").at(-1));
}
