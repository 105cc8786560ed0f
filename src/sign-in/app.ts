/** The sign-in of people: to the identity provider, back from it, and out. */
import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { parse, serialize } from "hono/utils/cookie";
import * as oauth from "oauth4webapi";
import { endSession, isHttps, browserSession } from "../admin/shared/session.ts";
import { tellSession } from "../admin/shared/session-events.ts";
import { ownOrigin } from "../admin/shared/own-origin.ts";
import { askDirectory } from "../admin/shared/access.ts";
import type { Env } from "../store/env.ts";
import { type OidcSettings, oidcOf } from "../store/oidc-settings.ts";
import { addressOf } from "../workspace/address/address.ts";
import { enter } from "./enter.ts";
import { countFailure, failureWait } from "./failures.ts";
import { faultPage, isCallersFault, SignInRefused, waitPage } from "./faults.ts";
import { ownHostOnly, safeHeaders, sameOriginOnly } from "./guard.ts";
import { authorizationUrl, claimsFrom } from "./identity-provider.ts";
import {
  loginCookieName,
  loginCookies,
  type LoginState,
  loginTime,
  openedLogin,
  sealedLogin,
} from "./login-state.ts";
import { isElsewhere, ownPath } from "./own-address.ts";
import type { MessageWriter, SignInMessage } from "./message.ts";

type SignInContext = Context<{ Bindings: Env }>;

/** What a browser is shown when nothing else was asked for. */
const home = "/dashboard";
/** Sign-ins of one browser that may be under way: their cookies must fit into a header. */
const mostLogins = 5;

/** Mounted at the root: its paths are `/auth/…`. `write` makes its messages look like the dashboard's pages. */
export function signInApp(write: MessageWriter): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>().basePath("/auth");
  const show = async (c: SignInContext, page: SignInMessage): Promise<Response> =>
    c.html(await write(page), page.status);
  app.onError((error, c) => {
    if (error instanceof SignInRefused) return show(c, faultPage(error.fault));
    throw error;
  });
  app.use("*", safeHeaders);
  app.use("*", ownHostOnly);
  app.use("*", sameOriginOnly);
  app.get("/login", beginLogin);
  app.get("/callback", async (c) => show(c, await finishLogin(c)));
  app.post("/logout", logOut);
  return app;
}

/** Sends the browser to the identity provider. */
async function beginLogin(c: SignInContext): Promise<Response> {
  const settings = settingsFor(c.env);
  const { search } = new URL(c.req.url);
  const origin = ownOrigin(c.env, c.req.raw);
  // The cookie of this sign-in has to be where the identity provider sends the browser back to.
  if (isElsewhere(c.env, c.req.raw)) return c.redirect(`${origin}/auth/login${search}`, 302);
  const login: LoginState = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
    redirect: `${origin}/auth/callback`,
    back: ownPath(c.req.query("return"), home),
    invitation: c.req.query("invitation") ?? null,
    started: Date.now(),
  };
  const target = await authorizationUrl(settings, login);
  forgetOldLogins(c);
  const name = await loginCookieName(login.state);
  setLoginCookie(c, { name, value: await sealedLogin(c.env, login), maxAge: loginTime });
  return c.redirect(target, 302);
}

/** The identity provider sent the browser back. Throws SignInRefused. */
async function finishLogin(c: SignInContext): Promise<SignInMessage> {
  const settings = settingsFor(c.env);
  const address = addressOf(c.req.raw.headers, c.env);
  const wait = failureWait(address, Date.now());
  if (wait > 0) {
    c.header("Retry-After", String(wait));
    return waitPage(wait);
  }
  try {
    return await signedIn(c, settings);
  } catch (error) {
    if (error instanceof SignInRefused && isCallersFault(error.fault))
      countFailure(address, error.fault, Date.now());
    throw error;
  }
}

async function signedIn(c: SignInContext, settings: OidcSettings): Promise<SignInMessage> {
  const { env } = c;
  const request = c.req.raw;
  const login = await returned(c);
  const answer = new URL(login.redirect);
  answer.search = new URL(request.url).search;
  const claims = await claimsFrom(settings, login, answer);
  const { person, cookies } = await enter({ env, request }, { settings, claims, login });
  for (const text of cookies) c.header("Set-Cookie", text, { append: true });
  // Browsers send the session's cookie to a page that is reached from this one, not from the identity provider's.
  c.header("Refresh", `0; url=${login.back}`);
  const memberships = await askDirectory(env, (directory) => directory.memberships(person.id));
  const opened = { action: "session.opened", target: "dashboard" } as const;
  c.executionCtx.waitUntil(tellSession(env, { kind: "person", person, memberships }, opened));
  return {
    status: 200,
    title: "Signed in",
    words: [`You are signed in as ${person.email}.`],
    link: { href: login.back, label: "Continue" },
  };
}

/** The sign-in that this browser started; its cookie is taken away, whatever comes of it. */
async function returned(c: SignInContext): Promise<LoginState> {
  const state = c.req.query("state") ?? "";
  const name = await loginCookieName(state);
  const sealed = getCookie(c, name);
  if (sealed !== undefined) setLoginCookie(c, { name, value: "", maxAge: 0 });
  return await openedLogin(c.env, { sealed, state, now: Date.now() });
}

async function logOut(c: SignInContext): Promise<Response> {
  const browser = { env: c.env, request: c.req.raw };
  const found = await browserSession(browser, { active: false });
  for (const text of await endSession(browser)) c.header("Set-Cookie", text, { append: true });
  const ended = { action: "session.ended", target: "dashboard" } as const;
  if (found !== undefined)
    c.executionCtx.waitUntil(tellSession(c.env, found.session.access, ended));
  return c.redirect("/dashboard/sign-in", 303);
}

function settingsFor(env: Env): OidcSettings {
  const settings = oidcOf(env);
  if (settings === null) throw new SignInRefused("off");
  return settings;
}

/** The oldest of too many sign-ins that never came back. */
function forgetOldLogins(c: SignInContext): void {
  const names = loginCookies(Object.keys(parse(c.req.header("Cookie") ?? "")));
  for (const name of names.slice(0, Math.max(0, names.length - mostLogins + 1)))
    setLoginCookie(c, { name, value: "", maxAge: 0 });
}

function setLoginCookie(
  c: SignInContext,
  { name, value, maxAge }: { name: string; value: string; maxAge: number },
): void {
  const secure = isHttps(c.req.raw);
  const options = { path: "/auth", maxAge, httpOnly: true, sameSite: "Lax", secure } as const;
  c.header("Set-Cookie", serialize(name, value, options), { append: true });
}
