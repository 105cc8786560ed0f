/** What a workspace may use by its plan, for what is counted outside of its own object. */
import type { Env } from "../../../store/env.ts";
import { planNamed, type WorkspacePlan } from "../../../store/plans.ts";
import { askDirectory } from "../credentials/access.ts";
import { notFound } from "../errors.ts";

/** A plan with its name; null: none, and no bounds. */
export interface NamedPlan extends WorkspacePlan {
  readonly name: string | null;
}

/** The workspace's plan with its numbers. Throws 404. */
export async function planOf(env: Env, workspace: string): Promise<NamedPlan> {
  const record = await askDirectory(env, (directory) => directory.find(workspace));
  if (record === undefined) throw notFound(`There is no workspace ${JSON.stringify(workspace)}`);
  return { ...planNamed(env, record.plan), name: record.plan };
}
