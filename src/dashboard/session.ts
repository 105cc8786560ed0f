/** Signing in and out: the cookie, and the session behind it in the directory's object. */
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { base64url } from "../lib/ids.ts";
import { addressOf } from "../workspace/address/address.ts";
import { defaultWorkspace } from "../workspace/accounts/workspaces.ts";
import { directoryStub } from "../workspace/remote.ts";
import { hashKey } from "../store/keys.ts";
import { type AdminAccess, accessOf, askDirectory, settingHash } from "../admin/shared/access.ts";
import { audited } from "../admin/shared/audit.ts";
import { actorOf } from "../admin/shared/caller.ts";
import { countWrongToken, forgetWrongTokens } from "../admin/shared/wrong-tokens.ts";
import type { PageContext } from "./shared/page-context.ts";

const cookie = "gateway_session";

/** How a try to sign in ended. */
export type SignIn =
  | { ok: true }
  | { ok: false; reason: "wrong" }
  /** Too many wrong tokens from this address: whole seconds to wait. */
  | { ok: false; reason: "wait"; seconds: number };

/** Judges a token; a right one opens a session with an id of its own, however many wrong ones came before it. */
export async function signIn(c: PageContext, token: string): Promise<SignIn> {
  const address = addressOf(c.req.raw.headers, c.env);
  const access = await accessOf(c.env, token);
  if (access === undefined || access.kind === "token" || access.kind === "person") {
    const seconds = await countWrongToken(c.env, { address, entry: "page" });
    return seconds > 0 ? { ok: false, reason: "wait", seconds } : { ok: false, reason: "wrong" };
  }
  const directory = directoryStub(c.env);
  const id = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const before = getCookie(c, cookie);
  if (before !== undefined) await directory.closeSession(await hashKey(before));
  const opener = { token: await hashKey(token), scope: access };
  await directory.openSession({ id: await hashKey(id), ...opener });
  await forgetWrongTokens(c.env, address);
  await tellSession(c, access, "session.opened");
  setCookie(c, cookie, id, cookieOptions(c));
  return { ok: true };
}

/** A session of the dashboard. */
export interface Session {
  /** Hash of the id in the cookie. */
  id: string;
  access: AdminAccess;
}

/** The session of this browser while it holds. Questions that a page asks by itself (`active: false`) don't prolong it. */
export async function sessionOf(
  c: PageContext,
  { active }: { active: boolean },
): Promise<Session | undefined> {
  const text = getCookie(c, cookie);
  if (text === undefined || text === "") return undefined;
  const id = await hashKey(text);
  const setting = await settingHash(c.env);
  const access = await askDirectory(c.env, (directory) =>
    directory.useSession({ id, setting, active }),
  );
  return access === undefined ? undefined : { id, access };
}

/** Ends this browser's session and takes its cookie away. */
export async function signOut(c: PageContext): Promise<void> {
  const text = getCookie(c, cookie);
  const session = await sessionOf(c, { active: false });
  if (text !== undefined) await directoryStub(c.env).closeSession(await hashKey(text));
  if (session !== undefined) await tellSession(c, session.access, "session.ended");
  deleteCookie(c, cookie, cookieOptions(c));
}

/** The deployment's own token belongs to the default workspace. */
async function tellSession(
  { env }: PageContext,
  access: AdminAccess,
  action: "session.opened" | "session.ended",
): Promise<void> {
  if (access.kind === "person" || access.kind === "token") return;
  const workspace = access.kind === "workspace" ? access.workspace : defaultWorkspace;
  await audited({ env, workspace }, { actor: actorOf(access), action, target: "dashboard" });
}

function cookieOptions(c: PageContext) {
  return {
    path: "/dashboard",
    httpOnly: true,
    sameSite: "Strict",
    secure: isHttps(c),
  } as const;
}

/** By the request itself, or by the word of a proxy: a wrong word only makes the cookie stricter. */
function isHttps(c: PageContext): boolean {
  return new URL(c.req.url).protocol === "https:" || c.req.header("X-Forwarded-Proto") === "https";
}
