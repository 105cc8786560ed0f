/**
 * The lock of a state folder: one launcher and one workerd for one state, for two of them would count limits twice.
 * Sockets say whether anybody holds it; a record says which processes, so that a start after a killed launcher ends
 * the workerd that it left behind.
 */
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { announce, liveSockets, type LockSocket, removeDead } from "./lock-socket.ts";
import { ownerOnly } from "./private-files.ts";
import { endProcess, isAlive, markOf, type ProcessMark } from "./process.ts";

interface Holders {
  launcher: ProcessMark;
  workerd?: ProcessMark;
  /** Where these process ids count. The version before did not record it. */
  namespace?: string;
  /** Name of the holders' socket. */
  socket?: string;
  /** Where the gateway listens, for programs of this machine. */
  base?: string;
}

export interface StateLock {
  /** The descriptor that workerd inherits, so that it holds the lock as long as it serves. */
  readonly descriptor: number | undefined;
  /** Notes the workerd that runs now. */
  note(workerdPid: number): void;
  /** Notes where the gateway listens. */
  noteAddress(base: string): void;
  release(): void;
}

export type LockAnswer =
  | { held: true; lock: StateLock; orphan?: ProcessMark }
  /** `owner`: undefined where its process id means nothing here. */
  | { held: false; owner: number | undefined };

/** The record's name in the state folder. */
export const lockRecord = "lock.json";

const orphanPatience = 2000;
const rounds = 10;
/** Two starters that saw each other try again at different times; ms. */
const pause = { least: 30, spread: 200 };

/** Takes the lock of a state folder. An orphaned workerd of a killed launcher is ended first. */
export async function takeLock(folder: string): Promise<LockAnswer> {
  const file = path.join(folder, lockRecord);
  let ended: ProcessMark | undefined;
  for (let round = 0; round < rounds; round++) {
    const found = read(file);
    if (found !== undefined && isHere(found) && isAlive(found.launcher))
      return { held: false, owner: found.launcher.pid };
    const socket = await announce(folder);
    const orphan = found !== undefined && isHere(found) ? livingWorkerd(found) : undefined;
    if (orphan !== undefined && (await isAlone(folder, [socket.name, found?.socket]))) {
      await endProcess(orphan, orphanPatience);
      ended = orphan;
    }
    if (await isAlone(folder, [socket.name])) {
      removeDead(folder, [socket.name]);
      return { held: true, lock: heldLock(file, socket), ...(ended && { orphan: ended }) };
    }
    socket.close();
    // The kernel may close the sockets of a process a moment after its end, too.
    await sleep(pause.least + Math.random() * pause.spread);
  }
  // A launcher that is known here would have been named above.
  return { held: false, owner: undefined };
}

async function isAlone(folder: string, own: readonly (string | undefined)[]): Promise<boolean> {
  return (await liveSockets(folder)).every((name) => own.includes(name));
}

function livingWorkerd({ workerd }: Holders): ProcessMark | undefined {
  return workerd !== undefined && isAlive(workerd) ? workerd : undefined;
}

function heldLock(file: string, socket: LockSocket): StateLock {
  const launcher = markOf(process.pid);
  if (launcher === undefined) throw new Error("this process is missing from the process list");
  const holders: Holders = { launcher, namespace: processNamespace(), socket: socket.name };
  write(file, holders);
  return {
    descriptor: socket.descriptor,
    note(workerdPid) {
      const workerd = markOf(workerdPid);
      if (workerd !== undefined) holders.workerd = workerd;
      else delete holders.workerd;
      write(file, holders);
    },
    noteAddress(base) {
      holders.base = base;
      write(file, holders);
    },
    release() {
      rmSync(file, { force: true });
      socket.close();
    },
  };
}

/** The gateway that serves this state, as far as this machine knows. `base`: undefined before it listens. */
export function runningGateway(folder: string): { base: string | undefined } | undefined {
  const found = read(path.join(folder, lockRecord));
  if (found === undefined || !isHere(found) || !isAlive(found.launcher)) return undefined;
  return { base: found.base };
}

/** Whether the record's process ids are those of this process's own list. */
function isHere({ namespace }: Holders): boolean {
  return namespace === undefined || namespace === processNamespace();
}

/** Containers have process lists of their own; other systems have one. */
function processNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Whole or not at all: written aside and moved into place. */
function write(file: string, holders: Holders): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(holders), { mode: ownerOnly.file });
  renameSync(fresh, file);
}

/** An unreadable record counts as none: records are written in one step, so nobody is writing it. */
function read(file: string): Holders | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Holders {
  if (typeof value !== "object" || value === null) return false;
  if (!("launcher" in value) || !isMark(value.launcher)) return false;
  if ("workerd" in value && !isMark(value.workerd)) return false;
  return ["namespace", "socket", "base"].every((name) => isTextOrNone(value, name));
}

function isTextOrNone(value: object, name: string): boolean {
  const member: unknown = Reflect.get(value, name);
  return member === undefined || typeof member === "string";
}

function isMark(value: unknown): value is ProcessMark {
  if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value))
    return false;
  return typeof value.pid === "number" && value.pid > 0 && typeof value.started === "string";
}
