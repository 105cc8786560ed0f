/** Forged administrators' tokens and sessions cost no call of the directory, which everybody's sign-in needs. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { base64url } from "../../src/lib/ids.ts";
import { makeAdminToken, makeSessionId } from "../../src/store/admin-tokens.ts";
import type { Env } from "../../src/store/env.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import worker from "../../src/worker.ts";

/** Calls of methods of the directory's object. */
let calls = 0;

/** The same namespace; every call of its object is counted. */
function counted(namespace: DurableObjectNamespace): DurableObjectNamespace {
  const watched = (stub: object): object =>
    new Proxy(stub, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...given: unknown[]) => {
          calls += 1;
          return Reflect.apply(member, target, given) as unknown;
        };
      },
    });
  return new Proxy(namespace, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...given: unknown[]) => {
        const made = Reflect.apply(member, target, given) as object;
        return name === "get" || name === "getByName" ? watched(made) : made;
      };
    },
  });
}

// The pool gives the bindings of wrangler.toml, which Env describes.
const plain = bindings as unknown as Env;
const header = "x-test-address";
const env: Env = {
  ...plain,
  DIRECTORY: counted(plain.DIRECTORY),
  TRUSTED_IP_HEADER: header,
};

let address = "";
let addresses = 0;

beforeEach(() => {
  calls = 0;
  address = `192.0.2.${(addresses += 1)}`;
});

async function ask(path: string, init: RequestInit): Promise<Response> {
  const request = new Request(`http://127.0.0.1${path}`, { redirect: "manual", ...init });
  request.headers.set(header, address);
  const context = createExecutionContext();
  const answer = await worker.fetch(request, env, context);
  await answer.arrayBuffer();
  await waitOnExecutionContext(context);
  return answer;
}

const bring = (token: string): Promise<Response> =>
  ask("/api/config", { headers: { authorization: `Bearer ${token}` } });

const signIn = (token: string): Promise<Response> =>
  ask("/dashboard/sign-in", {
    method: "POST",
    headers: { origin: "http://127.0.0.1" },
    body: new URLSearchParams({ token }),
  });

const look = (session: string): Promise<Response> =>
  ask("/dashboard", { headers: { cookie: `gateway_session=${session}` } });

/** Ten thousand, fifty side by side; how often each status came. */
async function flood(send: (index: number) => Promise<Response>) {
  const statuses: Record<number, number> = {};
  for (let sent = 0; sent < 10_000; sent += 50) {
    const side = Array.from({ length: 50 }, (_, index) => send(sent + index));
    for (const { status } of await Promise.all(side))
      statuses[status] = (statuses[status] ?? 0) + 1;
  }
  return statuses;
}

/** Of the version before: random bytes alone. */
const unchecked = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));
/** Everything right but the check. */
const altered = (text: string, index: number): string =>
  text.slice(0, 12) + String(index).padStart(6, "A") + text.slice(18);

describe("ten thousand wrong tokens", () => {
  it("of the form that is made here cost the directory no call", async () => {
    const token = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
    const statuses = await flood((index) => bring(altered(token, index)));
    expect(statuses).toEqual({ 401: 50, 429: 9950 });
    expect(calls).toBe(0);
  });

  it("of the version before's form cost at most the tries that an address has", async () => {
    expect(await flood(() => bring(`gwa_${unchecked()}`))).toEqual({ 401: 50, 429: 9950 });
    expect(calls).toBe(50);
  });

  it("that guess at the setting cost none", async () => {
    expect(await flood((index) => bring(`guess-${index}`))).toEqual({ 429: 9950, 401: 50 });
    expect(calls).toBe(0);
  });

  it("at the sign-in page cost none, and the sixth waits", async () => {
    const token = await makeAdminToken(await keyringOf(env.ENCRYPTION_KEY));
    const statuses = await flood((index) => signIn(altered(token, index)));
    expect(statuses).toEqual({ 401: 5, 429: 9995 });
    expect(calls).toBe(0);
  });
});

describe("ten thousand wrong sessions", () => {
  it("of the form that is made here cost the directory no call", async () => {
    const session = await makeSessionId(await keyringOf(env.ENCRYPTION_KEY));
    await flood((index) => look(altered(session, index)));
    expect(calls).toBe(0);
  });

  it("of the version before's form cost at most the tries that an address has", async () => {
    await flood(() => look(unchecked()));
    expect(calls).toBe(50);
  });
});

describe("a right token", () => {
  /** A workspace's own. */
  async function ownToken(): Promise<{ id: string; token: string }> {
    const request = new Request("http://127.0.0.1/api/workspaces", {
      method: "POST",
      headers: { authorization: `Bearer ${env.ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "one" }),
    });
    const answer = await worker.fetch(request, env, createExecutionContext());
    const made = await answer.json<{ id: string; admin_token: string }>();
    return { id: made.id, token: made.admin_token };
  }

  it("works at once from an address without tries left", async () => {
    const { token } = await ownToken();
    for (let sent = 0; sent < 60; sent += 1) await bring(altered(token, sent));
    for (const right of [token, env.ADMIN_TOKEN]) expect((await bring(right)).status).toBe(200);
  });

  it("costs one call when it was replaced, however often it is brought", async () => {
    const { token } = await ownToken();
    await ask("/api/admin-token", {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    calls = 0;
    const statuses = new Set<number>();
    for (let sent = 0; sent < 100; sent += 1) statuses.add((await bring(token)).status);
    expect([...statuses]).toEqual([401, 429]);
    expect(calls).toBe(1);
  });

  it("of the version before still works, and where it is known also without tries left", async () => {
    const { id } = await ownToken();
    const token = `gwa_${unchecked()}`;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
    const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0"));
    const directory = plain.DIRECTORY.get(plain.DIRECTORY.idFromName("directory"));
    // The object's method, whose types the namespace does not carry.
    await (directory as unknown as { replaceToken(change: object): Promise<void> }).replaceToken({
      scope: { kind: "workspace", workspace: id },
      hash: hash.join(""),
      setting: null,
      keep: null,
    });
    expect((await bring(token)).status).toBe(200);
    for (let sent = 0; sent < 60; sent += 1) await bring(`gwa_${unchecked()}`);
    expect((await bring(`gwa_${unchecked()}`)).status).toBe(429);
    expect((await bring(token)).status).toBe(200);
  });
});
