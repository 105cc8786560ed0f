/** Workspaces of the deployment, and who may act on which. */
import { Problem } from "../core/problem.ts";
import { base64url, newId } from "../lib/ids.ts";
import { defaultWorkspace, type WorkspaceRecord } from "../workspace/accounts/workspaces.ts";
import type { Scope } from "../workspace/accounts/tokens.ts";
import { calling, directoryStub, workspaceStub } from "../workspace/remote.ts";
import type { Env } from "../store/env.ts";
import { hashKey } from "../store/keys.ts";
import { notFound } from "./actions.ts";
import type { NewWorkspace, WorkspaceChange } from "./schemas.ts";

/** What a token may do: everything in the deployment, or everything in one workspace. */
export type Reach = Scope;

/** Whose token it is; undefined when it is nobody's. Only hashes are compared, so that no time taken tells of the token. */
export async function reachOf(env: Env, token: string): Promise<Reach | undefined> {
  if (token === "") return undefined;
  const proof = { given: await hashKey(token), setting: await settingHash(env) };
  return calling(
    () => directoryStub(env),
    (directory) => directory.scopeOf(proof),
  );
}

/** Hash of the setting `ADMIN_TOKEN`; null when there is none. */
export async function settingHash(env: Pick<Env, "ADMIN_TOKEN">): Promise<string | null> {
  if (typeof env.ADMIN_TOKEN !== "string" || env.ADMIN_TOKEN === "") return null;
  return hashKey(env.ADMIN_TOKEN);
}

/**
 * Makes a new administrator's token for what the old one reached and returns it, this once. The old one and
 * every session that it opened end, but for the session `keep`. The deployment's new token holds until the
 * setting `ADMIN_TOKEN` itself is changed: that is the way back for somebody who lost it.
 */
export async function rotateToken(env: Env, reach: Reach, keep: string | null): Promise<string> {
  const token = newToken();
  const change = {
    scope: reach,
    hash: await hashKey(token),
    setting: await settingHash(env),
    keep,
  };
  await directoryStub(env).replaceToken(change);
  return token;
}

/** Ends every session of the dashboard that this reach opened, but for `keep`. */
export function signOutEverywhere(env: Env, reach: Reach, keep: string | null): Promise<void> {
  return calling(
    () => directoryStub(env),
    (directory) => directory.closeSessions(reach, keep),
  );
}

function newToken(): string {
  return `gwa_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`;
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
  const token = newToken();
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
