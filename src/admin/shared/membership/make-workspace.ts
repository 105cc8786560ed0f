/** How a workspace comes into being. */
import { newId } from "../../../lib/ids.ts";
import { type Env, modeOf } from "../../../store/env.ts";
import { type Jurisdiction, workspaceIdPrefix } from "../../../store/jurisdiction.ts";
import { firstPlanName } from "../../../store/plans.ts";
import { tellAudit } from "../audit.ts";
import { askWorkspace } from "../scope.ts";
import type { WorkspaceRecord } from "../../../workspace/accounts/tables/workspaces.ts";
import type { Actor } from "../../../workspace/contract/audit.ts";
import { directoryStub, workspaceStub } from "../../../workspace/remote.ts";

/** What a new workspace is to be. */
export interface WorkspaceWish {
  name: string;
  /** Null: as many as its plan says. */
  monthlyRequests: number | null;
  jurisdiction: Jurisdiction | null;
  /** Of the token that administers it; null: none does. */
  tokenHash: string | null;
  /** Of the caller, as `request.cf` names it: the object is put near by. */
  continent?: string;
  by: Actor;
}

/** A new workspace; in the cloud with the first plan of the setting. */
export async function makeWorkspace(env: Env, wish: WorkspaceWish): Promise<WorkspaceRecord> {
  const record: WorkspaceRecord = {
    id: newId(workspaceIdPrefix(wish.jurisdiction)),
    name: wish.name,
    monthly_requests: wish.monthlyRequests,
    plan: firstPlanOf(env),
    plan_change: 0,
    created_at: new Date().toISOString(),
  };
  const stub = workspaceStub(env, record.id, wish.continent);
  await stub.setPlan({ name: record.plan, change: record.plan_change }, wish.by);
  await stub.setQuota(record.monthly_requests, wish.by);
  // Not tried twice: the second one would find its own id taken.
  await directoryStub(env).create(record, wish.tokenHash);
  const { id: workspace, name, plan, monthly_requests } = record;
  const after = { name, plan, monthly_requests };
  const event = { actor: wish.by, action: "workspace.created", target: workspace, after };
  await tellAudit({ env, workspace }, event);
  return record;
}

/** The plan of a new workspace: in the cloud the first one of the setting; null: none. */
export function firstPlanOf(env: Env): string | null {
  return modeOf(env) === "cloud" ? firstPlanName(env) : null;
}

/** The workspace's object hears of its plan. */
export async function tellPlan(
  env: Env,
  { id: workspace, plan, plan_change }: Pick<WorkspaceRecord, "id" | "plan" | "plan_change">,
  by: Actor,
): Promise<void> {
  const told = { name: plan, change: plan_change };
  await askWorkspace({ env, workspace }, (stub) => stub.setPlan(told, by));
}

/** The continent that the request came from; undefined where nobody knows. */
export function continentOf(request: Request): string | undefined {
  // Set by the platform alone, outside of it there is no such member.
  const { cf } = request as { cf?: { continent?: unknown } };
  return typeof cf?.continent === "string" ? cf.continent : undefined;
}
