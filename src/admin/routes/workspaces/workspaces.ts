/** Workspaces of the deployment. */
import * as z from "zod";
import { makeAdminToken } from "../../../store/admin-tokens.ts";
import type { Env } from "../../../store/env.ts";
import { jurisdictionOf, jurisdictions } from "../../../store/jurisdiction.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { hashKey } from "../../../store/keys.ts";
import type { WorkspaceRecord } from "../../../workspace/accounts/tables/workspaces.ts";
import type { Actor } from "../../../workspace/contract/audit.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import { tellAudit, tellEntry } from "../../shared/audit.ts";
import { actorOf, operatorActorOf } from "../../shared/caller.ts";
import { listQuerySchema, listSchema, pageOfList } from "../../shared/list-page.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { notFound } from "../../shared/errors.ts";
import { makeWorkspace } from "../../shared/membership/make-workspace.ts";
import { planOf } from "../../shared/membership/plan-of.ts";
import { askWorkspace } from "../../shared/scope.ts";

const name = z.string().min(1).max(200);
/** Requests a month; null means as many as the plan says, and no quota without one. */
const monthlyRequests = z.number().int().min(0).nullable();

const workspaceChangeSchema = z.strictObject({
  name: name.optional(),
  monthly_requests: monthlyRequests.optional(),
});
type WorkspaceChange = z.infer<typeof workspaceChangeSchema>;

const newWorkspaceSchema = workspaceChangeSchema.extend({
  name,
  /** Where the law keeps its data; it stays so. */
  jurisdiction: z.enum(jurisdictions).nullable().optional(),
});
type NewWorkspace = z.infer<typeof newWorkspaceSchema>;

const workspaceViewSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** Its own quota; null: the plan's. */
  monthly_requests: z.number().nullable(),
  plan: z.string().nullable(),
  jurisdiction: z.enum(jurisdictions).nullable(),
  created_at: z.string(),
});
/** A workspace as those see it who run the deployment. */
export type WorkspaceView = z.infer<typeof workspaceViewSchema>;

const createdWorkspaceSchema = workspaceViewSchema.extend({
  /** Of the new workspace's administrator, shown this once. */
  admin_token: z.string(),
});

const oneWorkspaceSchema = workspaceViewSchema.extend({
  /** What its plan allows besides requests; null: no bound. */
  bounds: z.strictObject({
    retention_days: z.number().nullable(),
    members: z.number().nullable(),
    features: z.array(z.string()),
  }),
  /** The running month of UTC. */
  month: z.strictObject({ requests: z.number(), limit: z.number().nullable() }),
});

function workspaceView(record: WorkspaceRecord): WorkspaceView {
  const { id, name: called, monthly_requests, plan, created_at } = record;
  const jurisdiction = jurisdictionOf(id);
  return { id, name: called, monthly_requests, plan, jurisdiction, created_at };
}

/** Who makes or changes a workspace, and from where. */
export interface Making {
  env: Env;
  by: Actor;
  continent: string | undefined;
}

/** Makes a workspace with a token of its own, which is shown this once. */
export async function createWorkspace(
  { env, by, continent }: Making,
  { name: called, monthly_requests: quota = null, jurisdiction = null }: NewWorkspace,
): Promise<z.infer<typeof createdWorkspaceSchema>> {
  const token = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
  const record = await makeWorkspace(env, {
    name: called,
    monthlyRequests: quota,
    jurisdiction,
    tokenHash: await hashKey(token),
    by,
    ...(continent !== undefined && { continent }),
  });
  return { ...workspaceView(record), admin_token: token };
}

/** Changes name and quota; 404 when there is no such workspace. */
export async function changeWorkspace(
  { env, by }: Omit<Making, "continent">,
  id: string,
  { name: called, monthly_requests: quota }: WorkspaceChange,
): Promise<WorkspaceView> {
  const before = await askDirectory(env, (directory) => directory.find(id));
  const change = {
    ...(called !== undefined && { name: called }),
    ...(quota !== undefined && { monthly_requests: quota }),
  };
  const record = await askDirectory(env, (directory) => directory.change(id, change));
  if (record === undefined) throw noWorkspace(id);
  const place = { env, workspace: id };
  if (quota !== undefined) await askWorkspace(place, (stub) => stub.setQuota(quota, by));
  if (before !== undefined && before.name !== record.name) {
    const names = { before: { name: before.name }, after: { name: record.name } };
    await tellAudit(place, { actor: by, action: "workspace.changed", target: id, ...names });
  }
  return workspaceView(record);
}

/** All workspaces, oldest first. */
export async function listWorkspaces(env: Env): Promise<WorkspaceView[]> {
  const records = await askDirectory(env, (directory) => directory.list());
  return records.map(workspaceView);
}

/** One with what it used; 404 when there is none of that id. The workspace's audit log tells of the look. */
export async function oneWorkspace(
  { env, by: actor }: Omit<Making, "continent">,
  id: string,
): Promise<z.infer<typeof oneWorkspaceSchema>> {
  const record = await askDirectory(env, (directory) => directory.find(id));
  if (record === undefined) throw noWorkspace(id);
  await tellEntry({ env, workspace: id }, { actor, reading: "GET /api/workspaces/{id}" });
  const { monthly } = await askWorkspace({ env, workspace: id }, (stub) => stub.status());
  const { retention_days, members, features } = await planOf(env, id);
  return {
    ...workspaceView(record),
    month: { requests: monthly.used, limit: monthly.limit },
    bounds: { retention_days, members, features },
  };
}

function noWorkspace(id: string): Error {
  return notFound(`There is no workspace ${JSON.stringify(id)}`);
}

/** The routes of workspaces, for those who run the deployment. */
export const adminWorkspaceRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/workspaces",
      summary: "Create a workspace",
      access: "root",
      body: { schema: newWorkspaceSchema },
      status: 201,
      answer: createdWorkspaceSchema,
    },
    ({ body }, { env, access, continent }) =>
      createWorkspace({ env, by: actorOf(access), continent }, body),
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/workspaces",
      summary: "All workspaces",
      access: "operator",
      query: listQuerySchema,
      status: 200,
      answer: listSchema(workspaceViewSchema),
    },
    async ({ query }, { env }) => pageOfList(await listWorkspaces(env), query),
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/workspaces/{id}",
      summary: "One workspace, with its use this month",
      access: "operator",
      status: 200,
      answer: oneWorkspaceSchema,
    },
    ({ params }, { env, access }) => oneWorkspace({ env, by: operatorActorOf(access) }, params.id),
  ),
  defineRoute(
    {
      method: "PATCH",
      path: "/api/workspaces/{id}",
      summary: "Change a workspace",
      access: "root",
      body: { schema: workspaceChangeSchema },
      status: 200,
      answer: workspaceViewSchema,
    },
    ({ params, body }, { env, access }) =>
      changeWorkspace({ env, by: actorOf(access) }, params.id, body),
  ),
] as const;
