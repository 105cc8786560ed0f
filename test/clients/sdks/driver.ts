/** An SDK's program as a process of its own, on a Node that it supports. It does several jobs at once. */
import { spawn, type ChildProcess } from "node:child_process";
import { cpSync } from "node:fs";
import path from "node:path";
import type { Done, Sdk, Trialled } from "./sdk.ts";

/** What an action needs to know. */
export interface Place {
  /** `http://127.0.0.1:<port>`, without a version. */
  gateway: string;
  key: string;
  model: string;
}

export interface Job {
  ended: Promise<Done>;
  /** Pieces of a stream that the program has seen so far. */
  pieces: readonly string[];
  /** Aborts the call by the means of the SDK. */
  abort(): void;
}

interface Told {
  id: number;
  piece?: string;
  value?: unknown;
  error?: { name: string; status: unknown; message: string };
}

const programs = path.resolve("test/clients/sdks/programs");
/** Milliseconds until a job is given up. */
const patience = 45_000;

export class Driver {
  readonly #child: ChildProcess;
  readonly #jobs = new Map<number, { pieces: string[]; end: (done: Done) => void }>();
  #count = 0;
  #output = "";

  /** `node`: the binary; `folder`: where the SDK's packages are installed. */
  constructor(sdk: Sdk, { node, folder }: { node: string; folder: string }) {
    // Packages are looked for beside the program that imports them.
    cpSync(programs, folder, { recursive: true });
    const { PATH = "", HOME = "" } = process.env;
    this.#child = spawn(node, [path.join(folder, `${sdk.id}.mjs`)], {
      cwd: folder,
      env: { PATH, HOME },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const from of [this.#child.stdout, this.#child.stderr])
      from?.on("data", (part: Buffer) => (this.#output += part.toString()));
    // What serve.mjs sends.
    this.#child.on("message", (told) => this.#hear(told as Told));
    this.#child.once("exit", (code) => this.#endAll(`the program ended with code ${code}`));
    this.#child.once("error", (error) => this.#endAll(String(error)));
  }

  /** Starts an action in one of the SDK's ways. */
  start(way: string, action: Trialled, at: Place): Job {
    this.#count += 1;
    const id = this.#count;
    const pieces: string[] = [];
    const ended = new Promise<Done>((resolve) => {
      const timer = setTimeout(() => this.#end(id, gaveUp("it did not end")), patience);
      const end = (done: Done): void => {
        clearTimeout(timer);
        resolve(done);
      };
      this.#jobs.set(id, { pieces, end });
    });
    this.#child.send({ id, way, action, at });
    return { ended, pieces, abort: () => void this.#child.send({ id, abort: true }) };
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }

  #hear({ id, piece, value, error }: Told): void {
    if (piece !== undefined) this.#jobs.get(id)?.pieces.push(piece);
    else this.#end(id, error === undefined ? { value } : { error });
  }

  #end(id: number, done: Done): void {
    this.#jobs.get(id)?.end(done);
    this.#jobs.delete(id);
  }

  #endAll(why: string): void {
    for (const id of this.#jobs.keys())
      this.#end(id, gaveUp(`${why}: ${this.#output.slice(-1500)}`));
  }
}

function gaveUp(message: string): Done {
  return { error: { name: "Driver", status: null, message } };
}
