import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { openedSecrets } from "../../src/store/secrets.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import type { RequestRecord } from "../../src/workspace/contract/request-record.ts";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import worker from "../../src/worker.ts";
import {
  type AdminReply,
  askAdmin,
  type Caller,
  expectDocumented,
  type Send,
} from "../kit/admin-api.ts";
import { call, env, workspaces, object, refusalOf, row } from "../workspace/workers-kit.ts";

const send: Send = async (request) => worker.fetch(request, env, createExecutionContext());

interface Ask extends Partial<Caller> {
  body?: unknown;
  headers?: Record<string, string>;
}

/** One call; what it answers when it succeeds must be documented. */
async function ask(method: string, path: string, given: Ask = {}): Promise<AdminReply> {
  const reply = await askAdmin(send, `${method} ${path}`, { token: env.ADMIN_TOKEN, ...given });
  if (reply.status < 400) expectDocumented(`${method} ${path}`, reply);
  return reply;
}

async function newWorkspace(): Promise<{ workspace: string; token: string }> {
  const { json } = await ask("POST", "/api/workspaces", { body: { name: "Test" } });
  return { workspace: String(json["id"]), token: String(json["admin_token"]) };
}

function errorOf(answer: AdminReply): { message: string; type: string; code: string } {
  return answer.json["error"] as { message: string; type: string; code: string };
}

const lab = {
  id: "lab",
  kind: "custom",
  format: "chat",
  base_url: "http://127.0.0.1:9/v1",
  api_key: "sk-test",
};

describe("who may call the admin API", () => {
  it.each(["", "wrong", "Bearer"])("refuses the token %j", async (token) => {
    const answer = await ask("GET", "/api/config", { token });
    expect(answer.status).toBe(401);
    expect(errorOf(answer)).toMatchObject({ type: "auth_error" });
  });

  it("refuses a gateway key", async () => {
    const made = await ask("POST", "/api/harnesses/default/keys");
    expect((await ask("GET", "/api/config", { token: String(made.json["key"]) })).status).toBe(401);
  });

  it("gives a workspace's token that workspace only", async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    await ask("PUT", "/api/config", { token: one.token, body: { timezone: "Asia/Tokyo" } });
    expect((await ask("GET", "/api/config", { workspace: one.workspace })).json).toEqual({
      timezone: "Asia/Tokyo",
    });
    expect((await ask("GET", "/api/config", { token: two.token })).json["timezone"]).toBe("UTC");
    expect(
      (await ask("GET", "/api/config", { token: two.token, workspace: one.workspace })).status,
    ).toBe(403);
    expect((await ask("GET", "/api/workspaces", { token: one.token })).status).toBe(403);
    expect(
      (await ask("POST", "/api/workspaces", { token: one.token, body: { name: "x" } })).status,
    ).toBe(403);
    expect((await ask("GET", "/api/config", { workspace: "nowhere" })).status).toBe(404);
  });

  it("tells anybody that it is healthy, and what it offers", async () => {
    expect((await ask("GET", "/healthz", { token: "" })).json).toMatchObject({ status: "ok" });
    const document = await askAdmin(send, "GET /api/openapi.json", { token: "" });
    expect(document.json["openapi"]).toBe("3.1.0");
  });
});

describe("the configuration", () => {
  it("is replaced whole, shown masked, and keeps secrets that come back masked", async () => {
    const { workspace, token } = await newWorkspace();
    const put = await ask("PUT", "/api/config", { token, body: { providers: [lab] } });
    expect(put.status).toBe(200);
    expect(put.json).toEqual({ providers: [{ ...lab, api_key: "***" }] });
    expect((await ask("PUT", "/api/config", { token, body: put.json })).status).toBe(200);
    const [stored] = (await object(workspace).snapshot()).config.providers ?? [];
    if (stored === undefined) throw new Error("nothing stored");
    expect(stored.api_key).not.toContain("sk-test");
    const opened = await openedSecrets(stored, workspace, await keyringOf(env.ENCRYPTION_KEY));
    expect(opened.apiKey).toBe("sk-test");
  });

  it.each([
    ["no JSON", "{", "body"],
    ["nothing", "", "body"],
    ["a list", [], "body"],
    ["an unknown kind", { providers: [{ id: "a", kind: "nope" }] }, "providers[0].kind"],
    [
      "a masked secret of a new address",
      { providers: [{ ...lab, base_url: "http://127.0.0.1:8/v1", api_key: "***" }] },
      "providers[0].api_key",
    ],
  ])("is left as it was by %s", async (_name, body, path) => {
    const { token } = await newWorkspace();
    await ask("PUT", "/api/config", { token, body: { providers: [lab] } });
    const before = await ask("GET", "/api/config", { token });
    const answer = await ask("PUT", "/api/config", { token, body });
    expect(answer.status).toBe(400);
    expect(errorOf(answer)).toMatchObject({
      type: "invalid_request_error",
      code: "invalid_request",
    });
    expect(errorOf(answer).message).toContain(`${path}: `);
    expect((await ask("GET", "/api/config", { token })).json).toEqual(before.json);
  });

  it("is read as JSON whatever the content type says", async () => {
    const { token } = await newWorkspace();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await ask("PUT", "/api/config", {
      token,
      headers,
      body: `{"timezone":"Asia/Tokyo"}`,
    });
    expect(answer.json).toEqual({ timezone: "Asia/Tokyo" });
  });

  it("refuses what is too large", async () => {
    const { token } = await newWorkspace();
    const body = `{"timezone":"${"x".repeat(3_000_000)}"}`;
    expect((await ask("PUT", "/api/config", { token, body })).status).toBe(413);
  });

  it("takes parallel writers one after the other", async () => {
    const { token } = await newWorkspace();
    const zones = ["Asia/Tokyo", "Europe/Berlin", "UTC", "America/Lima"];
    const answers = await Promise.all(
      zones.map((timezone) => ask("PUT", "/api/config", { token, body: { timezone } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(zones).toContain((await ask("GET", "/api/config", { token })).json["timezone"]);
  });
});

describe("keys", () => {
  it("are shown once, listed without their text, and revoked at once", async () => {
    const { token } = await newWorkspace();
    const made = await ask("POST", "/api/harnesses/default/keys", {
      token,
      body: { name: "laptop", expires_at: "2099-01-01T02:00:00+02:00" },
    });
    expect(made.status).toBe(201);
    const key = String(made.json["key"]);
    expect(made.json).toEqual({
      id: made.json["id"],
      key,
      name: "laptop",
      created_at: made.json["created_at"],
    });
    const list = await ask("GET", "/api/harnesses/default/keys", { token });
    expect(JSON.stringify(list.json)).not.toContain(key);
    expect(list.json["data"]).toMatchObject([
      { name: "laptop", last4: key.slice(-4), expires_at: "2099-01-01T00:00:00.000Z" },
    ]);
    const holder = await workspaces.identify(key);
    if (typeof holder === "string") throw new Error(holder);
    expect(
      (await ask("DELETE", `/api/harnesses/default/keys/${String(made.json["id"])}`, { token }))
        .status,
    ).toBe(204);
    expect(refusalOf(await call(holder))).toBe("M005");
    expect(
      (await ask("DELETE", `/api/harnesses/default/keys/${String(made.json["id"])}`, { token }))
        .status,
    ).toBe(404);
  });

  it("need a harness that is there, and a body that makes sense", async () => {
    const { token } = await newWorkspace();
    expect((await ask("POST", "/api/harnesses/nobody/keys", { token })).status).toBe(404);
    expect((await ask("GET", "/api/harnesses/nobody/keys", { token })).status).toBe(404);
    const answer = await ask("POST", "/api/harnesses/default/keys", {
      token,
      body: { expires_at: "tomorrow" },
    });
    expect(errorOf(answer).message).toContain("expires_at: ");
  });

  it("that expired are refused as such", async () => {
    const { token } = await newWorkspace();
    const made = await ask("POST", "/api/harnesses/default/keys", {
      token,
      body: { expires_at: "2020-01-01T00:00:00Z" },
    });
    expect(await workspaces.identify(String(made.json["key"]))).toBe("M004");
  });
});

describe("reports", () => {
  it("page through the log without gaps or repeats", async () => {
    const { workspace, token } = await newWorkspace();
    for (let index = 0; index < 25; index += 1)
      await object(workspace).log(row(`r${index}`, { status: index % 5 === 0 ? 502 : 200 }));
    const seen: string[] = [];
    let next: unknown = "";
    while (typeof next === "string") {
      const page = await ask(
        "GET",
        `/api/requests?limit=10&before=${next}`.replace("&before=&", "&").replace(/&before=$/, ""),
        { token },
      );
      seen.push(...(page.json["data"] as { id: string }[]).map(({ id }) => id));
      next = page.json["next"];
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, index) => `r${24 - index}`));
    const failed = await ask("GET", "/api/requests?status=5xx", { token });
    expect(failed.json["data"]).toHaveLength(5);
    expect((await ask("GET", "/api/requests/r3", { token })).json).toMatchObject({
      id: "r3",
      harness: "default",
    });
    expect((await ask("GET", "/api/requests/none", { token })).status).toBe(404);
    expect((await ask("GET", "/api/requests?before=zzz", { token })).status).toBe(400);
    expect((await ask("GET", "/api/requests?limit=0", { token })).status).toBe(400);
  });

  it("sum usage by hour and by day in the same figures", async () => {
    const { token } = await newWorkspace();
    const made = await ask("POST", "/api/harnesses/default/keys", { token });
    const holder = await workspaces.identify(String(made.json["key"]));
    if (typeof holder === "string") throw new Error(holder);
    for (let index = 0; index < 5; index += 1) await call(holder);
    const expected = {
      requests: 5,
      errors: 0,
      input_tokens: 50,
      cached_tokens: 0,
      output_tokens: 50,
      cost: 0.0001,
    };
    for (const by of ["hour", "day"]) {
      const usage = await ask("GET", `/api/usage?by=${by}&group=provider`, { token });
      expect(usage.json["data"]).toMatchObject([{ group: "lab", ...expected }]);
    }
    const old = await ask("GET", "/api/usage?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z", {
      token,
    });
    expect(old.json).toMatchObject({ data: [], groups: [], times: [], complete_from: null });
    expect(old.json["total"]).toMatchObject({ requests: 0, blocked: 0, first_byte_ms: null });
    expect((await ask("GET", "/api/usage?from=yesterday", { token })).status).toBe(400);
  });

  it("sum usage by key, session and tag, with blocks and times until the first byte", async () => {
    const { workspace, token } = await newWorkspace();
    const time = new Date().toISOString();
    const tagged = { session_id: "s-1", tags: { team: "red", env: "prod" }, first_byte_ms: 40 };
    const blocked: Partial<RequestRecord> = {
      status: 429,
      outcome: "blocked",
      attempts: [],
      usage: null,
    };
    await object(workspace).settleLate(
      row("one", { time, ...tagged, key_id: "key_a", key_name: "A" }),
    );
    await object(workspace).log(
      row("two", { time, ...tagged, ...blocked, model: null, first_byte_ms: null }),
    );
    const by = async (query: string) => (await ask("GET", `/api/usage?${query}`, { token })).json;
    const first_byte_ms = {
      p50: expect.closeTo(40, -1),
      p95: expect.closeTo(40, -1),
      p99: expect.closeTo(40, -1),
    };
    const both = { requests: 1, blocked: 1, errors: 0, fallbacks: 0, cost: 0.00002, first_byte_ms };
    expect(await by("group=session")).toMatchObject({
      data: [{ group: "s-1", ...both }],
      groups: [{ group: "s-1", ...both }],
      times: [both],
      total: both,
      complete_from: null,
    });
    expect((await by("group=key"))["groups"]).toMatchObject([
      { group: "", requests: 0, blocked: 1, first_byte_ms: null },
      { group: "key_a", name: "A", requests: 1, blocked: 0 },
    ]);
    const tags = await by("group=tag");
    expect(tags["groups"]).toMatchObject([{ group: "env=prod" }, { group: "team=red", ...both }]);
    expect(tags["total"]).toMatchObject(both);
    expect((await by("group=tag&tag_name=team"))["groups"]).toMatchObject([{ group: "red" }]);
    expect((await by("group=model"))["total"]).toMatchObject(both);
    expect((await ask("GET", "/api/summary", { token })).json).toMatchObject(both);
    expect((await ask("GET", "/api/usage?group=person", { token })).status).toBe(400);
  });

  it("export usage as CSV and as JSON Lines, names of sessions as text", async () => {
    const { workspace, token } = await newWorkspace();
    await object(workspace).settleLate(row("one", { session_id: "=1+1" }));
    const file = async (accept: string) => {
      const headers = { authorization: `Bearer ${token}`, accept };
      const request = new Request("http://gateway.test/api/usage?group=session", { headers });
      const answer = await worker.fetch(request, env, createExecutionContext());
      return { type: answer.headers.get("content-type"), text: await answer.text() };
    };
    const csv = await file("text/csv");
    expect(csv.type).toContain("text/csv");
    const [head = "", line = "", end] = csv.text.split("\r\n");
    expect(head).toBe(
      '"time","group","name","requests","errors","blocked","fallbacks","input_tokens","cached_tokens","output_tokens","cost","first_byte_p50_ms","first_byte_p95_ms","first_byte_p99_ms"',
    );
    expect(line).toMatch(
      /^"[^"]+Z","'=1\+1","","1","0","0","0","10","0","10","0.00002","3","3","3"$/,
    );
    expect(end).toBe("");
    const lines = await file("application/x-ndjson");
    expect(JSON.parse(lines.text)).toMatchObject({ group: "=1+1", requests: 1 });
  });
});

describe("workspaces", () => {
  it("are made, listed and changed, and their quota is in force at once", async () => {
    const { workspace, token } = await newWorkspace();
    const made = await ask("POST", "/api/harnesses/default/keys", { token });
    const holder = await workspaces.identify(String(made.json["key"]));
    if (typeof holder === "string") throw new Error(holder);
    const patch = await ask("PATCH", `/api/workspaces/${workspace}`, {
      body: { monthly_requests: 1 },
    });
    expect(patch.json).toMatchObject({ id: workspace, name: "Test", monthly_requests: 1 });
    expect([refusalOf(await call(holder)), refusalOf(await call(holder))]).toEqual([
      "admitted",
      "M204",
    ]);
    await ask("PATCH", `/api/workspaces/${workspace}`, {
      body: { monthly_requests: null, name: "New" },
    });
    expect(refusalOf(await call(holder))).toBe("admitted");
    const { json } = await ask("GET", "/api/workspaces");
    expect(json["data"]).toContainEqual(
      expect.objectContaining({ id: workspace, name: "New", monthly_requests: null }),
    );
    expect(json["data"]).toContainEqual(expect.objectContaining({ id: "default" }));
    expect((await ask("PATCH", "/api/workspaces/none", { body: { name: "x" } })).status).toBe(404);
  });
});

describe("tools", () => {
  it("ask for providers and harnesses that are there", async () => {
    expect((await ask("POST", "/api/providers/demo/test")).json).toMatchObject({ ok: true });
    expect((await ask("POST", "/api/providers/none/test")).status).toBe(404);
    const messages = [{ role: "user", content: "hi" }];
    const question = { harness: "default", format: "chat", body: { model: "auto", messages } };
    expect((await ask("POST", "/api/route", { body: question })).status).toBe(200);
    expect(
      (await ask("POST", "/api/route", { body: { ...question, harness: "none" } })).status,
    ).toBe(404);
    expect(
      (await ask("POST", "/api/route", { body: { ...question, format: "morse" } })).status,
    ).toBe(400);
  });
});

describe("the OpenAPI document", () => {
  it("describes every route once, by method and path", async () => {
    const { json } = await askAdmin(send, "GET /api/openapi.json", { token: "" });
    const paths = Object.entries(json["paths"] as Record<string, object>);
    const described = paths.flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(adminRoutes.map(({ name }) => name).toSorted());
  });

  it("is whole: every reference and schema stands in it", async () => {
    const { json } = await askAdmin(send, "GET /api/openapi.json", { token: "" });
    const { schemas } = json["components"] as { schemas: object };
    const references = [...JSON.stringify(json).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, reference]) => reference,
    );
    expect(references.length).toBeGreaterThan(0);
    for (const reference of references)
      expect(Object.keys(schemas).map((name) => `#/components/schemas/${name}`)).toContain(
        reference,
      );
  });
});

describe("a path that no route has", () => {
  it.each(["GET /api/nothing", "PUT /api/status", "POST /api/harnesses"])("%s", async (path) => {
    const known = await askAdmin(send, path, { token: env.ADMIN_TOKEN });
    expect(known.status).toBe(404);
    expect(errorOf(known).message).toMatch(/^Unknown path\. See \S+\/docs\/errors#m301$/);
    expect((await askAdmin(send, path, { token: "" })).status).toBe(401);
  });
});

describe("routes of the deployment", () => {
  it.each(adminRoutes.filter(({ access }) => access === "root" || access === "operator"))(
    "$name is closed to a workspace's administrator",
    async ({ name }) => {
      const { token, workspace } = await newWorkspace();
      const reply = await askAdmin(send, name.replace("{id}", workspace), { token });
      expect([reply.status, errorOf(reply).code]).toEqual([403, "forbidden"]);
    },
  );
});

describe("every route but the open ones", () => {
  const closed = adminRoutes.filter(({ access }) => access !== "open");
  const proxied = { ...env, TRUSTED_IP_HEADER: "x-test-address" };
  const sendProxied: Send = async (request) =>
    worker.fetch(request, proxied, createExecutionContext());

  it.each(closed.map(({ name }, index) => ({ name, index })))(
    "$name needs a token",
    async ({ name, index }) => {
      // Each from an address of its own: one that sends too many wrong tokens has to wait.
      const headers = { "x-test-address": `10.8.0.${index}` };
      const reply = await askAdmin(sendProxied, name, { token: "wrong", headers });
      expect([reply.status, errorOf(reply).code]).toEqual([401, "admin_auth"]);
    },
  );
});
