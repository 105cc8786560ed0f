/**
 * A lock that the kernel releases with its holder: a listening Unix socket in a folder. It holds where process ids
 * mean nothing, between containers that share a volume. Every starter announces a socket of its own before it looks
 * at those of others: of two starters at least one sees the other, so never do both win.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { ownerOnly } from "./private-files.ts";

export interface LockSocket {
  /** Its file's name in the folder. */
  readonly name: string;
  /** The descriptor: a process that inherits it holds the lock too. */
  readonly descriptor: number | undefined;
  close(): void;
}

const pattern = /^lock-[0-9a-f]{16}\.sock$/;

/** Whether a file of that name belongs to such a lock. */
export function isLockSocket(name: string): boolean {
  return pattern.test(name.replace(/\.new$/, ""));
}

/** A socket that is listening and has its place. Throws, in words for the user, where the folder cannot hold one. */
export async function announce(folder: string): Promise<LockSocket> {
  const name = `lock-${randomBytes(8).toString("hex")}.sock`;
  const fresh = path.join(folder, `${name}.new`);
  const file = path.join(folder, name);
  // Whoever connects learns that the lock is held; nothing is said.
  const server = createServer((connection) => connection.destroy());
  try {
    await withShortPath(folder, (short) => listen(server, path.join(short, path.basename(fresh))));
    chmodSync(fresh, ownerOnly.file);
    // Under its own name only once it listens: what does not answer there is nobody's.
    renameSync(fresh, file);
  } catch (error) {
    server.close();
    throw unsupported(folder, error);
  }
  server.unref();
  const close = (): void => {
    rmSync(file, { force: true });
    server.close();
  };
  return { name, descriptor: descriptorOf(server), close };
}

/** The sockets in the folder behind which a process lives. */
export async function liveSockets(folder: string): Promise<string[]> {
  const names = readdirSync(folder).filter((name) => pattern.test(name));
  const live = await withShortPath(folder, (short) =>
    Promise.all(names.map((name) => isLive(path.join(short, name)))),
  );
  return names.filter((_, index) => live[index]);
}

/** Takes away what dead processes left. To be called by the lock's holder alone. */
export function removeDead(folder: string, live: readonly string[]): void {
  for (const name of readdirSync(folder))
    if (isLockSocket(name) && !live.includes(name))
      rmSync(path.join(folder, name), { force: true });
}

/** Refused means that nobody listens; every other fault may be a busy or foreign process. */
function isLive(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(file);
    socket.once("connect", () => resolve((socket.destroy(), true)));
    socket.once("error", (error) => {
      const code = "code" in error ? error.code : undefined;
      resolve(code !== "ECONNREFUSED" && code !== "ENOENT");
    });
  });
}

function listen(server: Server, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(file, () => resolve());
  });
}

/** A socket's address holds 104 bytes on macOS, its closing zero included, and 108 on Linux. */
const longestPath = 100;
const longestName = "/lock-0123456789abcdef.sock.new".length;

/** Long folders are reached through a short link. */
async function withShortPath<Result>(
  folder: string,
  use: (folder: string) => Promise<Result>,
): Promise<Result> {
  if (Buffer.byteLength(folder) + longestName <= longestPath) return await use(folder);
  const aside = mkdtempSync(path.join(os.tmpdir(), "gw-"));
  try {
    const link = path.join(aside, "s");
    symlinkSync(folder, link);
    return await use(link);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

/** Node has no public name for it; without it the lock does not outlive the launcher. */
function descriptorOf(server: Server): number | undefined {
  const handle: unknown = Reflect.get(server, "_handle");
  const fd: unknown = typeof handle === "object" && handle !== null && Reflect.get(handle, "fd");
  return typeof fd === "number" && fd >= 0 ? fd : undefined;
}

function unsupported(folder: string, error: unknown): Error {
  const why = error instanceof Error ? error.message : String(error);
  return new Error(
    `${folder} can't hold the lock that prevents a second gateway (a Unix socket): ${why}. Choose a folder on a local disk with --state: network and some shared file systems don't support sockets.`,
  );
}
