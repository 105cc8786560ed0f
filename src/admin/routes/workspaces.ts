/** Workspaces of the deployment. */
import * as z from "zod";
import { newId } from "../../lib/ids.ts";
import type { Env } from "../../store/env.ts";
import { makeAdminToken } from "../../store/admin-tokens.ts";
import { keyringOf } from "../../store/keyring.ts";
import { hashKey } from "../../store/keys.ts";
import type { WorkspaceRecord } from "../../workspace/accounts/workspaces.ts";
import { directoryStub } from "../../workspace/remote.ts";
import { askDirectory } from "../shared/access.ts";
import { defineRoute } from "../shared/define-route.ts";
import { notFound } from "../shared/errors.ts";
import { askWorkspace } from "../shared/scope.ts";

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
): Promise<z.infer<typeof createdWorkspaceSchema>> {
  const record: WorkspaceRecord = {
    id: newId("ws_"),
    name: called,
    monthly_requests: quota,
    created_at: new Date().toISOString(),
  };
  const token = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
  const hash = await hashKey(token);
  await setQuota(env, record.id, quota);
  // Not tried twice: the second one would find its own id taken.
  await directoryStub(env).create(record, hash);
  return { ...workspaceView(record), admin_token: token };
}

/** Changes name and quota; 404 when there is no such workspace. */
export async function changeWorkspace(
  env: Env,
  id: string,
  { name: called, monthly_requests: quota }: WorkspaceChange,
): Promise<WorkspaceView> {
  const change = {
    ...(called !== undefined && { name: called }),
    ...(quota !== undefined && { monthly_requests: quota }),
  };
  const record = await askDirectory(env, (directory) => directory.change(id, change));
  if (record === undefined) throw notFound(`there is no workspace ${JSON.stringify(id)}`);
  if (quota !== undefined) await setQuota(env, id, quota);
  return workspaceView(record);
}

/** All workspaces, oldest first. */
export async function listWorkspaces(env: Env): Promise<WorkspaceView[]> {
  const records = await askDirectory(env, (directory) => directory.list());
  return records.map(workspaceView);
}

function setQuota(env: Env, workspace: string, quota: number | null): Promise<void> {
  return askWorkspace({ env, workspace }, (stub) => stub.setQuota(quota));
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
    ({ body }, { env }) => createWorkspace(env, body),
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
    ({ params, body }, { env }) => changeWorkspace(env, params.id, body),
  ),
] as const;
