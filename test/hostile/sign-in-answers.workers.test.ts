/** Answers of a sign-in that nobody gave, or not to this browser: none of them signs anybody in. */
import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { directoryStub } from "../../src/workspace/remote.ts";
import type { Account, Forgery } from "../kit/company-account.ts";
import { callbackFor, visit } from "../kit/company-sign-in.ts";
import { CookieJar } from "../kit/cookie-jar.ts";
import { base, changeAccount, gatewayWith, newAccount, page } from "../sign-in/kit.ts";

const gateway = gatewayWith({ SIGN_UP: "open" });
const send = (request: Request) => gateway.send(request);
let account: Account;

beforeEach(async () => {
  account = await newAccount();
});

/** How many people and sessions the directory knows. */
async function known(): Promise<unknown> {
  // The binding's class.
  const stub = directoryStub(gateway.env) as unknown as DurableObjectStub;
  return await runInDurableObject(stub, (_instance, { storage: { sql } }) => {
    const query =
      "SELECT (SELECT COUNT(*) FROM users) AS users, (SELECT COUNT(*) FROM sessions) AS sessions";
    return sql.exec(query).one();
  });
}

/** Visits the callback, and sees that nobody was signed in. */
async function expectRefused(url: string, jar: CookieJar, where = gateway): Promise<void> {
  const before = await known();
  const answer = await visit({ url, jar, send: (request) => where.send(request) });
  const text = await answer.text();
  expect(answer.status, text).toBeGreaterThanOrEqual(400);
  expect(answer.status, text).toBeLessThan(500);
  expect(answer.headers.get("refresh")).toBeNull();
  expect(jar.value("gateway_session")).toBeUndefined();
  expect(await known()).toEqual(before);
  expect((await page(gateway, "/dashboard", jar)).status).toBe(303);
}

const past = Math.floor(Date.now() / 1000) - 3600;
const forgeries: Readonly<Record<string, Forgery>> = {
  "another nonce": { claims: { nonce: "another" } },
  "no nonce": { claims: { nonce: null } },
  "another audience": { claims: { aud: "another" } },
  "no audience": { claims: { aud: null } },
  "several audiences and another party": {
    claims: { aud: ["gateway", "another"], azp: "another" },
  },
  "another issuer": { claims: { iss: "http://127.0.0.1:1" } },
  "an end that is past": { claims: { exp: past, iat: past - 60 } },
  "no end": { claims: { exp: null } },
  "no subject": { claims: { sub: null } },
  "somebody else's subject under the old signature": { claims: { sub: "root" }, signed: "before" },
  "a stranger's signature": { signed: "stranger" },
  "a signature by the client's secret": { signed: "secret" },
  "no signature": { signed: "nobody" },
};

describe("an ID token", () => {
  it.each(Object.entries(forgeries))("with %s signs nobody in", async (_, forgery) => {
    await changeAccount({ ...account, forgery });
    const jar = new CookieJar();
    await expectRefused(await callbackFor(gateway, account, { jar }), jar);
  });
});

const unverified: readonly (readonly [string, Partial<Account>])[] = [
  ["that is not verified", { email_verified: false }],
  ["of which nobody says that it is verified", { claims: { email_verified: null } }],
  ["whose verification is a text", { claims: { email_verified: "true" } }],
  ["that is none", { claims: { email: null } }],
  ["that is a list", { claims: { email: ["a@corp.test"] } }],
  ["without a domain", { email: "root" }],
  ["with two domains", { email: "a@evil.test@corp.test" }],
  ["with spaces", { email: "a @corp.test" }],
];

describe("an e-mail address", () => {
  it.each(unverified)("%s signs nobody in", async (_, more) => {
    await changeAccount({ ...account, ...more });
    const jar = new CookieJar();
    await expectRefused(await callbackFor(gateway, { sub: account.sub }, { jar }), jar);
  });
});

describe("an address that looks like another's", () => {
  /** `K` is the Kelvin sign: in lower case it is a k. */
  const lookAlikes = (name: string): string[] => [
    `\u212A${name}@corp.test`,
    `k${name}@corp.test\u200B`,
    `k${name}\u200B@corp.test`,
    `\uFF4B${name}@corp.test`,
    `k${name}@corp.test.`,
    `\u043A${name}@corp.test`,
  ];

  it("is no operator and has none of their invitations", async () => {
    const name = crypto.randomUUID().slice(0, 8);
    const strict = gatewayWith({ SIGN_UP: "invited", OPERATORS: `k${name}@corp.test` });
    for (const email of lookAlikes(name)) {
      const { sub } = await newAccount({ email });
      const jar = new CookieJar();
      await expectRefused(await callbackFor(strict, { sub }, { jar }), jar, strict);
    }
    const { sub } = await newAccount({ email: `K${name}@Corp.Test` });
    const jar = new CookieJar();
    const url = await callbackFor(strict, { sub }, { jar });
    expect((await visit({ url, jar, send: (request) => strict.send(request) })).status).toBe(200);
  });
});

describe("sign-ins that fail", () => {
  const behindProxy = gatewayWith({ SIGN_UP: "open", TRUSTED_IP_HEADER: "x-address" });
  const places = [
    ["where no address is known", gateway, {}],
    ["at their own address", behindProxy, { "x-address": "192.0.2.9" }],
  ] as const;

  /** A sign-in of this browser comes back with a code that is none. */
  async function failed(where: typeof gateway, headers: Record<string, string>): Promise<number> {
    const jar = new CookieJar();
    const started = await where.send(new Request(`${base}/auth/login`, { headers }));
    jar.take(`${base}/auth/login`, started);
    const state = new URL(started.headers.get("location") ?? "").searchParams.get("state") ?? "";
    const answer = new URLSearchParams({ state, code: "forged", iss: where.env.OIDC_ISSUER ?? "" });
    const url = `${base}/auth/callback?${answer.toString()}`;
    return (await visit({ url, jar, headers, send: (request) => where.send(request) })).status;
  }

  it.each(places)("without a state lock out nobody %s", async (_, where, headers) => {
    const jar = new CookieJar();
    const url = await callbackFor(where, account, { jar });
    for (let tries = 0; tries < 400; tries += 1) {
      const forged = `${base}/auth/callback?code=forged&state=forged${tries}`;
      const options = { jar: new CookieJar(), headers, send: (one: Request) => where.send(one) };
      expect((await visit({ url: forged, ...options })).status).toBe(400);
    }
    const good = { url, jar, headers, send: (one: Request) => where.send(one) };
    expect((await visit(good)).status).toBe(200);
  });

  it.each(places)("with bad codes lock out nobody %s", async (_, where, headers) => {
    for (let tries = 0; tries < 40; tries += 1) expect(await failed(where, headers)).toBe(400);
    const jar = new CookieJar();
    const url = await callbackFor(where, account, { jar });
    const good = { url, jar, headers, send: (one: Request) => where.send(one) };
    expect((await visit(good)).status).toBe(200);
  });

  it("take turns at an address with many of them, and whoever waits is not turned away", async () => {
    const headers = { "x-address": "192.0.2.10" };
    for (let tries = 0; tries < 30; tries += 1)
      expect(await failed(behindProxy, headers)).toBe(400);
    const jars = [new CookieJar(), new CookieJar(), new CookieJar()];
    const signIns = await Promise.all(
      jars.map(async (jar) => ({ jar, url: await callbackFor(behindProxy, account, { jar }) })),
    );
    const comeBack = async ({ jar, url }: { jar: CookieJar; url: string }) =>
      (await visit({ url, jar, headers, send: (request) => behindProxy.send(request) })).status;
    const first = await Promise.all(signIns.map(comeBack));
    expect(new Set(first)).toEqual(new Set([200, 429]));
    const waiting = signIns.filter((_, index) => first[index] === 429);
    for (const one of waiting) expect(await comeBack(one)).toBe(200);
  });

  it("ask the identity provider once, whatever code comes under their state", async () => {
    const jar = new CookieJar();
    const url = await callbackFor(gateway, account, { jar });
    const bad = new URL(url);
    bad.searchParams.set("code", "forged");
    await expectRefused(bad.href, jar.copy());
    await expectRefused(url, jar.copy());
  });
});

/** Changes to the address of the callback. */
const addresses: readonly (readonly [string, (query: URLSearchParams) => void])[] = [
  ["another state", (query) => query.set("state", "another")],
  ["no state", (query) => query.delete("state")],
  ["two states", (query) => query.append("state", "another")],
  ["another code", (query) => query.set("code", "another")],
  ["no code", (query) => query.delete("code")],
  ["two codes", (query) => query.append("code", "another")],
  ["another issuer", (query) => query.set("iss", "http://127.0.0.1:1")],
  ["no issuer", (query) => query.delete("iss")],
  ["an error", (query) => query.set("error", "access_denied")],
  ["an ID token beside the code", (query) => query.set("id_token", "e30.e30.")],
  ["a response of another kind", (query) => query.set("response", "e30.e30.")],
];

describe("an address of the callback", () => {
  it.each(addresses)("with %s signs nobody in", async (_, change) => {
    const jar = new CookieJar();
    const url = new URL(await callbackFor(gateway, account, { jar }));
    change(url.searchParams);
    await expectRefused(url.href, jar);
  });

  it("works once", async () => {
    const jar = new CookieJar();
    const url = await callbackFor(gateway, account, { jar });
    const before = jar.copy();
    expect((await visit({ url, jar, send })).status).toBe(200);
    const again = jar.copy();
    again.plant(base, "gateway_session=; Path=/; Max-Age=0");
    await expectRefused(url, again);
    await expectRefused(url, before);
  });

  it("is worth nothing in another browser, whatever sign-in is under way there", async () => {
    const url = await callbackFor(gateway, account, { jar: new CookieJar() });
    await expectRefused(url, new CookieJar());
    const other = new CookieJar();
    await callbackFor(gateway, await newAccount(), { jar: other });
    await expectRefused(url, other);
  });

  it("does not take the cookie of another sign-in for its own", async () => {
    const [mine, theirs] = [new CookieJar(), new CookieJar()];
    const url = await callbackFor(gateway, account, { jar: mine });
    await callbackFor(gateway, await newAccount(), { jar: theirs });
    const [name = ""] = mine.names();
    const [theirName = ""] = theirs.names();
    const jar = new CookieJar();
    jar.plant(`${base}/auth/login`, `${name}=${theirs.value(theirName)}; Path=/auth`);
    await expectRefused(url, jar);
  });

  it("brings the code of one sign-in under the state of another to nobody", async () => {
    const jar = new CookieJar();
    const [one, two] = [
      new URL(await callbackFor(gateway, account, { jar })),
      new URL(await callbackFor(gateway, await newAccount(), { jar })),
    ];
    one.searchParams.set("code", two.searchParams.get("code") ?? "");
    await expectRefused(one.href, jar);
  });
});

describe("where a sign-in goes on to", () => {
  const elsewhere = [
    "//evil.test",
    "/.//evil.test",
    "/x/..//evil.test",
    "/x/../..//evil.test",
    "/%2e//evil.test",
    "/%2E%2E//evil.test",
    "/\\evil.test",
    "\\\\evil.test",
    "/\t/evil.test",
    "http://evil.test",
    "https:evil.test",
    "javascript:alert(1)",
    "data:text/html,x",
    "@evil.test",
    ".evil.test",
    "/dashboard;url=http://evil.test",
    "/dashboard\r\nX-More: 1",
    "/ /evil.test",
  ];

  it.each(elsewhere)("is never %j", async (target) => {
    const jar = new CookieJar();
    const path = `/auth/login?return=${encodeURIComponent(target)}`;
    const url = await callbackFor(gateway, account, { jar, path });
    const answer = await visit({ url, jar, send });
    const place = /^0; url=(.*)$/.exec(answer.headers.get("refresh") ?? "")?.[1] ?? "";
    expect(new URL(place, base).origin, place).toBe(base);
    const [, link = ""] = /<a[^>]* href="([^"]*)"/.exec(await answer.text()) ?? [];
    expect(new URL(link.replaceAll("&amp;", "&"), base).origin, link).toBe(base);
  });
});
