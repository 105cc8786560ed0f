/** Workspaces of the deployment. */
import * as z from "zod";
import { newId } from "../../lib/ids.ts";
import type { Env } from "../../store/env.ts";
import { makeAdminToken } from "../../store/admin-tokens.ts";
import { keyringOf } from "../../store/keyring.ts";
import { hashKey } from "../../store/keys.ts";
import type { WorkspaceRecord } from "../../workspace/accounts/workspaces.ts";
import type { Actor } from "../../workspace/contract/audit.ts";
import { directoryStub } from "../../workspace/remote.ts";
import { askDirectory } from "../shared/access.ts";
import { tellAudit } from "../shared/audit.ts";
import { actorOf } from "../shared/caller.ts";
import { defineRoute } from "../shared/define-route.ts";
import { notFound } from "../shared/errors.ts";
import { type AdminScope, askWorkspace } from "../shared/scope.ts";

const name = z.string().min(1).max(200);
/** Requests a month; null means no quota. */
const monthlyRequests = z.number().int().min(0).nullable();

const newWorkspaceSchema = z.strictObject({ name, monthly_requests: monthlyRequests.optional() });
type NewWorkspace = z.infer<typeof newWorkspaceSchema>;

const workspaceChangeSchema = newWorkspaceSchema.partial();
type WorkspaceChange = z.infer<typeof workspaceChangeSchema>;

const workspaceViewSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  monthly_requests: z.number().nullable(),
  created_at: z.string(),
});
/** A workspace as those see it who run the deployment. */
export type WorkspaceView = z.infer<typeof workspaceViewSchema>;

const createdWorkspaceSchema = workspaceViewSchema.extend({
  /** Of the new workspace's administrator, shown this once. */
  admin_token: z.string(),
});

function workspaceView(record: WorkspaceRecord): WorkspaceView {
  const { id, name: called, monthly_requests, created_at } = record;
  return { id, name: called, monthly_requests, created_at };
}

/** Makes a workspace with a token of its own, which is shown this once. */
export async function createWorkspace(
  env: Env,
  { name: called, monthly_requests: quota = null }: NewWorkspace,
  by: Actor,
): Promise<z.infer<typeof createdWorkspaceSchema>> {
  const record: WorkspaceRecord = {
    id: newId("ws_"),
    name: called,
    monthly_requests: quota,
    created_at: new Date().toISOString(),
  };
  const token = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
  const hash = await hashKey(token);
  const { id: workspace } = record;
  await setQuota({ env, workspace }, quota, by);
  // Not tried twice: the second one would find its own id taken.
  await directoryStub(env).create(record, hash);
  const after = { name: called, monthly_requests: quota };
  const event = { actor: by, action: "workspace.created", target: workspace, after };
  await tellAudit({ env, workspace }, event);
  return { ...workspaceView(record), admin_token: token };
}

/** Changes name and quota; 404 when there is no such workspace. */
export async function changeWorkspace(
  { env, workspace: id }: WorkspacePlace,
  { name: called, monthly_requests: quota }: WorkspaceChange,
  by: Actor,
): Promise<WorkspaceView> {
  const before = await askDirectory(env, (directory) => directory.find(id));
  const change = {
    ...(called !== undefined && { name: called }),
    ...(quota !== undefined && { monthly_requests: quota }),
  };
  const record = await askDirectory(env, (directory) => directory.change(id, change));
  if (record === undefined) throw notFound(`there is no workspace ${JSON.stringify(id)}`);
  if (quota !== undefined) await setQuota({ env, workspace: id }, quota, by);
  if (before !== undefined && before.name !== record.name) {
    const names = { before: { name: before.name }, after: { name: record.name } };
    const event = { actor: by, action: "workspace.changed", target: id, ...names };
    await tellAudit({ env, workspace: id }, event);
  }
  return workspaceView(record);
}

/** All workspaces, oldest first. */
export async function listWorkspaces(env: Env): Promise<WorkspaceView[]> {
  const records = await askDirectory(env, (directory) => directory.list());
  return records.map(workspaceView);
}

type WorkspacePlace = Pick<AdminScope, "env" | "workspace">;

function setQuota(place: WorkspacePlace, quota: number | null, by: Actor): Promise<void> {
  return askWorkspace(place, (stub) => stub.setQuota(quota, by));
}

/** The routes of workspaces, for the deployment's administrator. */
export const adminWorkspaceRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/workspaces",
      summary: "Make a workspace",
      access: "root",
      body: { schema: newWorkspaceSchema },
      status: 201,
      answer: createdWorkspaceSchema,
    },
    ({ body }, { env, access }) => createWorkspace(env, body, actorOf(access)),
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/workspaces",
      summary: "All workspaces",
      access: "operator",
      status: 200,
      answer: z.strictObject({ data: z.array(workspaceViewSchema) }),
    },
    async (_input, { env }) => ({ data: await listWorkspaces(env) }),
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
      changeWorkspace({ env, workspace: params.id }, body, actorOf(access)),
  ),
] as const;
