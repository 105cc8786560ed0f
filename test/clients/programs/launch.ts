/** A program at work: started like a command of a terminal, and interrupted like one. */
import { spawn } from "node:child_process";
import path from "node:path";
import type { Ended } from "../cli.ts";
import type { Invocation, Program, ProgramRun } from "./program.ts";

/** Milliseconds until a program is given up. */
const patience = 120_000;

/** A program that was started. */
export interface Launched {
  ended: Promise<Ended>;
  /** What Ctrl-C does: the signal goes to every process of the terminal's group. */
  interrupt(): void;
}

/** Sets the program up and starts its work. `bin`: the folder of its commands. */
export async function launchProgram(
  program: Program,
  run: ProgramRun,
  bin: string,
): Promise<Launched> {
  const invocations = program.setUp(run);
  const command = path.join(bin, program.command);
  const work = invocations.at(-1) ?? { args: [], environment: {} };
  for (const before of invocations.slice(0, -1)) {
    const { code, output } = await start(command, before, { run, bin }).ended;
    if (code !== 0) throw new Error(`${before.args[0]} ended with code ${code}:\n${output}`);
  }
  return start(command, work, { run, bin });
}

function start(
  command: string,
  { args, environment }: Invocation,
  { run, bin }: { run: ProgramRun; bin: string },
): Launched {
  const { PATH = "", LANG = "C.UTF-8" } = process.env;
  const plain = { PATH: `${bin}:${PATH}`, LANG, HOME: run.home, TERM: "dumb", CI: "1" };
  const child = spawn(command, args, {
    cwd: run.work,
    env: { ...plain, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const signal = (name: NodeJS.Signals): void => {
    try {
      // A group of its own: the id is the negative one of its first process.
      if (child.pid !== undefined) process.kill(-child.pid, name);
    } catch {
      // It has ended already.
    }
  };
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  child.stderr.on("data", (part: Buffer) => (output += part.toString()));
  const timer = setTimeout(() => signal("SIGKILL"), patience);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    // What it left behind in its group goes with it.
    child.once("exit", () => signal("SIGKILL"));
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
  return { ended, interrupt: () => signal("SIGINT") };
}
