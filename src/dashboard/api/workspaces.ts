/** Workspaces of the deployment, and who may act on which. */
import { Problem } from "../../core/problem.ts";
import { base64url, newId } from "../../lib/ids.ts";
import { defaultWorkspace, type WorkspaceRecord } from "../../meter/directory.ts";
import { calling, directoryStub, workspaceStub } from "../../meter/remote.ts";
import type { Env } from "../../store/env.ts";
import { hashKey, sameBytes } from "../../store/keys.ts";
import { notFound } from "./actions.ts";
import type { NewWorkspace, WorkspaceChange } from "./schemas.ts";

/** What a token may do: everything in the deployment, or everything in one workspace. */
export type Reach = { kind: "deployment" } | { kind: "workspace"; workspace: string };

/** Whose token it is; undefined when it is nobody's. */
export async function reachOf(env: Env, token: string): Promise<Reach | undefined> {
  if (token === "") return undefined;
  if (await isAdminToken(env, token)) return { kind: "deployment" };
  const hash = await hashKey(token);
  const found = await calling(
    () => directoryStub(env),
    (directory) => directory.findByToken(hash),
  );
  return found === undefined ? undefined : { kind: "workspace", workspace: found.id };
}

/** Compares digests in constant time, so that neither length nor content shows in the time taken. */
export async function isAdminToken(env: Pick<Env, "ADMIN_TOKEN">, token: string): Promise<boolean> {
  if (typeof env.ADMIN_TOKEN !== "string" || env.ADMIN_TOKEN === "") return false;
  const [given, right] = await Promise.all([digest(token), digest(env.ADMIN_TOKEN)]);
  return sameBytes(given, right);
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** The workspace to act on: the token's own, or the one that the deployment's administrator names. */
export async function workspaceFor(
  env: Env,
  reach: Reach,
  wanted: string | undefined,
): Promise<string> {
  if (reach.kind === "workspace") {
    if (wanted !== undefined && wanted !== reach.workspace) throw forbidden();
    return reach.workspace;
  }
  if (wanted === undefined || wanted === "" || wanted === defaultWorkspace) return defaultWorkspace;
  const found = await calling(
    () => directoryStub(env),
    (directory) => directory.find(wanted),
  );
  if (found === undefined) throw notFound(`there is no workspace ${JSON.stringify(wanted)}`);
  return found.id;
}

export function forbidden(): Problem {
  return new Problem("M005", "This token does not reach that far.", {
    status: 403,
    code: "forbidden",
  });
}

/** The new workspace with its administrator's token, shown this once. */
export async function createWorkspace(
  env: Env,
  wish: NewWorkspace,
): Promise<WorkspaceRecord & { admin_token: string }> {
  const token = `gwa_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`;
  const record: WorkspaceRecord = {
    id: newId("ws_"),
    name: wish.name,
    monthly_requests: wish.monthly_requests ?? null,
    created_at: new Date().toISOString(),
  };
  const hash = await hashKey(token);
  await setQuota(env, record.id, record.monthly_requests);
  await directoryStub(env).create(record, hash);
  return { ...record, admin_token: token };
}

/** Oldest first. */
export function listWorkspaces(env: Env): Promise<WorkspaceRecord[]> {
  return calling(
    () => directoryStub(env),
    (directory) => directory.list(),
  );
}

export async function changeWorkspace(
  env: Env,
  id: string,
  change: WorkspaceChange,
): Promise<WorkspaceRecord> {
  const record = await calling(
    () => directoryStub(env),
    (directory) =>
      directory.change(id, {
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.monthly_requests === undefined
          ? {}
          : { monthly_requests: change.monthly_requests }),
      }),
  );
  if (record === undefined) throw notFound(`there is no workspace ${JSON.stringify(id)}`);
  if (change.monthly_requests !== undefined) await setQuota(env, id, change.monthly_requests);
  return record;
}

function setQuota(env: Env, workspace: string, monthlyRequests: number | null): Promise<void> {
  return calling(
    () => workspaceStub(env, workspace),
    (stub) => stub.setQuota(monthlyRequests),
  );
}
