/** What keeps a state of `npm start` safe from others: its files, its lock, and the limit on open files. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { markOf } from "../../scripts/host/state/process.ts";
import { newKey, npmStart, scratch, type Host } from "./host.ts";

interface Stage {
  folder: string;
  start(adminToken?: string): Promise<Host>;
}

const it = test.extend<Stage>({
  folder: async ({ onTestFinished }, use) => {
    const { folder, remove } = scratch();
    onTestFinished(remove);
    await use(path.join(folder, "state"));
  },
  start: async ({ folder, onTestFinished }, use) => {
    await use(async (adminToken) => {
      const host = await npmStart({
        state: folder,
        ...(adminToken !== undefined && { adminToken }),
      });
      onTestFinished(async () => void (await host.stop()));
      return host;
    });
  },
});

interface Lock {
  launcher: { pid: number };
  workerd: { pid: number };
}

function lockIn(folder: string): Lock {
  // Written by the launcher under test.
  return JSON.parse(readFileSync(path.join(folder, "lock.json"), "utf8")) as Lock;
}

function wideFiles(folder: string): string[] {
  const names = [".", ...readdirSync(folder, { recursive: true, encoding: "utf8" })];
  return names.filter((name) => {
    const found = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return found !== undefined && (found.mode & 0o077) !== 0;
  });
}

const secrets = { ADMIN_TOKEN: "a".repeat(32), ENCRYPTION_KEY: btoa("k".repeat(32)) };

/** What a refused `npm start` says that a shell starts after `preparation`. */
function startAfter(preparation: string, state: string): string {
  const { MODE: _, ...inherited } = process.env;
  const command = `${preparation} npm start -- --port 0 --state "$0"`;
  const { stderr, status } = spawnSync("/bin/sh", ["-c", command, state], {
    env: { ...inherited, ...secrets },
    encoding: "utf8",
    timeout: 60_000,
  });
  expect(status).toBe(1);
  return stderr;
}

describe.concurrent("npm start", () => {
  it("keeps all files for their owner alone, and takes a wider state from others", async ({
    folder,
    start,
  }) => {
    const first = await start();
    await newKey(first);
    expect(wideFiles(folder)).toEqual([]);
    await first.stop();
    chmodSync(folder, 0o755);
    chmodSync(path.join(folder, "objects"), 0o755);
    const second = await start(first.adminToken);
    expect(second.output()).toContain("Other users of this machine could read");
    await newKey(second);
    expect(wideFiles(folder)).toEqual([]);
  });

  it("refuses a state whose holders it cannot see, until they are gone", async ({
    folder,
    start,
  }) => {
    const killed = await start();
    const { launcher, workerd } = lockIn(folder);
    process.kill(launcher.pid, "SIGKILL");
    await killed.exited;
    // As in another container: nothing says which process it is.
    rmSync(path.join(folder, "lock.json"));
    await expect(start()).rejects.toThrow("already in use by a running gateway (in another");
    expect(markOf(workerd.pid)).toBeDefined();
    process.kill(workerd.pid, "SIGKILL");
    const next = await start(killed.adminToken);
    await newKey(next);
  });

  it("refuses the second start of another process namespace", async ({ folder, start, skip }) => {
    const unshare = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]);
    if (unshare.status !== 0) skip("this machine gives no process namespaces");
    await start();
    const told = startAfter("unshare --pid --fork --mount-proc", folder);
    expect(told).toContain("already in use by a running gateway (in another container");
  });

  it("raises its own limit on open files, and refuses in words where that is too low", async ({
    folder,
    start,
  }) => {
    const told = startAfter("ulimit -n 4095; exec", folder);
    expect(told).toContain("allows 4095 open files");
    expect(told).not.toContain("    at ");
    expect(existsSync(folder)).toBe(false);
    await start();
    if (process.platform !== "linux") return;
    const text = readFileSync(`/proc/${lockIn(folder).workerd.pid}/limits`, "utf8");
    const [, soft, hard] = /Max open files\s+(\d+)\s+(\d+)/.exec(text) ?? [];
    expect(soft).toBe(hard);
  });
});
