/** The product's hosts as users run them: through npm, as processes of their own. */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Host {
  /** `http://127.0.0.1:<port>`. */
  base: string;
  child: ChildProcess;
  adminToken: string;
  /** Everything printed so far. */
  output(): string;
  /** Ends it with SIGTERM and waits for its end; the exit code. */
  stop(): Promise<number | null>;
  exited: Promise<number | null>;
}

export interface StartOptions {
  state: string;
  /** Where npm runs; the project's folder unless named. */
  cwd?: string;
  adminToken?: string;
  args?: string[];
  environment?: Record<string, string>;
  /** A program and its arguments that run npm: `nsenter`, for a namespace of its own. */
  within?: readonly string[];
}

const encryptionKey = randomBytes(32).toString("base64");

/** A folder of its own for one test file; `remove` takes it away. */
export function scratch(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The project as a fresh clone has it, in this folder: without the settings that `.dev.vars` may hold. */
export function clone(folder: string): string {
  const place = path.join(folder, "clone");
  mkdirSync(place);
  for (const name of ["package.json", "node_modules", "docs", "scripts", "src", "tsconfig.json"])
    symlinkSync(path.resolve(name), path.join(place, name));
  return place;
}

/** `npm start` with a state folder of its own. Throws with its output when it ends before it is ready. */
export async function npmStart(options: StartOptions): Promise<Host> {
  const adminToken = options.adminToken ?? randomBytes(16).toString("hex");
  const args = ["start", "--", "--port", "0", "--state", options.state, ...(options.args ?? [])];
  const secrets = { ADMIN_TOKEN: adminToken, ENCRYPTION_KEY: encryptionKey };
  const host = launch(args, { ...secrets, ...options.environment }, options);
  const base = await Promise.race([printed(host, /^Gateway\s+(http:\S+)\/v1/m), ended(host)]);
  return { ...host, base, adminToken };
}

/** `npm run dev:bench` with a state folder of its own, and these settings besides its secrets. */
export async function npmRunBench(
  state: string,
  settings: Record<string, string> = {},
): Promise<Host> {
  const adminToken = randomBytes(16).toString("hex");
  const args = ["run", "dev:bench", "--", "--port", "0", "--state", state];
  const secrets = { ADMIN_TOKEN: adminToken, ENCRYPTION_KEY: encryptionKey };
  const host = launch(args, { ...secrets, ...settings });
  const base = await Promise.race([printed(host, /^ready on (\S+)/m), ended(host)]);
  return { ...host, base, adminToken };
}

/** `npm run dev` on a free port, with these settings besides its secrets. */
export async function npmRunDev(
  folder: string,
  settings: Record<string, string> = {},
): Promise<Host> {
  const adminToken = randomBytes(16).toString("hex");
  const vars = path.join(folder, "dev.vars");
  const all = { ADMIN_TOKEN: adminToken, ENCRYPTION_KEY: encryptionKey, ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(vars, lines.join(""));
  const port = await freePort();
  const args = [
    "run",
    "dev",
    "--",
    "--port",
    String(port),
    "--env-file",
    vars,
    "--persist-to",
    folder,
  ];
  const host = launch(args, { WRANGLER_LOG_PATH: path.join(folder, "logs") });
  const base = `http://127.0.0.1:${port}`;
  await Promise.race([healthy(base), ended(host)]);
  return { ...host, base, adminToken };
}

type Launched = Omit<Host, "base" | "adminToken">;

function launch(
  args: string[],
  environment: Record<string, string>,
  { cwd, within = [] }: Pick<StartOptions, "cwd" | "within"> = {},
): Launched {
  // The test runner sets MODE for itself; for the gateway it is a setting.
  const { MODE: _, ...inherited } = process.env;
  const [program = "npm", ...given] = [...within, "npm", ...args];
  const child = spawn(program, given, {
    env: { ...inherited, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd !== undefined && { cwd }),
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => (text += part.toString()));
  child.stderr.on("data", (part: Buffer) => (text += part.toString()));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  // A test that was given up leaves nothing running.
  const end = (): void => void child.kill("SIGTERM");
  process.once("exit", end);
  void exited.then(() => process.off("exit", end));
  return {
    child,
    exited,
    output: () => text,
    stop() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

async function ended(host: Launched): Promise<never> {
  const code = await host.exited;
  throw new Error(`the host ended with code ${code}:\n${host.output()}`);
}

async function printed(host: Launched, pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec(host.output())?.[1];
    if (found !== undefined) return found;
    await sleep(20);
  }
}

/** Waits until the gateway's health check answers. */
export async function healthy(base: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${base}/healthz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok === true) return;
    await sleep(50);
  }
}

/** A port of loopback that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      // A listening TCP server has such an address.
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** One call of the admin API; throws on an error status. */
export async function admin<T>(host: Host, call: string, body?: unknown): Promise<T> {
  const [method = "GET", route = ""] = call.split(" ");
  const answer = await fetch(host.base + route, {
    method,
    headers: { authorization: `Bearer ${host.adminToken}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${call}: ${answer.status} ${text}`);
  // The tests name the contract's shape of each call.
  return JSON.parse(text) as T;
}

interface Document {
  providers: { id: string }[];
  harnesses: { id: string }[];
}

/** A new key of the workspace's first harness. */
export async function newKey(host: Host): Promise<string> {
  const config = await admin<Document>(host, "GET /api/config");
  const harness = config.harnesses[0]?.id ?? "";
  return (await admin<{ key: string }>(host, `POST /api/harnesses/${harness}/keys`, {})).key;
}

/** Connects one more provider. */
export async function connect(
  host: Host,
  entry: { id: string; [member: string]: unknown },
): Promise<void> {
  const config = await admin<Document>(host, "GET /api/config");
  const providers = [...config.providers.filter(({ id }) => id !== entry.id), entry];
  await admin(host, "PUT /api/config", { ...config, providers });
}
