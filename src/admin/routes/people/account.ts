/** The administrator's own token, and the sessions that it opened. */
import * as z from "zod";
import type { Env } from "../../../store/env.ts";
import { makeAdminToken } from "../../../store/admin-tokens.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { hashKey } from "../../../store/keys.ts";
import type { PlainScope } from "../../../workspace/accounts/tables/scope.ts";
import { defaultWorkspace } from "../../../workspace/accounts/tables/workspaces.ts";
import type { Actor } from "../../../workspace/contract/audit.ts";
import { type AdminAccess, askDirectory, settingHash } from "../../shared/credentials/access.ts";
import { tellAudit } from "../../shared/audit.ts";
import { defineRoute } from "../../shared/define-route.ts";

/**
 * Replaces the administrator's token and returns the new one, this once. The old one and every session that it
 * opened end, but for the session `keep`. The deployment's new token holds until the setting `ADMIN_TOKEN`
 * itself is changed: that is the way back for somebody who lost it.
 */
export async function rotateToken(
  env: Env,
  access: PlainScope,
  { by, keep }: SessionChange,
): Promise<string> {
  const token = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
  const hash = await hashKey(token);
  const change = { scope: access, hash, setting: await settingHash(env), keep };
  await askDirectory(env, (directory) => directory.replaceToken(change));
  const workspace = workspaceOf(access);
  await tellAudit(
    { env, workspace },
    { actor: by, action: "admin_token.replaced", target: workspace },
  );
  return token;
}

/** Who ends sessions, and which one is kept. */
export interface SessionChange {
  readonly by: Actor;
  /** Hash of a session's id. */
  readonly keep: string | null;
}

/** Whose audit log tells of it: the deployment's own token belongs to the default workspace. */
function workspaceOf(access: PlainScope): string {
  return access.kind === "workspace" ? access.workspace : defaultWorkspace;
}

/** What the administrator's token of that workspace opens: the deployment's, where its own administrator asks. */
export function plainScopeOf(access: AdminAccess, workspace: string): PlainScope {
  return access.kind === "deployment" ? access : { kind: "workspace", workspace };
}

/** Ends every session of the dashboard with this access, but for `keep`. */
export async function signOutEverywhere(
  env: Env,
  access: PlainScope,
  { by, keep }: SessionChange,
): Promise<void> {
  await askDirectory(env, (directory) => directory.closeSessions(access, keep));
  const workspace = workspaceOf(access);
  await tellAudit({ env, workspace }, { actor: by, action: "session.ended", target: "all" });
}

/** The route of the administrator's token. */
export const adminAccountRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/admin-token",
      summary:
        "Replace the administrator's token; the new one is shown only once. Set ADMIN_TOKEN to the deployment's new token too: npm start signs in with it",
      access: "write",
      status: 201,
      answer: z.strictObject({ admin_token: z.string() }),
    },
    async (_input, { env, access, scope }) => ({
      admin_token: await rotateToken(env, plainScopeOf(access, scope.workspace), {
        by: scope.caller.actor,
        keep: null,
      }),
    }),
  ),
] as const;
