/** What a started gateway costs the machine: memory and processor time of its workerd, as Linux counts them. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Host } from "../smoke/host.ts";

export interface GatewayProcess {
  /** Resident memory, in MB. */
  memory(): number;
  /** Processor time so far, in ms. */
  cpu(): number;
  /** The highest resident memory while the work runs, in MB. */
  peak(work: Promise<unknown>): Promise<number>;
  readonly pid: number;
}

/** The workerd of a host that has started. Fails where there is no `/proc`. */
export function processOf(host: Host): GatewayProcess {
  const pid = descendant(host.child.pid ?? 0, "workerd");
  if (pid === undefined) throw new Error("the host has no workerd");
  const memory = (): number => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(kilobytes) / 1024;
  };
  return {
    pid,
    memory,
    cpu() {
      const [, , , , , , , , , , , user, system] = statOf(pid).fields;
      // In hundredths of a second.
      return (Number(user) + Number(system)) * 10;
    },
    async peak(work) {
      const state = { running: true };
      let highest = memory();
      const ended = work.finally(() => {
        state.running = false;
      });
      while (state.running) {
        highest = Math.max(highest, memory());
        await sleep(5);
      }
      await ended;
      return Math.max(highest, memory());
    },
  };
}

function statOf(pid: number): { name: string; fields: string[] } {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  const end = text.lastIndexOf(")");
  return { name: text.slice(text.indexOf("(") + 1, end), fields: text.slice(end + 2).split(" ") };
}

/** The process of this name below another one. */
function descendant(ancestor: number, name: string): number | undefined {
  const children = new Map<number, number[]>();
  const names = new Map<number, string>();
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      const stat = statOf(pid);
      const parent = Number(stat.fields[1]);
      names.set(pid, stat.name);
      children.set(parent, [...(children.get(parent) ?? []), pid]);
    } catch {
      // It ended meanwhile.
    }
  }
  const waiting = [ancestor];
  for (let pid = waiting.shift(); pid !== undefined; pid = waiting.shift()) {
    if (names.get(pid) === name) return pid;
    waiting.push(...(children.get(pid) ?? []));
  }
  return undefined;
}
