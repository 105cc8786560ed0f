/** Which process a number stands for. Numbers are used again; a number with its start time is not. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface ProcessMark {
  pid: number;
  /** When it started, in whatever words the system has for it; only compared. */
  started: string;
}

/** The mark of a living process, or undefined when there is none with that number. */
export function markOf(pid: number): ProcessMark | undefined {
  const started = process.platform === "linux" ? startedLinux(pid) : startedElsewhere(pid);
  return started === undefined ? undefined : { pid, started };
}

/** Whether that very process still runs. */
export function isAlive(mark: ProcessMark): boolean {
  return markOf(mark.pid)?.started === mark.started;
}

/** Ends that very process: asks first, insists after `patience` ms. */
export async function endProcess(mark: ProcessMark, patience: number): Promise<void> {
  for (const [signal, wait] of [["SIGTERM", patience] as const, ["SIGKILL", 2000] as const]) {
    if (!isAlive(mark)) return;
    send(mark.pid, signal);
    const until = Date.now() + wait;
    while (isAlive(mark) && Date.now() < until) await sleep(20);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in between: that is what was wanted.
  }
}

/** Field 22 of /proc/pid/stat, counted behind the command's closing bracket. A zombie has ended. */
function startedLinux(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startedElsewhere(pid: number): string | undefined {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
    }).trim();
    return line === "" || line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
  } catch {
    return undefined;
  }
}
