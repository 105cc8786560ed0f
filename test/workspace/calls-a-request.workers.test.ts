/** What a request asks of the platform: docs/scale.md and the bill follow from these counts. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { Env } from "../../src/store/env.ts";
import worker from "../../src/worker.ts";

/** Calls by binding, RPC methods of objects and methods of KV. */
let calls: Record<string, number> = {};

function counting<Target extends object>(target: Target, name: string): Target {
  return new Proxy(target, {
    get(inner, member) {
      const value: unknown = Reflect.get(inner, member);
      if (typeof value !== "function" || typeof member !== "string") return value;
      return (...given: unknown[]) => {
        const called = `${name}.${member}`;
        calls[called] = (calls[called] ?? 0) + 1;
        return Reflect.apply(value, inner, given) as unknown;
      };
    },
  });
}

/** The namespace with objects whose calls are counted. */
function namespace(target: DurableObjectNamespace, name: string): DurableObjectNamespace {
  return new Proxy(target, {
    get(inner, member) {
      const value: unknown = Reflect.get(inner, member);
      if (typeof value !== "function") return value;
      return (...given: unknown[]) => {
        const made: unknown = Reflect.apply(value, inner, given);
        return member === "get" ? counting(made as object, name) : made;
      };
    },
  });
}

// The pool gives the bindings of wrangler.toml, which Env describes.
const plain = bindings as unknown as Env;
const env: Env = {
  ...plain,
  KV: counting(plain.KV, "kv"),
  WORKSPACE: namespace(plain.WORKSPACE, "workspace"),
  IP: namespace(plain.IP, "address"),
  DIRECTORY: namespace(plain.DIRECTORY, "directory"),
};

/** Where one process serves alone, what ended waits for long enough that even a busy machine's next request comes first. */
const oneProcess: Env = { ...env, BOOT_ID: "one process" };

async function send(path: string, token: string, body?: object): Promise<Response> {
  const context = createExecutionContext();
  const request = new Request(`http://127.0.0.1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = await worker.fetch(request, env, context);
  const text = await answer.text();
  await waitOnExecutionContext(context);
  return new Response(text, answer);
}

/** The token of a new workspace. */
async function newToken(): Promise<string> {
  const made = await send("/api/workspaces", env.ADMIN_TOKEN, { name: "w" });
  return (await made.json<{ admin_token: string }>()).admin_token;
}

/** A key of the workspace's first harness, which this isolate has never seen used. */
async function newKey(token: string): Promise<string> {
  const config = await send("/api/config", token);
  const { harnesses } = await config.json<{ harnesses: { id: string }[] }>();
  const made = await send(`/api/harnesses/${harnesses[0]?.id}/keys`, token, {});
  return (await made.json<{ key: string }>()).key;
}

const question = { model: "demo/echo", messages: [{ role: "user", content: "hello" }] };

/** Counts what a request calls, until all is done that it leaves behind its answer. */
async function generate(key: string): Promise<Record<string, number>> {
  calls = {};
  const answer = await send("/v1/chat/completions", key, question);
  expect(answer.status).toBe(200);
  return calls;
}

/** The same until the last byte of the answer alone. What is left behind goes on. */
async function answered(key: string): Promise<() => Promise<void>> {
  const context = createExecutionContext();
  const request = new Request("http://127.0.0.1/v1/chat/completions", {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(question),
  });
  const answer = await worker.fetch(request, oneProcess, context);
  await answer.text();
  return () => waitOnExecutionContext(context);
}

let token = "";
let key = "";

beforeEach(async () => {
  token = await newToken();
  key = await newKey(token);
});

it("a request of a key that the isolate knows: one call on the way in, one behind the answer, one for its address", async () => {
  await generate(key);
  const warm = { "workspace.admitNext": 1, "workspace.bookEnded": 1, "address.hit": 1 };
  expect(await generate(key)).toEqual(warm);
  expect(await generate(key)).toEqual(warm);
});

it("before its last byte it makes one call of its workspace, and takes along what ended before", async () => {
  await generate(key);
  calls = {};
  const behind: (() => Promise<void>)[] = [];
  for (let n = 1; n <= 5; n += 1) {
    behind.push(await answered(key));
    expect(calls["workspace.admitNext"]).toBe(n);
  }
  for (const work of behind) await work();
  // One that came later than the pause is possible on a busy machine, one for each is not.
  expect(calls["workspace.bookEnded"]).toBeLessThan(5);
});

it("the first one in an isolate reads the key and the document from KV besides", async () => {
  const first = await generate(key);
  expect(first).toMatchObject({ "workspace.admitNext": 1, "workspace.bookEnded": 1 });
  expect(first["kv.get"]).toBeLessThanOrEqual(3);
  expect(first["directory.scopeOf"]).toBeUndefined();
});

it("a forged key asks for its address alone, and one that is none too", async () => {
  const at = key.length - 20;
  for (const wrong of [key.slice(0, at) + "AAAA" + key.slice(at + 4), "gw_none", "none"]) {
    calls = {};
    expect((await send("/v1/chat/completions", wrong, question)).status).toBe(401);
    expect(calls).toEqual({ "address.hit": 1 });
  }
});

it("a call of the admin API asks the directory once", async () => {
  calls = {};
  expect((await send("/api/config", token)).status).toBe(200);
  expect(calls["directory.scopeOf"]).toBe(1);
  const others = Object.entries(calls).filter(([name]) => !name.startsWith("workspace."));
  expect(others).toEqual([["directory.scopeOf", 1]]);
});

it("a new key writes itself and the document to KV, a change of the document that alone", async () => {
  let puts = 0;
  // The object's own binding shares the prototype.
  const shared = Object.getPrototypeOf(plain.KV) as KVNamespace;
  const { put } = shared;
  shared.put = function counted(this: KVNamespace, ...given: Parameters<typeof put>) {
    puts += 1;
    return put.apply(this, given);
  } as typeof put;
  await newKey(token);
  await expect.poll(() => puts).toBe(2);
  const config = await (await send("/api/config", token)).json<object>();
  const request = new Request("http://127.0.0.1/api/config", {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ ...config, timezone: "Europe/Paris" }),
  });
  expect((await worker.fetch(request, env, createExecutionContext())).status).toBe(200);
  await expect.poll(() => puts).toBe(3);
  shared.put = put;
});
