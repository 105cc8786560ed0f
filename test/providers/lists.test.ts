import { afterEach, describe, expect, it } from "vitest";

import { connectionOf } from "../../src/providers/connection/connection.ts";
import { fetchList } from "../../src/providers/models/fetch-list.ts";
import { readListPage } from "../../src/providers/models/list-reader.ts";
import {
  knownLists,
  mayAsk,
  refreshList,
  type ListsContext,
} from "../../src/providers/models/known-lists.ts";
import { testProvider } from "../../src/providers/models/test-connection.ts";
import type { ProviderEntry } from "../../src/store/config.ts";
import { noon, serve, type Server } from "./kit.ts";

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serving(answer: Parameters<typeof serve>[0]): Promise<Server> {
  const server = await serve(answer);
  servers.push(server);
  return server;
}

/** Nobody looks at servers that do not answer. */
const testing = { reach: "everywhere", check: () => Promise.resolve(undefined) } as const;

const jsonOf =
  (value: (url: string) => unknown, status = 200): Parameters<typeof serve>[0] =>
  ({ url }, response) => {
    response
      .writeHead(status, { "content-type": "application/json" })
      .end(JSON.stringify(value(url)));
  };

const custom = (base: string, more: Partial<ProviderEntry> = {}): ProviderEntry => ({
  id: "lab",
  kind: "custom",
  format: "chat",
  base_url: base,
  ...more,
});

describe("shapes of model lists", () => {
  const ids = (body: Parameters<typeof readListPage>[0]) =>
    readListPage(body, {})?.models.map((info) => info.id);

  it("data, models, a bare array, plain names", () => {
    expect(ids({ data: [{ id: "a" }, { id: "b/c" }] })).toEqual(["a", "b/c"]);
    expect(ids({ models: [{ name: "models/g" }, { name: "n" }] })).toEqual(["g", "n"]);
    expect(ids([{ id: "a" }])).toEqual(["a"]);
    expect(ids({ data: ["x"] })).toEqual(["x"]);
    expect(ids({ error: "no" })).toBeUndefined();
    expect(ids("text")).toBeUndefined();
    expect(ids(null)).toBeUndefined();
  });

  it("rubbish inside a list is passed over", () => {
    expect(
      ids({
        data: [
          null,
          1,
          {},
          { id: "" },
          { id: 7 },
          { id: "x".repeat(513) },
          { id: "a\nb" },
          { id: "ok" },
        ],
      }),
    ).toEqual(["ok"]);
  });

  it("what cannot hold a conversation is left out where the list says so", () => {
    const body = {
      data: [
        { id: "talks", type: "chat" },
        { id: "embeds", type: "embedding" },
        { id: "draws", architecture: { output_modalities: ["image"] } },
        { id: "both", architecture: { output_modalities: ["text", "image"] } },
        { id: "off", active: false },
        { id: "counts", supportedGenerationMethods: ["countTokens"] },
        { id: "writes", supportedGenerationMethods: ["generateContent"] },
        { id: "fim", capabilities: { completion_chat: false } },
      ],
    };
    expect(ids(body)).toEqual(["talks", "both", "writes"]);
  });

  it("prices per token become prices per million; negative ones are unknown", () => {
    const item = {
      id: "m",
      context_length: 200_000,
      top_provider: { max_completion_tokens: 64_000 },
      architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
      supported_parameters: ["tools", "reasoning", "temperature"],
      pricing: {
        prompt: "0.000003",
        completion: "0.000015",
        input_cache_read: "0.0000003",
        input_cache_write: "0.00000375",
      },
    };
    expect(readListPage({ data: [item] }, { prices: "per_token" })?.models[0]).toEqual({
      id: "m",
      contextWindow: 200_000,
      maxOutput: 64_000,
      inputModalities: ["text", "image"],
      outputModalities: ["text"],
      features: ["stream", "tools", "reasoning"],
      structured: false,
      prices: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    });
    expect(
      readListPage(
        { data: [{ id: "m", pricing: { prompt: "-1", completion: "-1" } }] },
        { prices: "per_token" },
      )?.models[0],
    ).toEqual({ id: "m" });
    expect(readListPage({ data: [item] }, {})?.models[0]?.prices).toBeUndefined();
  });

  it("published endpoints, windows and names of several makers", () => {
    expect(
      readListPage(
        {
          data: [
            {
              id: "a",
              supported_endpoints: ["/responses"],
              capabilities: {
                limits: { max_context_window_tokens: 9, max_output_tokens: 3 },
                supports: { tool_calls: true },
              },
            },
          ],
        },
        {},
      )?.models[0],
    ).toEqual({
      id: "a",
      supportedEndpoints: ["/responses"],
      contextWindow: 9,
      maxOutput: 3,
      features: ["stream", "tools"],
    });
    expect(
      readListPage(
        {
          models: [{ name: "models/g", displayName: "G", inputTokenLimit: 5, outputTokenLimit: 2 }],
        },
        {},
      )?.models[0],
    ).toEqual({ id: "g", displayName: "G", contextWindow: 5, maxOutput: 2 });
  });
});

describe("asking for a list", () => {
  it("all pages, with the dialect's credential", async () => {
    const server = await serving(
      jsonOf((url) =>
        url.includes("after_id=b")
          ? { data: [{ id: "c" }], has_more: false }
          : { data: [{ id: "a" }, { id: "b" }], has_more: true, last_id: "b" },
      ),
    );
    const answer = await fetchList(
      connectionOf({ id: "x", kind: "anthropic", base_url: server.base }),
      { secret: "sk-test" },
      "everywhere",
    );
    expect(answer.ok && answer.models.map((info) => info.id)).toEqual(["a", "b", "c"]);
    expect(server.seen.map((seen) => seen.url)).toEqual([
      "/v1/models?limit=1000",
      "/v1/models?limit=1000&after_id=b",
    ]);
    expect(server.seen[0]?.headers).toMatchObject({
      "x-api-key": "sk-test",
      "anthropic-version": "2023-06-01",
    });
  });

  it("a list that never ends is ended", async () => {
    const server = await serving(
      jsonOf(() => ({ models: [{ name: "models/a" }], nextPageToken: "more" })),
    );
    const answer = await fetchList(
      connectionOf({ id: "x", kind: "gemini", base_url: server.base }),
      { secret: "k-test" },
      "everywhere",
    );
    expect(answer.ok).toBe(true);
    expect(server.seen.length).toBe(20);
  });

  it.each([
    [
      401,
      { error: { message: "bad key sk-test-secret" } },
      { ok: false, status: 401, fault: { message: expect.stringContaining("bad key ***") } },
    ],
    [
      200,
      { hello: 1 },
      { ok: false, status: 502, fault: { cause: "not_found", field: "base_url" } },
    ],
    [
      404,
      { detail: "gone" },
      { ok: false, status: 404, fault: { cause: "not_found", field: "base_url" } },
    ],
    [500, {}, { ok: false, status: 500 }],
  ])("a test of the provider: %i %j", async (status, body, expected) => {
    const server = await serving(jsonOf(() => body, status));
    expect(
      await testProvider(connectionOf(custom(server.base)), { secret: "sk-test-secret" }, testing),
    ).toMatchObject(expected);
  });

  it("of a list that is too long the first models are kept, and a test says so", async () => {
    const data = Array.from({ length: 6000 }, (_, at) => ({ id: `m${at}` }));
    const server = await serving(jsonOf(() => ({ data })));
    const test = await testProvider(connectionOf(custom(server.base)), { secret: "x" }, testing);
    if (!test.ok) throw new Error(test.fault.message);
    expect(test.models).toHaveLength(5000);
    expect(test.message).toContain("6000 models; the first 5000 are used");
  });

  it("a list of millions of values is none", async () => {
    const dense = `{"data":[${"{},".repeat(2_000_000)}{"id":"m"}]}`;
    const server = await serving((_request, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(dense),
    );
    const test = await testProvider(connectionOf(custom(server.base)), { secret: "x" }, testing);
    expect(test).toMatchObject({ ok: false, fault: { cause: "not_found" } });
  });

  it("what is kept of a list fits into a value of the smallest store", async () => {
    const names = Array.from({ length: 60 }, (_, at) => `modality-${at}`);
    const data = Array.from({ length: 2000 }, (_, at) => ({
      id: `m${at}${"x".repeat(400)}`,
      display_name: "n".repeat(1000),
      architecture: { input_modalities: ["text", ...names], output_modalities: ["text"] },
      supported_endpoints: names,
    }));
    const server = await serving(jsonOf(() => ({ data })));
    const answer = await fetchList(
      connectionOf(custom(server.base)),
      { secret: "x" },
      "everywhere",
    );
    expect(answer).toMatchObject({ ok: true, left: expect.any(Number) });
    expect(JSON.stringify(answer).length).toBeGreaterThan(1_000_000);
    expect(JSON.stringify(answer).length).toBeLessThan(2_000_000);
  });

  it("a store that refuses a list fails no request: the list is known all the same", async () => {
    const server = await serving(jsonOf(() => ({ data: [{ id: "m" }] })));
    const connection = connectionOf(custom(server.base, { id: "unstored" }));
    const context: ListsContext = {
      workspace: "w",
      reach: "everywhere",
      store: {
        get: () => Promise.resolve(null),
        put: () => Promise.reject(new Error("value too large")),
      },
      now: () => noon,
      background: () => undefined,
      credentials: () => Promise.resolve({ secret: "x" }),
    };
    expect((await refreshList(context, connection))?.models).toEqual([{ id: "m" }]);
  });

  it("a test says how many models answered and how long it took", async () => {
    const server = await serving(jsonOf(() => ({ data: [{ id: "a" }, { id: "b" }] })));
    const outcome = await testProvider(
      connectionOf(custom(server.base)),
      { secret: "sk-test" },
      testing,
    );
    expect(outcome).toMatchObject({ ok: true, status: 200, models: [{}, {}] });
    expect(outcome.ms).toBeGreaterThanOrEqual(0);
  });

  it("a test without a credential, or of a private address in the cloud, asks nobody", async () => {
    const server = await serving(jsonOf(() => ({ data: [] })));
    expect(
      await testProvider(
        connectionOf({ id: "o", kind: "openai", base_url: server.base }),
        { secret: undefined },
        testing,
      ),
    ).toMatchObject({ ok: false, status: 401 });
    expect(
      await testProvider(
        connectionOf(custom(server.base)),
        { secret: "sk-test" },
        { ...testing, reach: "public" },
      ),
    ).toMatchObject({ ok: false, status: 400 });
    expect(server.seen).toEqual([]);
  });

  it("a test of the demo always succeeds", async () => {
    expect(
      await testProvider(
        connectionOf({ id: "demo", kind: "demo" }),
        { secret: undefined },
        testing,
      ),
    ).toMatchObject({ ok: true, models: [{}, {}] });
  });
});

interface World {
  context: ListsContext;
  work: Promise<unknown>[];
  stored: Map<string, string>;
  clock: { now: number };
}

let worlds = 0;

function world(stored = new Map<string, string>()): World {
  const clock = { now: noon };
  const work: Promise<unknown>[] = [];
  worlds += 1;
  const context: ListsContext = {
    workspace: `w${worlds}`,
    reach: "everywhere",
    store: {
      get: async (key) => stored.get(key) ?? null,
      put: async (key, value) => void stored.set(key, value),
    },
    now: () => clock.now,
    background: (promise) => void work.push(promise),
    credentials: async () => ({ secret: "sk-test" }),
  };
  return { context, work, stored, clock };
}

describe("kept lists", () => {
  it("the first question answers at once and reads in the background, the next one knows", async () => {
    const server = await serving(jsonOf(() => ({ data: [{ id: "a" }] })));
    const { context, work } = world();
    const entries = [custom(server.base)];
    expect(await knownLists(context, entries)).toEqual({ lab: undefined });
    await Promise.all(work);
    expect((await knownLists(context, entries))["lab"]?.models).toEqual([{ id: "a" }]);
    expect(server.seen.length).toBe(1);
  });

  it("is read anew after ten minutes, once", async () => {
    let name = "old";
    const server = await serving(jsonOf(() => ({ data: [{ id: name }] })));
    const { context, work, clock } = world();
    const entries = [custom(server.base)];
    await knownLists(context, entries);
    await Promise.all(work);
    name = "new";
    clock.now += 9 * 60_000;
    await knownLists(context, entries);
    expect(work.length).toBe(1);
    clock.now += 2 * 60_000;
    expect((await knownLists(context, entries))["lab"]?.models).toEqual([{ id: "old" }]);
    await knownLists(context, entries);
    expect(work.length).toBe(2);
    await Promise.all(work);
    expect((await knownLists(context, entries))["lab"]?.models).toEqual([{ id: "new" }]);
  });

  it("survives a provider that is down", async () => {
    let up = true;
    const server = await serving(({ url }, response) => {
      if (!up) response.socket?.destroy();
      else
        jsonOf(() => ({ data: [{ id: "a" }] }))(
          { url, method: "", headers: {}, body: "" },
          response,
        );
    });
    const { context, work, clock } = world();
    const entries = [custom(server.base)];
    await knownLists(context, entries);
    await Promise.all(work);
    up = false;
    clock.now += 3_600_000;
    await knownLists(context, entries);
    await Promise.all(work);
    expect((await knownLists(context, entries))["lab"]?.models).toEqual([{ id: "a" }]);
    expect(await refreshList(context, connectionOf(custom(server.base)))).toMatchObject({
      models: [{ id: "a" }],
    });
  });

  it("is found in the store by another isolate, but not under another address or credential", async () => {
    const server = await serving(jsonOf(() => ({ data: [{ id: "a" }] })));
    const first = world();
    const connection = connectionOf(custom(server.base));
    await refreshList(first.context, connection);
    const [key = "", value = ""] = [...first.stored.entries()][0] ?? [];
    const second = world();
    second.stored.set(key.replace(first.context.workspace, second.context.workspace), value);
    expect((await knownLists(second.context, [custom(server.base)]))["lab"]?.models).toEqual([
      { id: "a" },
    ]);
    expect((await knownLists(second.context, [custom(`${server.base}/x`)]))["lab"]).toBeUndefined();
    expect(
      (await knownLists(second.context, [custom(server.base, { api_key: "other" })]))["lab"],
    ).toBeUndefined();
    await Promise.all(second.work);
  });

  it("a configured list of a custom endpoint is all there is: nobody is asked", async () => {
    const { context, work } = world();
    expect(
      await knownLists(context, [
        custom("http://127.0.0.1:9/v1", { models: [{ id: "a" }] }),
        { id: "demo", kind: "demo" },
      ]),
    ).toEqual({});
    expect(work).toEqual([]);
  });

  it("who was asked a moment ago is not asked again", async () => {
    const server = await serving(jsonOf(() => ({}), 500));
    const { context, clock } = world();
    const connection = connectionOf(custom(server.base));
    expect(await mayAsk(context, connection)).toBe(true);
    await refreshList(context, connection);
    expect(await mayAsk(context, connection)).toBe(false);
    clock.now += 60_000;
    expect(await mayAsk(context, connection)).toBe(true);
  });

  it("broken text in the store is no list", async () => {
    const one = world();
    one.context.store.get = async () => "{broken";
    one.context.background = (promise) => void one.work.push(promise);
    expect(await knownLists(one.context, [custom("http://127.0.0.1:9/v1")])).toEqual({
      lab: undefined,
    });
    await Promise.all(one.work);
  });
});
