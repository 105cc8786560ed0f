/** Signing in and out: the cookie, and the session behind it in the directory's object. */
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { addressOf } from "../workspace/address/address.ts";
import { directoryStub } from "../workspace/remote.ts";
import { makeSessionId, provenSessionId } from "../store/admin-tokens.ts";
import { keyringOf } from "../store/keyring.ts";
import { hashKey } from "../store/keys.ts";
import { type AdminAccess, askDirectory, settingHash } from "../admin/shared/access.ts";
import { judgeToken } from "../admin/shared/judge-token.ts";
import {
  countWrongToken,
  forgetWrongTokens,
  lookedUpWithTries,
} from "../admin/shared/wrong-tokens.ts";
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
  const bringer = { address, entry: "page" } as const;
  const judged = await judgeToken(c.env, token, bringer);
  if (judged.found === undefined) return refused(judged.wait);
  const access = judged.found;
  if (access.kind === "token" || access.kind === "person") return refused(countWrongToken(bringer));
  const directory = directoryStub(c.env);
  const id = await makeSessionId(await keyringOf(c.env.ENCRYPTION_KEY));
  const before = getCookie(c, cookie);
  if (before !== undefined) await directory.closeSession(await hashKey(before));
  const opener = { token: await hashKey(token), scope: access };
  await directory.openSession({ id: await hashKey(id), ...opener });
  forgetWrongTokens(address);
  setCookie(c, cookie, id, cookieOptions(c));
  return { ok: true };
}

function refused(seconds: number): SignIn {
  return seconds > 0 ? { ok: false, reason: "wait", seconds } : { ok: false, reason: "wrong" };
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
  const lookUp = async () => {
    const use = { id, setting, active };
    const access = await askDirectory(c.env, (directory) => directory.useSession(use));
    return access === undefined ? undefined : { id, access };
  };
  const proven = await provenSessionId(text, await keyringOf(c.env.ENCRYPTION_KEY));
  if (proven === "proven") return await lookUp();
  if (proven !== "unproven") return undefined;
  // Opened by the version before.
  const address = addressOf(c.req.raw.headers, c.env);
  return (await lookedUpWithTries({ address, entry: "session" }, lookUp)).found;
}

/** Ends this browser's session and takes its cookie away. */
export async function signOut(c: PageContext): Promise<void> {
  const text = getCookie(c, cookie);
  if (text !== undefined) await directoryStub(c.env).closeSession(await hashKey(text));
  deleteCookie(c, cookie, cookieOptions(c));
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
