/** `POST /oauth/revoke`: a program signs out. What is no token of a sign-in is answered alike (RFC 7009). */
import { askDirectory } from "../../admin/shared/credentials/access.ts";
import type { Env } from "../../store/env.ts";
import { keyringOf } from "../../store/keyring.ts";
import { hashKey, readKey } from "../../store/keys.ts";
import { onWorkspace } from "../../workspace/client/on-workspace.ts";
import { signInOfKey } from "../../workspace/rules/sign-in-keys.ts";
import { endSignInKeys } from "./access-key.ts";
import { deviceRefusal } from "./answers.ts";
import { readRefreshToken } from "./secret-texts.ts";
import { countQuestion } from "./throttle.ts";
import { formFields } from "./token.ts";

/** Either token ends the whole sign-in. Nobody is asked about a text that was not made here. */
export async function revokeToken(request: Request, env: Env): Promise<Response> {
  const text = (await formFields(request))?.get("token") ?? "";
  if (text === "") return deviceRefusal("invalid_request");
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const token = await readRefreshToken(text, ring);
  const key = await readKey(text, ring);
  if (token !== undefined || key?.proven === true) {
    const wait = countQuestion(text, Date.now());
    if (wait > 0) return deviceRefusal("slow_down", { retryAfter: wait });
    const signIn = token ?? (await signInOf(env, { text, workspace: key?.workspace ?? "" }));
    if (signIn !== undefined) await endSignIn(env, signIn);
  }
  return new Response(null, { headers: { "cache-control": "no-store" } });
}

interface EndedSignIn {
  readonly signIn: string;
  /** Where it is known: of an access token. */
  readonly workspace?: string;
}

async function endSignIn(env: Env, { signIn, workspace }: EndedSignIn): Promise<void> {
  const ended = await askDirectory(env, (directory) => directory.endProgram(signIn));
  const where = ended?.workspace ?? workspace;
  if (where !== undefined) await endSignInKeys(env, { workspace: where, signIn });
}

async function signInOf(
  env: Env,
  { text, workspace }: { text: string; workspace: string },
): Promise<EndedSignIn | undefined> {
  const hash = await hashKey(text);
  const found = await onWorkspace(env, workspace, (stub) => stub.identify(hash));
  const signIn = "key" in found ? signInOfKey(found.key.id) : undefined;
  return signIn === undefined ? undefined : { signIn, workspace };
}
