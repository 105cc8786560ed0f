import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { announce, liveSockets } from "../../scripts/host/state/lock-socket.ts";
import {
  lockRecord,
  takeLock,
  type LockAnswer,
  type StateLock,
} from "../../scripts/host/state/lock.ts";
import { markOf } from "../../scripts/host/state/process.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function heldBy(answer: LockAnswer): StateLock {
  if (!answer.held) throw new Error(`refused: ${answer.owner}`);
  return answer.lock;
}

describe("the lock of a state folder", () => {
  it("has one winner among starters that begin together", async () => {
    // The others are refused by the record of the winner, or where they were faster than it, by its socket.
    const answers = await Promise.all(Array.from({ length: 8 }, () => takeLock(folder)));
    const winners = answers.filter(({ held }) => held);
    expect(winners).toHaveLength(1);
    for (const answer of winners) heldBy(answer).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is refused while a process of another container holds it, whatever its number", async () => {
    const other = await announce(folder);
    const me = markOf(process.pid);
    const record = { launcher: { ...me, pid: 1 }, namespace: "pid:[1]", socket: other.name };
    writeFileSync(path.join(folder, lockRecord), JSON.stringify(record));
    expect(await takeLock(folder)).toEqual({ held: false, owner: undefined });
    other.close();
    heldBy(await takeLock(folder)).release();
  });

  it("is free at once when its holders are gone, and what they left is taken away", async () => {
    const gone = { pid: process.pid, started: "another time" };
    writeFileSync(path.join(folder, lockRecord), JSON.stringify({ launcher: gone, workerd: gone }));
    writeFileSync(path.join(folder, "lock-0123456789abcdef.sock"), "");
    const answer = await takeLock(folder);
    expect(answer).not.toHaveProperty("orphan");
    expect(await liveSockets(folder)).toHaveLength(1);
    expect(readdirSync(folder)).toHaveLength(2);
    heldBy(answer).release();
  });

  it("is refused where the record of the version before names a living launcher", async () => {
    const launcher = markOf(process.pid);
    writeFileSync(path.join(folder, lockRecord), JSON.stringify({ launcher }));
    expect(await takeLock(folder)).toEqual({ held: false, owner: process.pid });
  });

  it("works in a folder whose path is longer than a socket's address", async () => {
    const long = path.join(folder, "a".repeat(100), "b".repeat(100));
    mkdirSync(long, { recursive: true });
    const lock = heldBy(await takeLock(long));
    expect(await liveSockets(long)).toHaveLength(1);
    lock.release();
    expect(readdirSync(long)).toEqual([]);
  });

  it("says in words that a folder cannot hold it", async () => {
    const gone = path.join(folder, "gone");
    await expect(announce(gone)).rejects.toThrow(/can't hold the lock .+ local disk/s);
  });

  it("has a descriptor for workerd, and files for the owner alone", async () => {
    const lock = heldBy(await takeLock(folder));
    expect(lock.descriptor).toBeGreaterThan(2);
    for (const name of readdirSync(folder))
      expect(statSync(path.join(folder, name)).mode & 0o077).toBe(0);
    expect(JSON.parse(readFileSync(path.join(folder, lockRecord), "utf8"))).toMatchObject({
      launcher: { pid: process.pid },
    });
    lock.release();
  });
});
