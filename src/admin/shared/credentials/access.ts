/** What credentials of the admin API open, and the object that knows it. */
import type { Env } from "../../../store/env.ts";
import { hashKey } from "../../../store/keys.ts";
import type { Scope } from "../../../workspace/accounts/tables/scope.ts";
import { calling, type DirectoryStub, directoryStub } from "../../../workspace/remote.ts";

/** What a credential opens. */
export type AdminAccess = Scope;

/** Calls the object that knows the deployment's workspaces; once more when it was restarted under the call. */
export function askDirectory<Answer>(
  env: Env,
  call: (stub: DirectoryStub) => Promise<Answer>,
): Promise<Answer> {
  return calling(() => directoryStub(env), call);
}

/** Hash of the setting `ADMIN_TOKEN`; null when there is none. */
export async function settingHash(env: Pick<Env, "ADMIN_TOKEN">): Promise<string | null> {
  if (typeof env.ADMIN_TOKEN !== "string" || env.ADMIN_TOKEN === "") return null;
  return hashKey(env.ADMIN_TOKEN);
}
