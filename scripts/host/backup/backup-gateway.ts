/** The gateway that a backup is made of: the one that serves the state, or one that is started for the time of the work. */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { adminTokenOf } from "../state/admin-token.ts";
import type { BackupOptions } from "./backup-options.ts";
import { runningGateway } from "../state/lock.ts";
import { openFolder } from "../state/open-folder.ts";
import { devVarsFile, root } from "../paths.ts";

/** Where to call, and as whom. */
export interface BackupGateway {
  readonly base: string;
  readonly token: string;
  /** Ends what was started. */
  close(): Promise<void>;
}

/** How a gateway is started. */
export interface BackupStart {
  /** A program and its arguments, like `npm start --`. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Files in which that start looks for settings of a state. */
  settingsFiles(folder: string): string[];
}

/** As `npm start` does. */
export const npmStarting: BackupStart = {
  command: [
    process.execPath,
    path.join(root, "scripts", "run.mjs"),
    path.join(root, "scripts", "start.ts"),
  ],
  settingsFiles: () => [devVarsFile],
};

/** Throws what is meant for the user. `make`: a state that is not there yet is made. */
export async function gatewayFor(
  { state, url }: Pick<BackupOptions, "state" | "url">,
  { make, starting = npmStarting }: { make: boolean; starting?: BackupStart },
): Promise<BackupGateway> {
  if (url !== undefined) return elsewhere(url);
  if (!existsSync(state) && !make)
    throw new Error(`${state} does not exist: name the gateway's folder with --state`);
  const folder = openFolder(state);
  const token = (): string => tokenOf(folder, starting);
  const running = runningGateway(folder);
  if (running !== undefined && running.base === undefined)
    throw new Error(
      `the gateway of ${state} is starting, or is an earlier version: try again, or name its address with --url`,
    );
  if (running?.base !== undefined)
    return { base: running.base, token: token(), close: async () => undefined };
  const { child, base } = await start(folder, starting.command);
  try {
    return { base, token: token(), close: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function elsewhere(url: string): BackupGateway {
  const token = process.env["ADMIN_TOKEN"] ?? "";
  if (token === "") throw new Error("--url: set ADMIN_TOKEN to the admin token of that gateway");
  return { base: url.replace(/\/+$/, ""), token, close: async () => undefined };
}

function tokenOf(folder: string, { settingsFiles }: BackupStart): string {
  const token = adminTokenOf(folder, settingsFiles(folder));
  if (token === undefined)
    throw new Error(
      "no ADMIN_TOKEN is known for this gateway: set it, or use Settings on the dashboard",
    );
  return token;
}

const startPatience = 60_000;

async function start(
  folder: string,
  [program, ...args]: BackupStart["command"],
): Promise<{ child: ChildProcess; base: string }> {
  const child = spawn(program, [...args, "--port", "0", "--state", folder], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const listening = new Promise<string>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error("the gateway did not start in time")),
      startPatience,
    );
    const hear = (part: Buffer): void => {
      text += part.toString();
      // Its last word: by then the first start has made all that it makes.
      const found = /^Gateway\s+(http:\S+)\/v1[\s\S]*^Dashboard/m.exec(text)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", reject);
    child.once("exit", () => {
      clearTimeout(late);
      reject(new Error(`the gateway could not be started:\n${text.trim()}`));
    });
  });
  try {
    return { child, base: await listening };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((resolve) => void child.once("exit", () => resolve()));
  child.kill("SIGTERM");
  return ended;
}
