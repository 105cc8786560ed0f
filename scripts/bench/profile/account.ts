/** A profile accounted to the stages of a request. */
import { readdirSync, readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import path from "node:path";
import type { CpuProfile, ProfileNode } from "./inspector.ts";
import { type Stage, stageOf, stages } from "./stages.ts";

/** Microseconds a request. */
export interface StageTime {
  readonly stage: Stage;
  readonly cpu: number;
  /** With the time in which nothing ran behind the stage's code: what it waited for. */
  readonly wall: number;
}

/** Finds the source file of a position in the built modules. */
export type FileOf = (frame: ProfileNode["callFrame"]) => string | undefined;

/** Accounts every sample of requests that were sent one after the other. */
export function accounted(profile: CpuProfile, fileOf: FileOf, requests: number): StageTime[] {
  const stageBy = stagesOfNodes(profile.nodes, fileOf);
  const cpu = new Map<Stage, number>();
  const waits = new Map<Stage, number>();
  let latest: Stage = "runtime";
  profile.samples.forEach((node, index) => {
    const time = profile.timeDeltas[index] ?? 0;
    const stage = stageBy.get(node);
    if (stage === "idle") return add(waits, latest, time);
    const busy = stage ?? "runtime";
    add(cpu, busy, time);
    // What the runtime does by itself belongs to whoever asked for it last.
    if (busy !== "runtime") latest = busy;
  });
  return stages.map((stage) => {
    const used = (cpu.get(stage) ?? 0) / requests;
    return { stage, cpu: used, wall: used + (waits.get(stage) ?? 0) / requests };
  });
}

function add(sums: Map<Stage, number>, stage: Stage, time: number): void {
  sums.set(stage, (sums.get(stage) ?? 0) + time);
}

/** The stage of the innermost frame that tells one. */
function stagesOfNodes(
  nodes: readonly ProfileNode[],
  fileOf: FileOf,
): ReadonlyMap<number, Stage | "idle" | undefined> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = new Map<number, Stage | "idle" | undefined>();
  const visit = (node: ProfileNode, outer: Stage | undefined): void => {
    const file = fileOf(node.callFrame);
    const own = (file === undefined ? undefined : stageOf(file)) ?? outer;
    found.set(node.id, node.callFrame.functionName === "(idle)" ? "idle" : own);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) visit(child, own);
    }
  };
  const [root] = nodes;
  if (root !== undefined) visit(root, undefined);
  return found;
}

/** Reads the source maps beside the modules of a folder. */
export function sourceFiles(folder: string): FileOf {
  const maps = new Map<string, SourceMap>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".map")) continue;
    // esbuild's own output.
    const payload = JSON.parse(readFileSync(path.join(folder, name), "utf8")) as SourceMapPayload;
    maps.set(path.basename(name, ".map"), new SourceMap(payload));
  }
  return ({ url, lineNumber, columnNumber }) => {
    const entry = maps.get(path.basename(url))?.findEntry(lineNumber, columnNumber);
    if (entry === undefined || !("originalSource" in entry)) return undefined;
    return entry.originalSource.replace(/^(?:\.\.\/)+/, "");
  };
}
