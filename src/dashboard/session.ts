/** Signing in to the dashboard with an administrator's token, and the session of a page's request. */
import {
  endSession,
  openTokenSession,
  type Session,
  browserSession,
} from "../admin/shared/credentials/session.ts";
import { judgeToken } from "../admin/shared/credentials/judge-token.ts";
import { tellSession } from "../admin/shared/session-events.ts";
import { countWrongToken, forgetWrongTokens } from "../admin/shared/credentials/wrong-tokens.ts";
import { addressOf } from "../workspace/address/address.ts";
import type { PageContext } from "./shared/page-context.ts";

export type { Session } from "../admin/shared/credentials/session.ts";

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
  setCookies(c, await openTokenSession(browserOf(c), { token, access }));
  forgetWrongTokens(address);
  await tellSession(c.env, access, { action: "session.opened", target: "dashboard" });
  return { ok: true };
}

function refused(seconds: number): SignIn {
  return seconds > 0 ? { ok: false, reason: "wait", seconds } : { ok: false, reason: "wrong" };
}

/** The session of this browser while it holds. Questions that a page asks by itself (`active: false`) don't prolong it. */
export async function sessionOf(
  c: PageContext,
  use: { active: boolean },
): Promise<Session | undefined> {
  const found = await browserSession(browserOf(c), use);
  setCookies(c, found?.cookies ?? []);
  return found?.session;
}

/** Ends this browser's session and takes its cookie away. */
export async function signOut(c: PageContext): Promise<void> {
  const found = await browserSession(browserOf(c), { active: false });
  setCookies(c, await endSession(browserOf(c)));
  const ended = { action: "session.ended", target: "dashboard" } as const;
  if (found !== undefined) await tellSession(c.env, found.session.access, ended);
}

function browserOf(c: PageContext) {
  return { env: c.env, request: c.req.raw };
}

function setCookies(c: PageContext, cookies: readonly string[]): void {
  for (const text of cookies) c.header("Set-Cookie", text, { append: true });
}
