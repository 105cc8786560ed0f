/** Signing in at the tests' company: what is asked of it, what is refused, and what a browser is left with. */
import { describe, expect, it } from "vitest";
import type { Account, Forgery } from "../kit/company-account.ts";
import { callbackFor, visit } from "../kit/company-sign-in.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import { api, base, type Gateway, gatewayWith, newAccount, page, signedIn } from "./kit.ts";

const open = gatewayWith({ SIGN_UP: "open" });

/** Comes back from the company: the status of the callback and its text. */
async function comeBack(
  gateway: Gateway,
  { url, jar }: { url: string; jar: CookieJar },
): Promise<{ status: number; text: string }> {
  const answer = await visit({ url, jar, send: (request) => gateway.send(request) });
  return { status: answer.status, text: await answer.text() };
}

async function tryToSignIn(gateway: Gateway, account: Account, jar = new CookieJar()) {
  const url = await callbackFor(gateway, account, { jar });
  const answer = await comeBack(gateway, { url, jar });
  expect(answer.text).not.toContain(gateway.env.OIDC_CLIENT_SECRET);
  return { ...answer, url, jar };
}

const hasSession = (jar: CookieJar): boolean => jar.value("gateway_session") !== undefined;

describe("signing in", () => {
  it("opens a session and goes on to the page that was asked for", async () => {
    const account = await newAccount();
    const jar = new CookieJar();
    const path = "/auth/login?return=/dashboard/settings%3Ftab=1";
    const url = await callbackFor(open, account, { jar, path });
    const answer = await visit({ url, jar, send: (request) => open.send(request) });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("refresh")).toBe("0; url=/dashboard/settings?tab=1");
    expect(await answer.text()).toContain('href="/dashboard/settings?tab=1"');
    expect((await page(open, "/dashboard/settings", jar)).status).toBe(200);
  });

  it.each(["https://evil.test/", "//evil.test", "/\\evil.test", "javascript:alert(1)", "/%0d%0ax"])(
    "leads to no page elsewhere: %s",
    async (back) => {
      const jar = new CookieJar();
      const path = `/auth/login?return=${encodeURIComponent(back)}`;
      const url = await callbackFor(open, await newAccount(), { jar, path });
      const answer = await visit({ url, jar, send: (request) => open.send(request) });
      const target = new URL(answer.headers.get("refresh")?.slice("0; url=".length) ?? "", base);
      expect(target.origin).toBe(base);
      expect(answer.headers.get("refresh")).not.toMatch(/[\r\n]/);
    },
  );

  it("keeps its state in a Lax cookie that is gone afterwards, and its session in a Strict one", async () => {
    const jar = new CookieJar();
    const url = await callbackFor(open, await newAccount(), { jar });
    const [login = ""] = jar.names();
    expect(jar.attributes(login)).toMatch(/Max-Age=600.*Path=\/auth.*HttpOnly.*SameSite=Lax/);
    await comeBack(open, { url, jar });
    expect(jar.names()).toEqual(["gateway_session"]);
    expect(jar.attributes("gateway_session")).toMatch(/Path=\/;.*HttpOnly.*SameSite=Strict/);
  });

  it("works in two tabs side by side", async () => {
    const account = await newAccount();
    const jar = new CookieJar();
    const first = await callbackFor(open, account, { jar });
    const second = await callbackFor(open, account, { jar });
    expect((await comeBack(open, { url: first, jar })).status).toBe(200);
    expect((await comeBack(open, { url: second, jar })).status).toBe(200);
  });

  it("starts where the identity provider sends the browser back to", async () => {
    const gateway = gatewayWith({ PUBLIC_URL: "https://gateway.example.com" });
    const answer = await gateway.send(new Request(`${base}/auth/login?return=/dashboard/keys`));
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe(
      "https://gateway.example.com/auth/login?return=/dashboard/keys",
    );
  });

  it("is not there without an identity provider", async () => {
    const gateway = gatewayWith({ OIDC_ISSUER: "", OIDC_CLIENT_ID: "", OIDC_CLIENT_SECRET: "" });
    expect((await gateway.send(new Request(`${base}/auth/login`))).status).toBe(404);
  });

  it("says so when the identity provider does not answer", async () => {
    const gateway = gatewayWith({ OIDC_ISSUER: "http://127.0.0.1:9" });
    const answer = await gateway.send(new Request(`${base}/auth/login`));
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain("not reachable");
  });

  it("ends with the session: sign out works from these pages only", async () => {
    const jar = await signedIn(open, await newAccount());
    const url = `${base}/auth/logout`;
    const cookie = jar.header(url);
    const out = (origin: string) =>
      open.send(new Request(url, { method: "POST", headers: { cookie, origin } }));
    expect((await out("https://evil.test")).status).toBe(403);
    expect((await api(open, { path: "/api/me", by: jar.copy() })).status).toBe(200);
    expect((await out(base)).status).toBe(303);
    expect((await api(open, { path: "/api/me", by: jar })).status).toBe(401);
  });
});

describe("what comes back is refused", () => {
  it("when this browser did not start it", async () => {
    const url = await callbackFor(open, await newAccount(), { jar: new CookieJar() });
    const jar = new CookieJar();
    const answer = await comeBack(open, { url, jar });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("not started here");
    expect(hasSession(jar)).toBe(false);
  });

  it("when the state is another one", async () => {
    const jar = new CookieJar();
    const url = new URL(await callbackFor(open, await newAccount(), { jar }));
    url.searchParams.set("state", "A".repeat(43));
    expect((await comeBack(open, { url: url.href, jar })).status).toBe(400);
  });

  it("when the cookie of another sign-in stands under its name", async () => {
    const jar = new CookieJar();
    const account = await newAccount();
    const first = await callbackFor(open, account, { jar });
    const [name = ""] = jar.names();
    const other = new CookieJar();
    await callbackFor(open, account, { jar: other });
    const [foreign = ""] = other.names();
    jar.plant(base, `${name}=${other.value(foreign) ?? ""}; Path=/auth`);
    expect((await comeBack(open, { url: first, jar })).status).toBe(400);
  });

  it("when its issuer is another one", async () => {
    const jar = new CookieJar();
    const url = new URL(await callbackFor(open, await newAccount(), { jar }));
    expect(url.searchParams.get("iss")).toBe(open.env.OIDC_ISSUER);
    url.searchParams.set("iss", "https://evil.test");
    const answer = await comeBack(open, { url: url.href, jar });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("be trusted, so you were not signed in");
  });

  it("when the code is replayed, with or without the cookie", async () => {
    const account = await newAccount();
    const jar = new CookieJar();
    const url = await callbackFor(open, account, { jar });
    const before = jar.copy();
    expect((await comeBack(open, { url, jar })).status).toBe(200);
    expect((await comeBack(open, { url, jar })).status).toBe(400);
    const answer = await comeBack(open, { url, jar: before });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("already used");
  });

  it("when the code is replayed at an identity provider that answers it again", async () => {
    const jar = new CookieJar();
    const url = await callbackFor(open, await newAccount({ forgery: { repeats: true } }), { jar });
    const before = jar.copy();
    expect((await comeBack(open, { url, jar })).status).toBe(200);
    expect((await comeBack(open, { url, jar: before })).status).toBe(400);
    expect(hasSession(before)).toBe(false);
  });

  it("when the code is somebody else's", async () => {
    const mine = new CookieJar();
    const url = new URL(await callbackFor(open, await newAccount(), { jar: mine }));
    const theirs = new URL(await callbackFor(open, await newAccount(), { jar: new CookieJar() }));
    url.searchParams.set("code", theirs.searchParams.get("code") ?? "");
    expect((await comeBack(open, { url: url.href, jar: mine })).status).toBe(400);
    expect(hasSession(mine)).toBe(false);
  });

  it("when the identity provider says no", async () => {
    const jar = new CookieJar();
    const url = new URL(await callbackFor(open, await newAccount(), { jar }));
    url.searchParams.delete("code");
    url.searchParams.set("error", "access_denied");
    const answer = await comeBack(open, { url: url.href, jar });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain("did not sign you in");
  });

  const hour = 3600;
  const now = Math.floor(Date.now() / 1000);
  const forgeries: readonly (readonly [string, Forgery])[] = [
    ["another nonce", { claims: { nonce: "other" } }],
    ["no nonce", { claims: { nonce: null } }],
    ["another audience", { claims: { aud: "other" } }],
    ["a second audience without a party", { claims: { aud: ["gateway", "other"], azp: null } }],
    ["another issuer", { claims: { iss: "https://evil.test" } }],
    ["an end that is over", { claims: { exp: now - hour, iat: now - 2 * hour } }],
    ["no subject", { claims: { sub: null } }],
    ["an empty subject", { claims: { sub: "" } }],
    ["a subject of spaces", { claims: { sub: "  " } }],
    ["a signature by another key", { signed: "stranger" }],
    ["a signature by the client's secret", { signed: "secret" }],
    ["no signature", { signed: "nobody" }],
    ["the signature of other claims", { signed: "before", claims: { email: "ceo@corp.test" } }],
  ];
  it.each(forgeries)("when the ID token has %s", async (_name, forgery) => {
    const answer = await tryToSignIn(open, await newAccount({ forgery }));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("be trusted, so you were not signed in");
    expect(hasSession(answer.jar)).toBe(false);
  });
});

describe("who may sign in", () => {
  it("nobody whose e-mail address is not verified", async () => {
    for (const account of [
      await newAccount({ email_verified: false }),
      await newAccount({ forgery: { claims: { email_verified: "true" } } }),
    ]) {
      const answer = await tryToSignIn(open, account);
      expect(answer.status).toBe(403);
      expect(answer.text).toContain("has not verified your e-mail address");
    }
  });

  it("nobody of another domain", async () => {
    const gateway = gatewayWith({ SIGN_UP: "open", OIDC_ALLOWED_DOMAINS: "corp.test, @b.test" });
    const at = async (domain: string) => {
      const email = `${crypto.randomUUID()}@${domain}`;
      return (await tryToSignIn(gateway, await newAccount({ email }))).status;
    };
    expect([await at("corp.test"), await at("B.test")]).toEqual([200, 200]);
    expect([
      await at("evil.test"),
      await at("corp.test.evil.test"),
      await at("x.corp.test"),
    ]).toEqual([403, 403, 403]);
  });

  it("nobody uninvited, where sign-up is not open", async () => {
    const answer = await tryToSignIn(gatewayWith(), await newAccount());
    expect(answer.status).toBe(403);
    expect(hasSession(answer.jar)).toBe(false);
  });

  it("by the address that one document says is verified, not by another one's", async () => {
    const other = `${crypto.randomUUID()}@corp.test`;
    const account = await newAccount({
      forgery: { claims: { email: other, email_verified: null } },
    });
    const jar = await signedIn(open, account);
    const { body } = await api(open, { path: "/api/me", by: jar });
    expect(body).toMatchObject({ user: { email: account.email } });
  });

  it("nobody as an operator whose subject reads like the address of one", async () => {
    const boss = `${crypto.randomUUID()}@corp.test`;
    const gateway = gatewayWith({ OPERATORS: boss, SIGN_UP: "open" });
    const jar = await signedIn(gateway, await newAccount({ sub: boss }));
    const { body } = await api(gateway, { path: "/api/me", by: jar });
    expect(body).toMatchObject({ role: "owner" });
  });

  it("operators in any case, by subject or by e-mail address", async () => {
    const [one, two] = [await newAccount(), await newAccount()];
    const gateway = gatewayWith({ OPERATORS: `${one.sub}, ${two.email.toUpperCase()}` });
    for (const account of [one, two]) {
      const jar = await signedIn(gateway, account);
      const { body } = await api(gateway, { path: "/api/me", by: jar });
      expect(body).toMatchObject({ role: "operator", workspace: null, workspaces: [] });
      expect((await api(gateway, { path: "/api/workspaces", by: jar })).status).toBe(200);
      expect((await api(gateway, { path: "/api/config", by: jar })).status).toBe(403);
    }
  });
});
