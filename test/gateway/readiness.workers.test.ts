/** `GET /readyz` over real objects: who may ask, what it costs, and what it says when something is missing. */
import {
  createExecutionContext,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../src/store/env.ts";
import worker from "../../src/worker.ts";

// The pool gives the bindings of wrangler.toml, which Env describes.
const env = bindings as unknown as Env;

/** Asks an isolate with these settings: bindings of their own have a memory of their own. */
function isolateWith(settings: Partial<Env> = {}) {
  const own = { ...env, ...settings };
  return async (path = "/readyz", init: RequestInit = {}): Promise<Response> => {
    const context = createExecutionContext();
    const answer = await worker.fetch(
      new Request(`http://gateway.test${path}`, init),
      own,
      context,
    );
    await waitOnExecutionContext(context);
    return answer;
  };
}

async function provenWrites(): Promise<number> {
  const directory = env.DIRECTORY.get(env.DIRECTORY.idFromName("directory"));
  return await runInDurableObject(directory, (_instance, state) => {
    const [row] = state.storage.sql
      .exec("SELECT SUM(writes) AS n, COUNT(*) AS c FROM write_proof")
      .toArray();
    expect(Number(row?.["c"])).toBeLessThanOrEqual(1);
    return Number(row?.["n"] ?? 0);
  });
}

const readable = { settings: "ok", kv: "ok", objects: "ok" };

afterEach(() => vi.restoreAllMocks());

describe("GET /readyz", () => {
  it.each(["self-hosted", "cloud"])("needs no credential in mode %s", async (MODE) => {
    const answer = await isolateWith({ MODE })();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: "ok", checks: readable });
  });

  it("writes one row in five seconds, however many ask, in however many isolates", async () => {
    await isolateWith()();
    const before = await provenWrites();
    const isolates = Array.from({ length: 10 }, () => isolateWith());
    const answers = await Promise.all(
      isolates.flatMap((ask) => Array.from({ length: 30 }, () => ask())),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await provenWrites()) - before).toBeLessThanOrEqual(1);
  });

  it.each<[string, Partial<Env>]>([
    ["settings", { VARIANT: "C" }],
    ["settings", { ENCRYPTION_KEY: "" }],
    [
      "kv",
      { KV: { get: () => Promise.reject(new Error("/srv/kv: no")) } as unknown as KVNamespace },
    ],
    ["kv", { KV: { get: () => new Promise(() => undefined) } as unknown as KVNamespace }],
    ["objects", { DIRECTORY: { get: () => ({}) } as unknown as DurableObjectNamespace }],
  ])("says that %s failed, and no more; /healthz stays as it is", async (failed, settings) => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const ask = isolateWith(settings);
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("5");
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ status: "unavailable", failed });
    expect(text).not.toMatch(/srv|Error|VARIANT|ENCRYPTION|at /);
    expect((await ask("/healthz")).status).toBe(200);
  });

  it("is over while the process drains", async () => {
    const ask = isolateWith();
    const drained = await ask("/api/drain", {
      method: "POST",
      headers: { authorization: `Bearer ${env.ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ seconds: 30 }),
    });
    expect(drained.status).toBe(204);
    const answer = await ask();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ status: "draining" });
    expect((await ask("/healthz")).status).toBe(200);
  });

  it("is no other method's path", async () => {
    expect((await isolateWith()("/readyz", { method: "POST" })).status).toBe(404);
    expect((await isolateWith()("/readyz", { method: "HEAD" })).status).toBe(200);
  });
});
