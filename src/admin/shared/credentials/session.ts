/** Sessions of browsers: the cookie, and what stands behind it in the directory's object. */
import { parse, serialize } from "hono/utils/cookie";
import { isHttps } from "../../../lib/same-origin.ts";
import { makeSessionId, provenSessionId } from "../../../store/admin-tokens.ts";
import type { Env } from "../../../store/env.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { hashKey } from "../../../store/keys.ts";
import { oidcOf } from "../../../store/oidc-settings.ts";
import type { PlainScope } from "../../../workspace/accounts/tables/scope.ts";
import type { ResumedSession, SessionResume } from "../../../workspace/accounts/tables/sessions.ts";
import { addressOf } from "../../../workspace/address/address.ts";
import { Memory } from "../../../workspace/memory.ts";
import { type AdminAccess, askDirectory, settingHash } from "./access.ts";
import { lookedUpWithTries } from "./wrong-tokens.ts";

const cookieName = "gateway_session";
/** The version before kept its cookie to these pages; browsers would send that one first. */
const pathBefore = "/dashboard";
/** Characters of a browser's name that are kept. */
const longestAgent = 200;

/** Milliseconds for which a session that has ended is not looked up again. */
const refusedFor = 60_000;
/** Sessions that held no more, and epoch ms until which that is remembered. */
const refusedUntil = new Memory<number>(1000);

/** A request of a browser. */
export interface BrowserRequest {
  readonly env: Env;
  readonly request: Request;
}

/** A session that holds. */
export interface Session {
  /** `ses_…`; from an object of the version before, the hash of the id in the cookie. */
  readonly id: string;
  readonly access: AdminAccess;
}

/** A session, and the cookies (values of `Set-Cookie`) that the answer carries. */
export interface SessionAnswer {
  readonly session: Session;
  readonly cookies: readonly string[];
}

/** The session of this browser while it holds. Questions that a page asks by itself (`active: false`) don't prolong it. */
export async function browserSession(
  browser: BrowserRequest,
  { active }: { active: boolean },
): Promise<SessionAnswer | undefined> {
  const { env, request } = browser;
  const text = sessionText(request);
  if (text === undefined) return undefined;
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const proven = await provenSessionId(text, ring);
  if (proven === "forged" || proven === "foreign") return undefined;
  const next = await makeSessionId(ring);
  const lookUp = async () => {
    const found = await resumed(env, { text, next, active });
    return found && { session: found, cookies: found.rotated ? newCookies(request, next) : [] };
  };
  if (proven === "proven") return await lookUp();
  // Opened by the version before, or with an encryption key that has been dropped.
  const address = addressOf(request.headers, env);
  return (await lookedUpWithTries({ address, entry: "session" }, lookUp)).found;
}

async function resumed(
  env: Env,
  { text, next, active }: { text: string; next: string; active: boolean },
): Promise<(Session & { rotated: boolean }) | undefined> {
  const use: SessionResume = {
    id: await hashKey(text),
    next: await hashKey(next),
    setting: await settingHash(env),
    issuer: oidcOf(env)?.issuer.href ?? null,
    active,
  };
  // What a session is worth depends on these settings.
  const refused = [use.id, use.setting, use.issuer].join(" ");
  if ((refusedUntil.get(refused) ?? 0) > Date.now()) return undefined;
  const found = await resumedOrUsed(env, use);
  if (found === undefined) refusedUntil.set(refused, Date.now() + refusedFor);
  return found && { id: found.handle, access: found.scope, rotated: found.rotated };
}

/** An object of the version before, which a roll-out meets for minutes, changes no ids. */
async function resumedOrUsed(env: Env, use: SessionResume): Promise<ResumedSession | undefined> {
  try {
    return await askDirectory(env, (directory) => directory.resumeSession(use));
  } catch (error) {
    if (!String(error).includes("does not implement")) throw error;
    const scope = await askDirectory(env, (directory) => directory.useSession(use));
    return scope && { handle: use.id, scope, rotated: false };
  }
}

/** A new session's id, as its browser and as the directory get it. */
export interface NewSessionId {
  readonly hash: string;
  /** Values of `Set-Cookie`. */
  readonly cookies: readonly string[];
  /** The browser, as it names itself. */
  readonly agent: string;
}

/** An id for a session that is about to be opened. */
export async function newSessionId({ env, request }: BrowserRequest): Promise<NewSessionId> {
  const id = await makeSessionId(await keyringOf(env.ENCRYPTION_KEY));
  return {
    hash: await hashKey(id),
    cookies: newCookies(request, id),
    agent: (request.headers.get("User-Agent") ?? "").slice(0, longestAgent),
  };
}

/** Opens a session for whoever brought this token, in the place of the one that the browser had. */
export async function openTokenSession(
  browser: BrowserRequest,
  { token, access }: { token: string; access: PlainScope },
): Promise<readonly string[]> {
  await endSession(browser);
  const { hash, cookies, agent } = await newSessionId(browser);
  const session = { id: hash, token: await hashKey(token), scope: access, agent };
  await askDirectory(browser.env, (directory) => directory.openSession(session));
  return cookies;
}

/** Ends this browser's session; the cookies that take its id away. */
export async function endSession({ env, request }: BrowserRequest): Promise<readonly string[]> {
  const text = sessionText(request);
  if (text !== undefined) {
    const id = await hashKey(text);
    await askDirectory(env, (directory) => directory.closeSession(id));
  }
  return [setCookie(request, "", { path: "/", maxAge: 0 }), cookieBeforeGone(request)];
}

/** Whether the browser has a session's cookie at all. */
export function hasSessionCookie(request: Request): boolean {
  return sessionText(request) !== undefined;
}

function sessionText(request: Request): string | undefined {
  const text = parse(request.headers.get("Cookie") ?? "", cookieName)[cookieName];
  return text === undefined || text === "" ? undefined : text;
}

function newCookies(request: Request, id: string): string[] {
  return [setCookie(request, id, { path: "/" }), cookieBeforeGone(request)];
}

function cookieBeforeGone(request: Request): string {
  return setCookie(request, "", { path: pathBefore, maxAge: 0 });
}

function setCookie(
  request: Request,
  value: string,
  place: { path: string; maxAge?: number },
): string {
  // A proxy's wrong word only makes the cookie stricter.
  const secure = isHttps(request);
  return serialize(cookieName, value, { ...place, httpOnly: true, sameSite: "Strict", secure });
}
