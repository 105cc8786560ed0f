/** A small disk of a gateway's own, in a mount namespace, that can be full, fail its writes, or be slow. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { workerdBinary } from "../../../scripts/host/workerd/supervise.ts";
import { scratch } from "../../smoke/host.ts";

const namespace = ["--map-root-user", "--mount"];

/** What writes below the folder meet: an error, 300 ms more in each sync, or nothing. */
export type DiskFault = "EIO" | "EROFS" | "slow" | "none";

export interface Disk {
  /** The state folder, as those inside the namespace see it. */
  readonly folder: string;
  /** The program and arguments that run another one inside the namespace. */
  readonly within: readonly string[];
  /** Not one byte more can be written. */
  fill(): void;
  /** Takes back what `fill` wrote. */
  free(): void;
  /** Only where the disk was opened with faults. */
  fail(fault: DiskFault): void;
  remove(): void;
}

/** Whether this machine gives mount namespaces with a file system of their own. */
export function givesDisks(): boolean {
  const mounted = [...namespace, "mount", "-t", "tmpfs", "none", os.tmpdir()];
  return ["unshare", "nsenter"].every((program) => {
    const { error, status } = spawnSync(program, program === "unshare" ? mounted : ["--version"]);
    return error === undefined && status === 0;
  });
}

/** Whether there is a C compiler, which faults need. */
export function hasCompiler(): boolean {
  return spawnSync("cc", ["--version"]).status === 0;
}

/** Mounts the disk ($1) and, with faults, a workerd ($2) that runs in the place of the real one ($3); then waits. */
const mounts = `set -e
mount -t tmpfs -o size=48m,mode=700 none "$1"
if [ -n "$2" ]; then
  touch "$2-real"
  mount --bind "$3" "$2-real"
  mount --bind "$2" "$3"
fi
echo mounted
exec cat >&2`;

export async function openDisk({ faults }: { faults: boolean }): Promise<Disk> {
  const { folder, remove } = scratch();
  const state = path.join(folder, "state");
  const control = path.join(folder, "fault");
  const wrapper = faults ? preloaded(folder, state, control) : "";
  spawnSync("mkdir", [state]);
  const script = ["sh", "-c", mounts, "sh", state, wrapper, workerdBinary()];
  // It ends with this process: `cat` reads its input to the end.
  const holder = spawn("unshare", [...namespace, ...script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => holder.once("exit", () => resolve()));
  await Promise.race([
    new Promise((resolve) => holder.stdout.once("data", resolve)),
    ended.then(() => Promise.reject(new Error("the disk could not be mounted"))),
  ]);
  const filler = path.join(`/proc/${holder.pid}/root`, state, "filler");
  return {
    folder: state,
    within: [
      "nsenter",
      "--target",
      String(holder.pid),
      "--user",
      "--preserve-credentials",
      "--mount",
      "--wd",
      "--",
    ],
    fill: () => fillUp(filler),
    free: () => rmSync(filler),
    fail: (fault) => writeFileSync(control, fault),
    remove() {
      holder.stdin.end();
      void ended.then(remove);
    },
  };
}

/** A program that runs workerd with the faults preloaded. */
function preloaded(folder: string, state: string, control: string): string {
  const library = path.join(folder, "faults.so");
  const source = path.resolve("test/hostile/failing-disk/faults.c");
  const args = ["-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"];
  const { status, stderr } = spawnSync("cc", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  const wrapper = path.join(folder, "workerd");
  const variables = `DISK_FOLDER=${state}/objects DISK_FAULTS=${control} LD_PRELOAD=${library}`;
  writeFileSync(wrapper, `#!/bin/sh\n${variables} exec ${wrapper}-real "$@"\n`);
  chmodSync(wrapper, 0o755);
  return wrapper;
}

function fillUp(file: string): void {
  const descriptor = openSync(file, "a");
  for (const size of [1 << 20, 4096, 1]) {
    const bytes = Buffer.alloc(size, 1);
    try {
      for (;;) writeSync(descriptor, bytes);
    } catch {
      // No such piece fits any more.
    }
  }
  closeSync(descriptor);
}
