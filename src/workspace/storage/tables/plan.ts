/** The name of the workspace's plan, and its own monthly quota, as its object keeps them. */
import { readMeta, writeMeta } from "./meta.ts";

/** What the directory reported about the plan. Its numbers are in the deployment's settings. */
export interface StoredPlan {
  /** Null: none. */
  name: string | null;
  /** Grows with every change: what was told earlier never undoes what was told later. */
  change: number;
}

/** Without a plan where none was told yet. */
export function readPlan(sql: SqlStorage): StoredPlan {
  // Written by writePlan alone.
  return (readMeta(sql, "plan") as StoredPlan | undefined) ?? { name: null, change: 0 };
}

/** Replaces what was told before. */
export function writePlan(sql: SqlStorage, plan: StoredPlan): void {
  writeMeta(sql, "plan", plan);
}
