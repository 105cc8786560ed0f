/** Who an administrator's token belongs to, and which workspace it may act on. */
import { base64url } from "../../lib/ids.ts";
import type { Env } from "../../store/env.ts";
import { hashKey } from "../../store/keys.ts";
import type { Scope } from "../../workspace/accounts/scope.ts";
import { calling, type DirectoryStub, directoryStub } from "../../workspace/remote.ts";

/** What a credential opens. */
export type AdminAccess = Scope;

/** Calls the object that knows the deployment's workspaces; once more when it was restarted under the call. */
export function askDirectory<Answer>(
  env: Env,
  call: (stub: DirectoryStub) => Promise<Answer>,
): Promise<Answer> {
  return calling(() => directoryStub(env), call);
}

/**
 * The token's access; undefined when it is nobody's. Only hashes are compared, so timing reveals nothing. A text
 * that is neither the setting nor of the form of tokens that are made here is not looked up.
 */
export async function accessOf(env: Env, token: string): Promise<AdminAccess | undefined> {
  if (token === "") return undefined;
  const proof = { given: await hashKey(token), setting: await settingHash(env) };
  if (proof.given !== proof.setting && !isMadeToken(token)) return undefined;
  return askDirectory(env, (directory) => directory.scopeOf(proof));
}

/** Hash of the setting `ADMIN_TOKEN`; null when there is none. */
export async function settingHash(env: Pick<Env, "ADMIN_TOKEN">): Promise<string | null> {
  if (typeof env.ADMIN_TOKEN !== "string" || env.ADMIN_TOKEN === "") return null;
  return hashKey(env.ADMIN_TOKEN);
}

/** Whether the text has the form that `makeAdminToken` gives. */
function isMadeToken(text: string): boolean {
  return /^gwa_[\w-]{43}$/.test(text);
}

/** A new administrator's token: `gwa_` and 32 random bytes as base64url. */
export function makeAdminToken(): string {
  return `gwa_${base64url(crypto.getRandomValues(new Uint8Array(32)))}`;
}
