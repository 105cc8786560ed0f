/**
 * What a sign-in under way has to remember, in a sealed cookie of its own: two tabs can sign in side by side, and no
 * object has to keep what may never come back.
 */
import * as z from "zod";
import { base64url } from "../lib/ids.ts";
import { keyringOf } from "../store/keyring.ts";
import type { Env } from "../store/env.ts";
import { open, seal } from "../store/seal.ts";
import { SignInRefused } from "./faults.ts";

const stateSchema = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  /** Of PKCE. */
  verifier: z.string(),
  /** The address that the identity provider sends the browser back to. */
  redirect: z.string(),
  /** The path of this gateway that is shown afterwards. */
  back: z.string(),
  /** The text of an invitation's link. */
  invitation: z.string().nullable(),
  /** Epoch ms. */
  started: z.number(),
});
/** A sign-in that is under way. */
export type LoginState = z.infer<typeof stateSchema>;

/** Seconds for which a sign-in may be under way. */
export const loginTime = 600;
const place = { workspace: "", provider: "sign-in", field: "state" };
const namePrefix = "gateway_login_";

/** The name of the cookie for this state. */
export async function loginCookieName(state: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(state));
  return namePrefix + base64url(new Uint8Array(digest).subarray(0, 9));
}

/** Names of such cookies among these. */
export function loginCookies(names: readonly string[]): string[] {
  return names.filter((name) => name.startsWith(namePrefix));
}

/** The cookie's value. */
export async function sealedLogin(env: Env, login: LoginState): Promise<string> {
  return await seal(JSON.stringify(login), place, await keyringOf(env.ENCRYPTION_KEY));
}

/** The sign-in that came back with this state. Throws SignInRefused. */
export async function openedLogin(
  env: Env,
  { sealed, state, now }: { sealed: string | undefined; state: string; now: number },
): Promise<LoginState> {
  const text = await open(sealed ?? "", place, await keyringOf(env.ENCRYPTION_KEY));
  if (text === undefined) throw new SignInRefused("state");
  const login = stateSchema.parse(JSON.parse(text));
  if (login.state !== state) throw new SignInRefused("state");
  if (now - login.started > loginTime * 1000) throw new SignInRefused("expired");
  return login;
}
