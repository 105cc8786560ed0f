/** Keeps one workerd running: starts it, restarts it with back-off when it ends by itself, drains it at the end. */
import { spawn, type ChildProcess } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { socketName } from "./capnp.ts";
import { shortComplaints } from "./complaints.ts";
import { raiseDescriptorLimit } from "./descriptors.ts";

export interface WorkerdOptions {
  binary: string;
  config: string;
  /** As workerd writes it, port 0 for any free one. */
  host: string;
  port: number;
  /** Asked anew for every start. */
  environment: () => Record<string, string>;
  /** A descriptor that workerd holds open as long as it lives: the state's lock. */
  inherits?: number;
  /** Told of every start. */
  onSpawn: (pid: number) => void;
  log: (line: string) => void;
  /** What becomes of the worker's own log lines. */
  output: "inherit" | "ignore";
  /** Port of V8's inspector; none where it is missing. */
  inspector?: number;
}

export interface Supervised {
  port: number;
  /** Lets running answers finish for at most `patience` ms, then ends it. */
  stop(patience: number): Promise<void>;
}

interface Running {
  child: ChildProcess;
  /** The port it listens on; undefined when it ended before it did. */
  listening: Promise<number | undefined>;
  ended: Promise<string>;
}

const firstDelay = 100;
const longestDelay = 5000;
/** After so long a run a crash is counted as the first again. */
const steady = 30_000;

/** Starts workerd and stays with it. Throws when it ends before it listens for the first time. */
export async function supervise(options: WorkerdOptions): Promise<Supervised> {
  await checkFree(options);
  let running = start(options, options.port);
  const port = await running.listening;
  if (port === undefined) throw new Error(`workerd did not start: ${await running.ended}`);
  let stopping = false;
  const pause = new AbortController();

  const watch = async (): Promise<void> => {
    let delay = firstDelay;
    for (;;) {
      const since = Date.now();
      const how = await running.ended;
      if (stopping) return;
      if (Date.now() - since > steady) delay = firstDelay;
      options.log(`workerd exited unexpectedly (${how}); restarting it in ${delay / 1000} s`);
      await sleep(delay, undefined, { signal: pause.signal }).catch(() => undefined);
      if (stopping) return;
      delay = Math.min(longestDelay, delay * 2);
      running = start(options, port);
    }
  };
  const watched = watch();

  return {
    port,
    async stop(patience) {
      stopping = true;
      pause.abort();
      running.child.kill("SIGTERM");
      const insist = setTimeout(() => running.child.kill("SIGKILL"), patience);
      await running.ended;
      clearTimeout(insist);
      await watched;
    },
  };
}

/** The shell becomes workerd, under the same process id. Nobody but its owner reads the databases. */
const become = `${raiseDescriptorLimit}; umask 077; exec "$0" "$@"`;

function start(options: WorkerdOptions, port: number): Running {
  const args = [
    "-c",
    become,
    options.binary,
    "serve",
    options.config,
    `--socket-addr=${socketName}=${options.host}:${port}`,
    "--control-fd=3",
    ...(options.inspector === undefined ? [] : [`--inspector-addr=127.0.0.1:${options.inspector}`]),
  ];
  const child = spawn("/bin/sh", args, {
    // A session of its own: Ctrl-C in the terminal reaches the launcher, which lets answers finish first.
    detached: true,
    // Disk paths in the configuration are relative to it.
    cwd: path.dirname(options.config),
    env: options.environment(),
    stdio: ["ignore", options.output, "pipe", "pipe", options.inherits ?? "ignore"],
  });
  passErrors(child);
  if (child.pid !== undefined) options.onSpawn(child.pid);
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    // What it printed last is passed on before.
    child.once("close", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return { child, ended, listening: Promise.race([portOf(child), ended.then(() => undefined)]) };
}

/** What it prints on standard error, on ours. */
function passErrors(child: ChildProcess): void {
  // A pipe, as `start` asked for: Node types it as any stream or null.
  const errors = child.stderr as Readable;
  const pass = shortComplaints((line) => process.stderr.write(`${line}\n`), Date.now);
  createInterface({ input: errors }).on("line", pass);
}

/** A port that is taken is said in words here; workerd itself would print a stack. */
function checkFree({ host, port }: WorkerdOptions): Promise<void> {
  const plain = host === "*" ? "::" : host.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error) => {
      const words = whyNotFree("code" in error ? String(error.code) : "", { host: plain, port });
      reject(new Error(words ?? error.message));
    });
    server.listen(port, plain, () => server.close(() => resolve()));
  });
}

function whyNotFree(
  code: string,
  { host, port }: { host: string; port: number },
): string | undefined {
  if (code === "EADDRINUSE") return `port ${port} is in use; choose another with --port`;
  if (code === "EACCES") return `port ${port} needs more rights; choose one above 1023 with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
    return `--host: ${host} is not an address of this machine`;
  return undefined;
}

/** workerd reports `{"event":"listen","socket":"http","port":N}` on its control descriptor. */
function portOf(child: ChildProcess): Promise<number> {
  // The fourth entry of stdio is a pipe, as `start` asked for: Node types it as any stream or null.
  const control = child.stdio[3] as Readable;
  return new Promise((resolve) => {
    createInterface({ input: control }).on("line", (line) => {
      const message: unknown = JSON.parse(line);
      if (typeof message !== "object" || message === null || !("port" in message)) return;
      // The inspector's port is told as another event.
      if ("socket" in message && typeof message.port === "number") resolve(message.port);
    });
  });
}

/** Where the binary for this platform lies. */
export function workerdBinary(): string {
  // The package's main module: an object whose `default` is the path of the binary for this platform.
  const { default: file } = createRequire(import.meta.url)("workerd") as { default: string };
  return file;
}
