/** The administrator's own token, and the sessions that it opened. */
import * as z from "zod";
import type { Env } from "../../store/env.ts";
import { makeAdminToken } from "../../store/admin-tokens.ts";
import { keyringOf } from "../../store/keyring.ts";
import { hashKey } from "../../store/keys.ts";
import type { PlainScope } from "../../workspace/accounts/scope.ts";
import { type AdminAccess, askDirectory, settingHash } from "../shared/access.ts";
import { defineRoute } from "../shared/define-route.ts";

/**
 * Replaces the administrator's token and returns the new one, this once. The old one and every session that it
 * opened end, but for the session `keep`. The deployment's new token holds until the setting `ADMIN_TOKEN`
 * itself is changed: that is the way back for somebody who lost it.
 */
export async function rotateToken(
  env: Env,
  access: PlainScope,
  keep: string | null,
): Promise<string> {
  const token = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
  const hash = await hashKey(token);
  const change = { scope: access, hash, setting: await settingHash(env), keep };
  await askDirectory(env, (directory) => directory.replaceToken(change));
  return token;
}

/** What the administrator's token of that workspace opens: the deployment's, where its own administrator asks. */
export function plainScopeOf(access: AdminAccess, workspace: string): PlainScope {
  return access.kind === "deployment" ? access : { kind: "workspace", workspace };
}

/** Ends every session of the dashboard with this access, but for `keep`. */
export function signOutEverywhere(
  env: Env,
  access: PlainScope,
  keep: string | null,
): Promise<void> {
  return askDirectory(env, (directory) => directory.closeSessions(access, keep));
}

/** The route of the administrator's token. */
export const adminAccountRoutes = [
  defineRoute(
    {
      method: "POST",
      path: "/api/admin-token",
      summary:
        "Replace the administrator's token; the new one is shown this once. The deployment's belongs into the setting ADMIN_TOKEN too: npm start signs in with what stands there",
      access: "write",
      status: 201,
      answer: z.strictObject({ admin_token: z.string() }),
    },
    async (_input, { env, access, scope }) => ({
      admin_token: await rotateToken(env, plainScopeOf(access, scope.workspace), null),
    }),
  ),
] as const;
