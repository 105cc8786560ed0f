/** The sign-in of people: to the identity provider, back from it, and out. */
import { type Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { parse, serialize } from "hono/utils/cookie";
import * as oauth from "oauth4webapi";
import { endSession, browserSession } from "../admin/shared/credentials/session.ts";
import { isHttps } from "../lib/same-origin.ts";
import { tellSession } from "../admin/shared/session-events.ts";
import { ownOrigin } from "../admin/shared/own-origin.ts";
import { askDirectory } from "../admin/shared/credentials/access.ts";
import { boundedBytes } from "../admin/shared/request-body.ts";
import type { Env } from "../store/env.ts";
import { type OidcSettings, oidcOf } from "../store/oidc-settings.ts";
import { addressOf } from "../workspace/address/address.ts";
import { enter, type Entry } from "./enter.ts";
import { costsACall, faultPage, SignInRefused, turnPage } from "./faults.ts";
import { ownHostOnly, safeHeaders, sameOriginOnly } from "./guard.ts";
import { authorizationUrl, claimsFrom } from "./identity-provider.ts";
import { identityOf } from "./identity.ts";
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
import { answeringGuest, notJoinedPage, offerPage } from "./offer.ts";
import { beginTry, endTry, takeBackTry } from "./tries.ts";

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
  app.post("/join", async (c) => show(c, await answerOffer(c)));
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
  const login = await returned(c);
  const one = { address: addressOf(c.req.raw.headers, c.env), state: login.state };
  const began = Date.now();
  if (beginTry(one, began) === "wait") {
    c.header("Retry-After", "1");
    c.header("Refresh", "1");
    return turnPage;
  }
  await takeLoginCookie(c, login.state);
  try {
    const message = await signedIn(c, settings, login);
    takeBackTry(one, began);
    return message;
  } catch (error) {
    if (!(error instanceof SignInRefused && costsACall(error.fault))) takeBackTry(one, began);
    throw error;
  } finally {
    endTry(one);
  }
}

async function signedIn(
  c: SignInContext,
  settings: OidcSettings,
  login: LoginState,
): Promise<SignInMessage> {
  const answer = new URL(login.redirect);
  answer.search = new URL(c.req.url).search;
  const identity = identityOf(settings, await claimsFrom(settings, login, answer));
  const { state, back, invitation } = login;
  const entry = { settings, identity, login };
  if (invitation === null) return await entered(c, entry, back);
  const guest = { identity, login: { state, back, invitation }, shown: Date.now() };
  return (await offerPage(c.env, guest)) ?? (await entered(c, entry, back));
}

/** Whoever was asked has answered: only "join" uses the invitation. Throws SignInRefused. */
async function answerOffer(c: SignInContext): Promise<SignInMessage> {
  const settings = settingsFor(c.env);
  const text = new TextDecoder().decode(await boundedBytes(c.req.raw));
  const form = new URLSearchParams(text);
  const given = { sealed: form.get("guest") ?? "", now: Date.now() };
  const { identity, login } = await answeringGuest(c.env, given);
  if (form.get("answer") !== "join") return notJoinedPage;
  return await entered(c, { settings, identity, login }, login.back);
}

/** Opens their session, which goes on at `back`. */
async function entered(c: SignInContext, entry: Entry, back: string): Promise<SignInMessage> {
  const { env } = c;
  const { person, cookies } = await enter({ env, request: c.req.raw }, entry);
  for (const text of cookies) c.header("Set-Cookie", text, { append: true });
  // Browsers send the session's cookie to a page that is reached from this one, not from the identity provider's.
  c.header("Refresh", `0; url=${back}`);
  const memberships = await askDirectory(env, (directory) => directory.memberships(person.id));
  const opened = { action: "session.opened", target: "dashboard" } as const;
  c.executionCtx.waitUntil(tellSession(env, { kind: "person", person, memberships }, opened));
  return {
    status: 200,
    title: "Signed in",
    words: [`You are signed in as ${person.email}.`],
    link: { href: back, label: "Continue" },
  };
}

/** The sign-in that this browser started. One that cannot be its own loses its cookie. */
async function returned(c: SignInContext): Promise<LoginState> {
  const state = c.req.query("state") ?? "";
  const sealed = getCookie(c, await loginCookieName(state));
  try {
    return await openedLogin(c.env, { sealed, state, now: Date.now() });
  } catch (error) {
    if (sealed !== undefined) await takeLoginCookie(c, state);
    throw error;
  }
}

async function takeLoginCookie(c: SignInContext, state: string): Promise<void> {
  setLoginCookie(c, { name: await loginCookieName(state), value: "", maxAge: 0 });
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
