import { beforeAll, describe, expect, it } from "vitest";
import {
  expectEnvelope,
  expectSpoken,
  expectUnrouted,
  isSpoken,
  table,
  type Code,
} from "../kit/expectations.ts";
import {
  clients,
  events,
  openLane,
  paths,
  provider,
  read,
  request,
  replyScript,
  variants,
  type Json,
  type Variant,
} from "../kit/asking.ts";
import {
  admin,
  ask,
  asked,
  inFlight,
  knock,
  newKey,
  rowOf,
  world,
  type Ask,
  type World,
} from "./kit.ts";

/** The three ways of asking: with a stream, with an `Accept` that renders, and with neither. */
const manners = [
  { manner: "asks for a stream", stream: true, accept: "application/json", renders: true },
  { manner: "accepts event streams", stream: false, accept: "text/event-stream", renders: true },
  { manner: "wants the status", stream: false, accept: "application/json", renders: false },
];

interface Scene {
  worlds: { usual: World; empty: World; blocked: World; spent: World };
  expired: string;
  revoked: string;
  walled: string;
}

const scenes = new Map<Variant, Scene>();

async function setUp(variant: Variant): Promise<Scene> {
  const lane = openLane();
  await lane.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
  const lab = provider({ id: "lab", format: "chat", lane });
  const providers = [
    lab,
    { id: "keyless", kind: "openai", base_url: lane.url, models: [{ id: "m" }] },
  ];
  const usual = await world({ providers }, variant);
  const expired = await newKey(usual.token, "h", {
    expires_at: new Date(Date.now() + 250).toISOString(),
  });
  const revoked = await newKey(usual.token, "h", { name: "revoked" });
  const keys = await admin<{ data: { id: string; name: string }[] }>(
    usual.token,
    "GET /api/harnesses/h/keys",
  );
  const id = keys.data.find(({ name }) => name === "revoked")?.id;
  await admin(usual.token, `DELETE /api/harnesses/h/keys/${id}`);
  const limits = [{ metric: "requests", period: "day", max: 0, action: "block" }];
  const spent = await world({ providers: [lab] }, variant);
  await quota(spent, 0);
  return {
    worlds: {
      usual,
      empty: await world({}, variant),
      blocked: await world(
        { providers: [lab], harnesses: [{ id: "h", name: "H", limits }] },
        variant,
      ),
      spent,
    },
    expired,
    revoked,
    walled: await newKey(usual.token, "h", { models: ["elsewhere/*"] }),
  };
}

async function quota({ token }: World, requests: number): Promise<void> {
  const { env } = await import("cloudflare:workers");
  const { data } = await admin<{ data: { id: string }[] }>(
    String(Reflect.get(env, "ADMIN_TOKEN")),
    "GET /api/workspaces",
  );
  // The newest workspace is the last one made; its token proves which one it is.
  for (const { id } of data.toReversed()) {
    const answer = await knock("/api/config", {
      headers: { authorization: `Bearer ${token}`, "x-gateway-workspace": id },
    });
    if (!answer.ok) continue;
    await admin(String(Reflect.get(env, "ADMIN_TOKEN")), `PATCH /api/workspaces/${id}`, {
      monthly_requests: requests,
    });
    return;
  }
  throw new Error("the workspace is not listed");
}

beforeAll(async () => {
  for (const variant of variants) scenes.set(variant, await setUp(variant));
  await new Promise((resolve) => setTimeout(resolve, 300));
});

interface Case {
  code: Code;
  title: string;
  /** What is asked of which world. */
  how(scene: Scene): { world: World } & Partial<Ask> & { more?: Json };
  row?: Partial<(typeof table)[Code]>;
}

const forged = `gw_${"a".repeat(43)}`;

const cases: Case[] = [
  { code: "M001", title: "no key", how: ({ worlds }) => ({ world: worlds.usual, key: "" }) },
  {
    code: "M002",
    title: "an empty bearer token",
    how: ({ worlds }) => ({ world: worlds.usual, headers: { authorization: "Bearer " } }),
  },
  {
    code: "M002",
    title: "an empty x-api-key",
    how: ({ worlds }) => ({ world: worlds.usual, key: "", headers: { "x-api-key": "" } }),
  },
  {
    code: "M003",
    title: "a key of another service",
    how: ({ worlds }) => ({ world: worlds.usual, key: "sk-other" }),
  },
  {
    code: "M003",
    title: "another scheme",
    how: ({ worlds }) => ({ world: worlds.usual, headers: { authorization: "Basic Z3dfOg==" } }),
  },
  {
    code: "M003",
    title: "a key without its scheme",
    how: ({ worlds }) => ({ world: worlds.usual, headers: { authorization: forged } }),
  },
  {
    code: "M004",
    title: "an expired key",
    how: ({ worlds, expired }) => ({ world: worlds.usual, key: expired }),
  },
  {
    code: "M005",
    title: "a forged key",
    how: ({ worlds }) => ({ world: worlds.usual, key: forged }),
  },
  {
    code: "M005",
    title: "a revoked key",
    how: ({ worlds, revoked }) => ({ world: worlds.usual, key: revoked }),
  },
  {
    code: "M005",
    title: "two keys, neither good",
    how: ({ worlds }) => ({ world: worlds.usual, key: "other", headers: { "x-api-key": forged } }),
  },
  {
    code: "M100",
    title: "a provider without its credential",
    how: ({ worlds }) => ({ world: worlds.usual, more: { model: "keyless/m" } }),
  },
  {
    code: "M101",
    title: "no provider",
    how: ({ worlds }) => ({ world: worlds.empty, more: { model: "auto" } }),
  },
  {
    code: "M101",
    title: "no provider for a named model",
    how: ({ worlds }) => ({ world: worlds.empty, more: { model: "lab/m" } }),
  },
  {
    code: "M300",
    title: "a field of a wrong type",
    how: ({ worlds }) => ({ world: worlds.usual, more: { tools: "many" } }),
  },
  {
    code: "M302",
    title: "a model that nobody serves",
    how: ({ worlds }) => ({ world: worlds.usual, more: { model: "lab/other" } }),
  },
  {
    code: "M304",
    title: "a model that the key may not use",
    how: ({ worlds, walled }) => ({ world: worlds.usual, key: walled }),
  },
  {
    code: "M304",
    title: "auto without a model that the key may use",
    how: ({ worlds, walled }) => ({ world: worlds.usual, key: walled, more: { model: "auto" } }),
  },
];

const grid = cases.flatMap((row) =>
  clients.flatMap((client) => manners.map((how) => ({ ...row, client, ...how }))),
);

function asking(given: (typeof grid)[number], scene: Scene): { world: World; ask: Ask } {
  const { world: where, more, ...rest } = given.how(scene);
  const { client, stream, accept } = given;
  const body = request(client, { model: "lab/m", ...(stream && { stream }), ...more });
  return {
    world: where,
    ask: { client, body, ...rest, headers: { accept, ...rest.headers } },
  };
}

function sceneOf(variant: Variant): Scene {
  const scene = scenes.get(variant);
  if (scene === undefined) throw new Error("not set up");
  return scene;
}

describe("refusals, variant A", () => {
  it.each(grid)("$code for $title: a $client client that $manner", async (given) => {
    const where = asking(given, sceneOf("A"));
    const answer = await asked(where.world, where.ask);
    const { code, client, stream } = given;
    const status = table[code].status;
    if (!given.renders || !isSpoken(code, status))
      return expectEnvelope(answer, { code, client, variant: "A" });
    const model = String((where.ask.body as Json)["model"]);
    expectSpoken(answer, { client, stream, model, marker: code });
    expectUnrouted(answer, "A", /./);
  });
});

describe("refusals, variant B: never spoken, plain words, the status as code, every header", () => {
  it.each(grid)("$code for $title: a $client client that $manner", async (given) => {
    const { code, client } = given;
    const where = asking(given, sceneOf("B"));
    expectEnvelope(await asked(where.world, where.ask), { code, client, variant: "B" });
  });
});

const forms = clients.flatMap((client) => manners.map((how) => ({ client, ...how })));

function form({ client, stream, accept }: (typeof forms)[number], model = "lab/m"): Ask {
  return {
    client,
    headers: { accept },
    body: request(client, { model, ...(stream && { stream }) }),
  };
}

describe("a hard limit", () => {
  it.each(forms)("A speaks to a $client client that $manner", async (given) => {
    const answer = await asked(sceneOf("A").worlds.blocked, form(given));
    const { client, stream } = given;
    expectSpoken(answer, { client, stream, model: "lab/m", marker: "M200" });
    expect(answer.text).toMatch(/requests.*\b0 used of 0\b.*day/s);
    expectUnrouted(answer, "A", /./);
  });

  it.each(forms)("B refuses a $client client that $manner with 429", async (given) => {
    const answer = await asked(sceneOf("B").worlds.blocked, form(given));
    expect(answer.status).toBe(429);
    const type = given.client === "messages" ? "rate_limit_error" : "limit_exceeded";
    expect(answer.error).toMatchObject({ type, code: 429, node: "harness" });
    expect(answer.error["message"]).toMatch(/^The .*requests of this agent.*\b0 used of 0\b.*day/);
    expect(answer.headers.get("retry-after")).toBeNull();
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expectUnrouted(answer, "B", /^refused: M200$/);
  });
});

describe("the plan's quota", () => {
  it.each(forms)("A: 402 or words for a $client client that $manner", async (given) => {
    const answer = await asked(sceneOf("A").worlds.spent, form(given));
    const { client, stream, renders } = given;
    if (renders) return expectSpoken(answer, { client, stream, model: "lab/m", marker: "M204" });
    expectEnvelope(answer, { code: "M204", client, variant: "A" });
    expect(answer.error).toMatchObject({ limit: 0, used: 0 });
  });

  it.each(forms)("B: 429 for a $client client that $manner", async (given) => {
    const answer = await asked(sceneOf("B").worlds.spent, form(given));
    expect(answer.status).toBe(429);
    const type = given.client === "messages" ? "rate_limit_error" : "limit_exceeded";
    expect(answer.error).toMatchObject({ type, code: 429, limit: 0, used: 0 });
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expectUnrouted(answer, "B", /^refused: M204$/);
  });
});

describe("slots, variant A", () => {
  it("ten requests in flight are enough: M203 for the next in every form, and none of them waits", async () => {
    const lane = openLane();
    await lane.answer({ mute: true, end: "hang" });
    const busy = await world({
      providers: [provider({ id: "lab", format: "chat", lane, timeouts: { headers: 6 } })],
    });
    const lab = request("chat", { model: "lab/m" });
    const waiting = Array.from({ length: 10 }, () => ask(busy, { client: "chat", body: lab }));
    while ((await inFlight(busy)) < 10) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const given of forms) {
      const answer = await asked(busy, form(given));
      expectEnvelope(answer, { code: "M203", client: given.client, variant: "A" });
      expect(answer.headers.get("x-ratelimit-limit-requests")).toBe("200");
    }
    const ended = await Promise.all(waiting);
    expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 504));
    expect(await inFlight(busy)).toBe(0);
  });
});

describe("paths and methods", () => {
  const unknown = ["/v1", "/v1/", "/v1/vector_stores", "/v1/chat", "/v1/v1"];
  const rows = variants.flatMap((variant) => unknown.map((path) => ({ variant, path })));

  it.each(rows)("$variant: $path is no endpoint", async ({ variant, path }) => {
    const init = { method: "POST", headers: { accept: "text/event-stream" } };
    const answer = await read(await knock(path, init, variant));
    expectEnvelope(answer, { code: "M301", client: "chat", variant });
  });

  it.each(variants)(
    "%s: below /v1/messages errors have that format's envelope",
    async (variant) => {
      const answer = await read(await knock("/v1/messages/batches", { method: "POST" }, variant));
      expectEnvelope(answer, { code: "M301", client: "messages", variant });
    },
  );

  const methods = [
    ...clients.flatMap((client) =>
      ["GET", "PUT", "PATCH", "DELETE"].map((method) => ({
        path: paths[client],
        client,
        method,
        allow: "POST",
      })),
    ),
    {
      path: "/v1/messages/count_tokens",
      client: "messages" as const,
      method: "GET",
      allow: "POST",
    },
    { path: "/v1/models", client: "chat" as const, method: "POST", allow: "GET" },
    { path: "/v1/models/lab/m", client: "chat" as const, method: "DELETE", allow: "GET" },
    { path: "/v1/v1/chat/completions", client: "chat" as const, method: "PUT", allow: "POST" },
  ];
  const grid2 = variants.flatMap((variant) => methods.map((row) => ({ variant, ...row })));

  it.each(grid2)("$variant: $method $path is not allowed", async (given) => {
    const { variant, client, method, path, allow } = given;
    const headers = { accept: "text/event-stream" };
    const answer = await read(await knock(path, { method, headers }, variant));
    const row = { status: 405, code: "method_not_allowed" };
    expectEnvelope(answer, { code: "M301", client, variant, row });
    const allowed = answer.headers.get("allow")?.split(/,\s*/) ?? [];
    expect(allowed).toContain(allow);
    expect(allowed).toContain("OPTIONS");
    expect(allowed).not.toContain(method);
  });
});

const media: { title: string; headers: Record<string, string>; body: string; status: number }[] = [
  { title: "plain text", headers: { "content-type": "text/plain" }, body: "{}", status: 415 },
  {
    title: "a form",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a=1",
    status: 415,
  },
  { title: "an unknown encoding", headers: { "content-encoding": "br" }, body: "{}", status: 415 },
];

describe("what is never spoken", () => {
  const rows = variants.flatMap((variant) =>
    clients.flatMap((client) => media.map((row) => ({ variant, client, ...row }))),
  );

  it.each(rows)(
    "$variant: $title to $client",
    async ({ variant, client, headers, body, status }) => {
      const { usual } = sceneOf(variant).worlds;
      const answer = await asked(usual, {
        client,
        body,
        headers: { accept: "text/event-stream", ...headers },
      });
      expectEnvelope(answer, { code: "M300", client, variant, row: { status } });
    },
  );
});

describe("who is good enough", () => {
  const places: { title: string; headers(key: string): Record<string, string> }[] = [
    { title: "a bearer token", headers: (key) => ({ authorization: `Bearer ${key}` }) },
    { title: "a lower-case scheme", headers: (key) => ({ authorization: `bearer ${key}` }) },
    { title: "more blanks than one", headers: (key) => ({ authorization: `Bearer   ${key}` }) },
    { title: "x-api-key", headers: (key) => ({ "x-api-key": key }) },
    {
      title: "a good x-api-key beside a bad bearer token",
      headers: (key) => ({ authorization: "Bearer sk-other", "x-api-key": key }),
    },
    {
      title: "a good bearer token beside a bad x-api-key",
      headers: (key) => ({ authorization: `Bearer ${key}`, "x-api-key": forged }),
    },
    {
      title: "a good x-api-key beside another scheme",
      headers: (key) => ({ authorization: "Basic Og==", "x-api-key": key }),
    },
  ];
  const rows = variants.flatMap((variant) => places.map((row) => ({ variant, ...row })));

  it.each(rows)("$variant: $title", async ({ variant, headers }) => {
    const { usual } = sceneOf(variant).worlds;
    const answer = await asked(usual, {
      client: "chat",
      key: "",
      headers: headers(usual.key),
      body: request("chat", { model: "lab/m" }),
    });
    expect(answer.status, answer.text).toBe(200);
  });
});

describe("a refused call of a known key leaves a row in the log, without a word of the request", () => {
  const codes: { code: string; body: Json }[] = [
    { code: "M300", body: request("chat", { model: "lab/m", stream: "yes" }) },
    { code: "M302", body: request("chat", { model: "lab/none" }) },
    { code: "M100", body: request("chat", { model: "keyless/m" }) },
  ];

  it.each(codes)("$code", async ({ code, body }) => {
    const { usual } = sceneOf("A").worlds;
    const answer = await asked(usual, { client: "chat", body });
    const row = await rowOf(usual, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: answer.status, error: expect.stringContaining(code) });
    expect(row["attempts"]).toEqual([]);
  });
});

it("a chat client that asked for the usage chunk gets it with words too", async () => {
  const { usual } = sceneOf("A").worlds;
  const stream_options = { include_usage: true };
  const body = request("chat", { model: "lab/other", stream: true, stream_options });
  const answer = await asked(usual, { client: "chat", body });
  expect(events(answer.text).at(-2)?.json).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
  });
});

describe("a private address in cloud mode", () => {
  it.each(clients)(
    "is refused at the call too, however it came to be saved: %s",
    async (client) => {
      const { usual } = sceneOf("A").worlds;
      const answer = await read(
        await knock(
          paths[client],
          {
            method: "POST",
            headers: { "content-type": "application/json", authorization: `Bearer ${usual.key}` },
            body: JSON.stringify(request(client, { model: "lab/m" })),
          },
          "cloud",
        ),
      );
      expectEnvelope(answer, { code: "M303", client, variant: "A" });
    },
  );
});
