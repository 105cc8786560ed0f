/**
 * The lock in the state folder: one launcher and one workerd for one state, for two of them would count limits
 * twice. It records both processes, so that a start after a killed launcher finds the workerd it left behind.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { endProcess, isAlive, markOf, type ProcessMark } from "./process.ts";

interface Record {
  launcher: ProcessMark;
  workerd?: ProcessMark;
}

export interface StateLock {
  /** Notes the workerd that runs now. */
  note(workerdPid: number): void;
  release(): void;
}

export type LockAnswer =
  | { held: true; lock: StateLock; orphan?: ProcessMark }
  | { held: false; owner: number };

const orphanPatience = 2000;

/**
 * Takes the lock of a state folder. A lock whose launcher is gone is taken over: the workerd recorded in it is
 * ended first, if it is still that process.
 */
export async function takeLock(folder: string): Promise<LockAnswer> {
  const file = path.join(folder, "lock.json");
  const launcher = markOf(process.pid);
  if (launcher === undefined) throw new Error("this process is missing from the process list");
  for (let round = 0; round < 5; round++) {
    if (create(file, { launcher })) return { held: true, lock: heldLock(file, launcher) };
    const found = read(file);
    if (found !== undefined && isAlive(found.launcher))
      return { held: false, owner: found.launcher.pid };
    if (!takeAway(file, found)) continue;
    const orphan = found?.workerd;
    if (orphan === undefined || !isAlive(orphan)) continue;
    // Recorded under this launcher before it is ended: should this one be killed too, the next start knows.
    if (!create(file, { launcher, workerd: orphan })) continue;
    await endProcess(orphan, orphanPatience);
    return { held: true, lock: heldLock(file, launcher), orphan };
  }
  return { held: false, owner: read(file)?.launcher.pid ?? 0 };
}

function heldLock(file: string, launcher: ProcessMark): StateLock {
  return {
    note(workerdPid) {
      const workerd = markOf(workerdPid);
      replace(file, { launcher, ...(workerd !== undefined && { workerd }) });
    },
    release() {
      if (read(file)?.launcher.pid === launcher.pid) rmSync(file, { force: true });
    },
  };
}

/** Whole or not at all: the record is written aside and linked into place. */
function create(file: string, record: Record): boolean {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(record));
  try {
    linkSync(fresh, file);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
}

function replace(file: string, record: Record): void {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify(record));
  renameSync(fresh, file);
}

/** Takes a dead launcher's lock away; false when it turns out to be another one's, which is put back. */
function takeAway(file: string, dead: Record | undefined): boolean {
  const aside = `${file}.old.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (isCode(error, "ENOENT")) return false;
    throw error;
  }
  const taken = read(aside);
  const same =
    taken?.launcher.pid === dead?.launcher.pid &&
    taken?.launcher.started === dead?.launcher.started;
  if (!same) {
    try {
      linkSync(aside, file);
    } catch {
      // A third one has the lock by now; the loop sees it.
    }
  }
  rmSync(aside, { force: true });
  return same;
}

/** An unreadable file counts as a dead launcher's: locks are written in one step, so nobody is writing it. */
function read(file: string): Record | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record {
  if (
    typeof value !== "object" ||
    value === null ||
    !("launcher" in value) ||
    !isMark(value.launcher)
  )
    return false;
  return !("workerd" in value) || isMark(value.workerd);
}

function isMark(value: unknown): value is ProcessMark {
  if (typeof value !== "object" || value === null || !("pid" in value) || !("started" in value))
    return false;
  return typeof value.pid === "number" && value.pid > 0 && typeof value.started === "string";
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
