/** The audit log through the admin API: every change leaves an event by its actor, and no secret gets there. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { adminRoutes } from "../../src/admin/routes/index.ts";
import { AuditLog } from "../../src/workspace/audit-log.ts";
import { billingSignature } from "../../src/store/billing.ts";
import { hashKey } from "../../src/store/keys.ts";
import { directoryStub } from "../../src/workspace/remote.ts";
import { chainedHash, firstHash } from "../../src/workspace/rules/audit/audit-chain.ts";
import {
  type AdminClient,
  adminClient,
  askAdmin,
  type RouteName,
  type Send,
} from "../kit/admin-api.ts";
import type { CookieJar } from "../kit/cookie-jar.ts";
import { spellingsOf } from "../kit/spellings.ts";
import { api, base, gatewayWith, newAccount, signedIn } from "../sign-in/kit.ts";
import {
  asking,
  env,
  isAdmitted,
  newKey,
  object,
  row,
  workspaces,
} from "../workspace/workers-kit.ts";

const operator = "operator@corp.test";
const gateway = gatewayWith({
  PLANS: JSON.stringify({ free: { monthly_requests: 10 }, team: {} }),
  BILLING_SECRET: "billing-secret-of-the-tests",
  OPERATORS: operator,
});
const send: Send = (request) => gateway.send(request);
const root = { token: env.ADMIN_TOKEN };
const deployment = adminClient(send, root);

interface Place {
  workspace: string;
  /** Of the workspace's own administrator. */
  token: string;
}

async function newPlace(): Promise<Place> {
  const made = await deployment.call("POST /api/workspaces", { body: { name: "Test" } });
  return { workspace: made.id, token: made.admin_token };
}

/** Somebody who came by an invitation that was addressed to them. */
async function newMember(workspace: string): Promise<{ id: string; jar: CookieJar }> {
  const account = await newAccount();
  const body = { role: "viewer", email: account.email } as const;
  await adminClient(send, { ...root, workspace }).call("POST /api/invitations", { body });
  const jar = await signedIn(gateway, account);
  const { data } = await adminClient(send, { ...root, workspace }).call("GET /api/members", {});
  const found = data.find(({ email }) => email === account.email);
  if (found === undefined) throw new Error("nobody joined");
  return { id: found.id, jar };
}

async function eventsOf(workspace: string) {
  return (await object(workspace).pageAudit({ limit: 200 })).events;
}

/** The answer as a file. */
async function exported(place: Place, query: string, accept: string): Promise<string> {
  const headers = { authorization: `Bearer ${place.token}`, accept };
  const answer = await send(new Request(`http://gateway.test/api/audit${query}`, { headers }));
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain(accept);
  return await answer.text();
}

type Mutation = Exclude<RouteName, `GET ${string}`>;

/** Calls the route once, as a client of that workspace; the workspace whose log tells of it, where it is another. */
type Case = (client: AdminClient, place: Place) => Promise<string | void>;

/** The id of the request that was counted. */
async function countOutcome(workspace: string): Promise<string> {
  const holder = await workspaces.identify((await newKey(workspace)).text);
  if (typeof holder === "string") throw new Error(holder);
  const request = asking(holder);
  expect(isAdmitted(await workspaces.admit(workspace, request))).toBe(true);
  const observed = [{ tier: "simple", what: "served" }] as const;
  await workspaces.settle(workspace, row(request.requestId, { observed: [...observed] }));
  return request.requestId;
}

const receiver = `${inject("upstream")}/lane/${crypto.randomUUID()}/path-is-a-secret`;
const webhook = { url: receiver, events: ["key.expiring" as const] };
const harness = { id: "default" };
const passphrase = "correct horse battery";
const newToken = { name: "Token", role: "viewer" } as const;
const other = { harnesses: [{ id: "default", name: "Other" }] };

/** What each route that may change something leaves in the log; or why it leaves nothing. */
const mutations: Record<Mutation, { action: string; run: Case } | { leavesNothing: string }> = {
  "POST /api/drain": { leavesNothing: "tells this process of its end; no workspace is changed" },
  "POST /api/route": { leavesNothing: "decides without forwarding or changing anything" },
  "POST /api/providers/{id}/test": { leavesNothing: "asks a provider, and changes nothing" },
  "PUT /api/config": {
    action: "config.changed",
    run: async (client) => void (await client.call("PUT /api/config", { body: other })),
  },
  "POST /api/history/{n}/restore": {
    action: "config.restored",
    run: async (client) => {
      await client.call("PUT /api/config", { body: other });
      await client.call("POST /api/history/{n}/restore", { params: { n: "1" } });
    },
  },
  "POST /api/backup": {
    action: "backup.made",
    run: async (client) => {
      const file = await client.call("POST /api/backup", { body: { passphrase } });
      await file.arrayBuffer();
    },
  },
  "POST /api/restore": {
    action: "backup.restored",
    run: async (client) => {
      const file = await client.call("POST /api/backup", { body: { passphrase } });
      await client.call("POST /api/restore", {
        body: new Uint8Array(await file.arrayBuffer()),
        headers: { "x-gateway-passphrase": passphrase },
      });
    },
  },
  "POST /api/harnesses/{id}/keys": {
    action: "key.created",
    run: async (client) =>
      void (await client.call("POST /api/harnesses/{id}/keys", { params: harness })),
  },
  "DELETE /api/harnesses/{id}/keys/{keyId}": {
    action: "key.revoked",
    run: async (client, { workspace }) => {
      const params = { ...harness, keyId: (await newKey(workspace)).id };
      await client.call("DELETE /api/harnesses/{id}/keys/{keyId}", { params });
    },
  },
  "PATCH /api/harnesses/{id}/keys/{keyId}": {
    action: "key.changed",
    run: async (client, { workspace }) => {
      const params = { ...harness, keyId: (await newKey(workspace)).id };
      const body = { name: "Other" };
      await client.call("PATCH /api/harnesses/{id}/keys/{keyId}", { params, body });
    },
  },
  "POST /api/members": {
    action: "member.invited",
    run: async (client) => {
      const body = { email: "new@corp.test", role: "viewer" } as const;
      await client.call("POST /api/members", { body });
    },
  },
  "PATCH /api/members/{id}": {
    action: "member.changed",
    run: async (client, { workspace }) => {
      const params = { id: (await newMember(workspace)).id };
      const limits = [{ metric: "requests", period: "day", max: 5, action: "block" } as const];
      const body = { role: "owner" as const, limits };
      await client.call("PATCH /api/members/{id}", { params, body });
      const [changed] = (await object(workspace).pageAudit({ limit: 1, action: "limits" })).events;
      const [role] = (await object(workspace).pageAudit({ limit: 1, action: "member.changed" }))
        .events;
      expect(changed).toMatchObject({ target: params.id, before: [], after: limits });
      expect(role).toMatchObject({ target: params.id, before: { role: "viewer" } });
      expect(changed?.actor).toEqual(role?.actor);
    },
  },
  "DELETE /api/members/{id}": {
    action: "member.left",
    run: async (client, { workspace }) => {
      const params = { id: (await newMember(workspace)).id };
      await client.call("DELETE /api/members/{id}", { params });
    },
  },
  "POST /api/invitations": {
    action: "member.invited",
    run: async (client) =>
      void (await client.call("POST /api/invitations", { body: { role: "viewer" } })),
  },
  "DELETE /api/invitations/{id}": {
    action: "invitation.revoked",
    run: async (client) => {
      const { id } = await client.call("POST /api/invitations", { body: { role: "viewer" } });
      await client.call("DELETE /api/invitations/{id}", { params: { id } });
    },
  },
  "POST /api/tokens": {
    action: "token.created",
    run: async (client) => void (await client.call("POST /api/tokens", { body: newToken })),
  },
  "DELETE /api/tokens/{id}": {
    action: "token.revoked",
    run: async (client) => {
      const { id } = await client.call("POST /api/tokens", { body: newToken });
      await client.call("DELETE /api/tokens/{id}", { params: { id } });
    },
  },
  "DELETE /api/sessions/{id}": {
    action: "session.ended",
    run: async (client, { workspace, token }) => {
      await directoryStub(env).openSession({
        id: await hashKey(crypto.randomUUID()),
        token: await hashKey(token),
        scope: { kind: "workspace", workspace },
      });
      const { data } = await client.call("GET /api/sessions", {});
      const params = { id: data[0]?.id ?? "" };
      await client.call("DELETE /api/sessions/{id}", { params });
    },
  },
  "PUT /api/workspaces/{id}/plan": {
    action: "plan.changed",
    run: async (client, { workspace: id }) => {
      const body = { plan: "team" };
      await client.call("PUT /api/workspaces/{id}/plan", { params: { id }, body });
    },
  },
  "DELETE /api/workspaces/{id}": {
    action: "workspace.deleted",
    run: async (client, { workspace: id }) => {
      const query = { confirm: id };
      await client.call("DELETE /api/workspaces/{id}", { params: { id }, query });
      // Its own log has gone with it.
      const [told] = await eventsOf("default");
      expect(told).toMatchObject({ action: "workspace.deleted", target: id });
      return "default";
    },
  },
  "POST /api/webhooks": {
    action: "webhook.created",
    run: async (client, { workspace }) => {
      const { secret } = await client.call("POST /api/webhooks", { body: webhook });
      const text = JSON.stringify(await eventsOf(workspace));
      expect(text).not.toContain("path-is-a-secret");
      expect(text).not.toContain(secret);
    },
  },
  "DELETE /api/webhooks/{id}": {
    action: "webhook.deleted",
    run: async (client) => {
      const { id } = await client.call("POST /api/webhooks", { body: webhook });
      await client.call("DELETE /api/webhooks/{id}", { params: { id } });
    },
  },
  "POST /api/webhooks/{id}/test": {
    action: "webhook.tested",
    run: async (client) => {
      const { id } = await client.call("POST /api/webhooks", { body: webhook });
      await client.call("POST /api/webhooks/{id}/test", { params: { id } });
    },
  },
  "POST /api/webhooks/{id}/deliveries/{n}/retry": {
    action: "webhook.retried",
    run: async (client) => {
      const { id } = await client.call("POST /api/webhooks", { body: webhook });
      const { n } = await client.call("POST /api/webhooks/{id}/test", { params: { id } });
      const params = { id, n: String(n) };
      await client.call("POST /api/webhooks/{id}/deliveries/{n}/retry", { params });
    },
  },
  "DELETE /api/harnesses/{id}/learning": {
    action: "learning.reset",
    run: async (client, { workspace }) => {
      await countOutcome(workspace);
      await client.call("DELETE /api/harnesses/{id}/learning", { params: harness });
    },
  },
  "PUT /api/requests/{id}/feedback": {
    action: "feedback.given",
    run: async (client, { workspace }) => {
      const params = { id: await countOutcome(workspace) };
      const body = { verdict: "right" } as const;
      await client.call("PUT /api/requests/{id}/feedback", { params, body });
    },
  },
  "DELETE /api/requests/{id}/feedback": {
    action: "feedback.removed",
    run: async (client, { workspace }) => {
      const params = { id: await countOutcome(workspace) };
      const body = { verdict: "right" } as const;
      await client.call("PUT /api/requests/{id}/feedback", { params, body });
      await client.call("DELETE /api/requests/{id}/feedback", { params });
    },
  },
  "POST /api/admin-token": {
    action: "admin_token.replaced",
    run: async (client) => void (await client.call("POST /api/admin-token", {})),
  },
  "DELETE /api/sessions": {
    action: "session.ended",
    run: async (client) => {
      await client.call("DELETE /api/sessions", {});
    },
  },
  "POST /api/workspaces": {
    action: "workspace.created",
    run: async (client) =>
      (await client.call("POST /api/workspaces", { body: { name: "New" } })).id,
  },
  "PATCH /api/workspaces/{id}": {
    action: "workspace.changed",
    run: async (client, { workspace }) => {
      const body = { name: "Renamed", monthly_requests: 7 };
      await client.call("PATCH /api/workspaces/{id}", { params: { id: workspace }, body });
      expect((await eventsOf(workspace)).map(({ action }) => action)).toContain("quota.changed");
    },
  },
};

/** Routes at which the deployment's administrator acts on the deployment, whatever workspace is named. */
const onDeployment: ReadonlySet<string> = new Set([
  "POST /api/admin-token",
  "DELETE /api/sessions",
  "DELETE /api/sessions/{id}",
]);

describe("every route that changes something", () => {
  const routes = adminRoutes.filter(({ method }) => method !== "GET");

  it("has a row here", () => {
    expect(Object.keys(mutations).toSorted()).toEqual(routes.map(({ name }) => name).toSorted());
  });

  it.each(routes)("$name leaves an event by its actor", async ({ name, access }) => {
    const found = mutations[name as Mutation];
    if ("leavesNothing" in found) return;
    const byRoot = { ...root, type: "root" as const };
    const isOperators = access === "root" || access === "billing";
    const callers = isOperators ? [byRoot] : [byRoot, "own" as const];
    for (const by of callers) {
      if (by !== "own" && onDeployment.has(name)) continue;
      const place = await newPlace();
      const client =
        by === "own"
          ? adminClient(send, { token: place.token })
          : adminClient(send, {
              ...root,
              ...(access !== "root" && { workspace: place.workspace }),
            });
      const where = (await found.run(client, place)) ?? place.workspace;
      const type = by === "own" ? "workspace_token" : "root";
      expect(await eventsOf(where)).toContainEqual(
        expect.objectContaining({ action: found.action, actor: { type, id: "" } }),
      );
    }
  });
});

describe("the deployment's administrator", () => {
  const entries = async (workspace: string) =>
    (await eventsOf(workspace)).filter(({ action }) => action === "workspace.entered");

  it("leaves an event an hour for each kind of reading in a workspace", async () => {
    const { workspace, token } = await newPlace();
    const client = adminClient(send, { ...root, workspace });
    for (let times = 0; times < 3; times += 1) await client.call("GET /api/config", {});
    await client.call("GET /api/requests", {});
    await adminClient(send, { token }).call("GET /api/config", {});
    expect(await entries(workspace)).toMatchObject([
      { actor: { type: "root" }, target: "GET /api/requests" },
      { actor: { type: "root" }, target: "GET /api/config" },
    ]);
  });

  it("leaves none in the workspace `default`, whose administrator it is", async () => {
    await deployment.call("GET /api/config", {});
    expect(await entries("default")).toEqual([]);
  });
});

describe("those who run the deployment", () => {
  const plan = { plan: "team" };

  it("are named as operators where they read and change a workspace that is not theirs", async () => {
    const { workspace } = await newPlace();
    const by = await signedIn(gateway, await newAccount({ email: operator }));
    const path = `/api/workspaces/${workspace}`;
    for (const read of [path, path, `${path}/usage?month=2026-10`])
      expect((await api(gateway, { path: read, by })).status).toBe(200);
    const put = { method: "PUT", path: `${path}/plan`, body: plan, by };
    expect((await api(gateway, put)).status).toBe(200);
    const actor = { type: "operator", email: operator };
    expect((await eventsOf(workspace)).slice(0, 3)).toMatchObject([
      { actor, action: "plan.changed", after: plan },
      { actor, action: "workspace.entered", target: "GET /api/workspaces/{id}/usage" },
      { actor, action: "workspace.entered", target: "GET /api/workspaces/{id}" },
    ]);
  });

  it("have a billing system, which is named where it changes a plan", async () => {
    const { workspace } = await newPlace();
    const path = `/api/workspaces/${workspace}/plan`;
    const body = new TextEncoder().encode(JSON.stringify(plan));
    const signature = (await billingSignature(gateway.env, body, Date.now())) ?? "";
    const headers = { "x-gateway-signature": signature, "idempotency-key": "1" };
    const answer = await send(new Request(base + path, { method: "PUT", headers, body }));
    expect(answer.status).toBe(200);
    const [event] = await eventsOf(workspace);
    expect(event).toMatchObject({ actor: { type: "billing", id: "" }, action: "plan.changed" });
  });

  it("leave an event where they take a whole workspace away as a file", async () => {
    const { workspace } = await newPlace();
    const headers = { authorization: `Bearer ${root.token}` };
    const answer = await send(
      new Request(`${base}/api/workspaces/${workspace}/export`, { headers }),
    );
    await answer.text();
    const [event] = await eventsOf(workspace);
    expect(event).toMatchObject({
      actor: { type: "root" },
      target: "GET /api/workspaces/{id}/export",
    });
  });
});

describe("signing in and out", () => {
  const sessions = async (workspace: string, id: string) =>
    (await object(workspace).pageAudit({ limit: 50, actor: id, action: "session" })).events;

  it.each(["/auth/logout", "/dashboard/sign-out"])(
    "is one event each, where %s ends the session",
    async (path) => {
      const { workspace } = await newPlace();
      const { id, jar } = await newMember(workspace);
      const cookie = jar.header(base + path);
      const headers = { cookie, origin: base };
      for (let times = 0; times < 2; times += 1)
        await send(new Request(base + path, { method: "POST", headers }));
      expect((await sessions(workspace, id)).map(({ action }) => action)).toEqual([
        "session.ended",
        "session.opened",
      ]);
    },
  );

  it("begins the log of a workspace that somebody gets by it", async () => {
    const open = gatewayWith({ SIGN_UP: "open" });
    const by = await signedIn(open, await newAccount());
    const { body } = await api(open, { path: "/api/me", by });
    const { workspace, user } = body as { workspace: string; user: { id: string } };
    const actor = { type: "user", id: user.id };
    expect((await eventsOf(workspace)).toReversed()).toMatchObject([
      { actor, action: "workspace.created", target: workspace },
      { actor, action: "member.joined", target: user.id },
      { actor, action: "session.opened" },
    ]);
  });
});

describe("GET /api/audit", () => {
  async function withKeys(count: number): Promise<Place> {
    const place = await newPlace();
    const { token } = place;
    const client = adminClient(send, { token });
    for (let made = 0; made < count; made += 1) {
      const body = { name: `key ${made}` };
      await client.call("POST /api/harnesses/{id}/keys", { params: harness, body });
    }
    return place;
  }

  it("pages newest first, and filters by actor, action and time", async () => {
    const { token } = await withKeys(5);
    const client = adminClient(send, { token });
    const first = await client.call("GET /api/audit", { query: { limit: "2", action: "key" } });
    expect(first.data.map(({ after }) => after)).toMatchObject([
      { name: "key 4" },
      { name: "key 3" },
    ]);
    const before = String(first.next);
    const rest = await client.call("GET /api/audit", { query: { before, action: "key" } });
    expect(rest.data).toHaveLength(3);
    expect(rest).not.toHaveProperty("next");
    const count = async (query: Record<string, string>) =>
      (await client.call("GET /api/audit", { query })).data.length;
    expect(await count({ actor: "root" })).toBe(1);
    expect(await count({ actor: "workspace_token", action: "key.created" })).toBe(5);
    expect(await count({ action: "key.revoked" })).toBe(0);
    expect(await count({ from: new Date(Date.now() + 3600_000).toISOString() })).toBe(0);
    expect(await count({ to: new Date(Date.now() - 3600_000).toISOString() })).toBe(0);
    expect(await count({ from: new Date(Date.now() - 3600_000).toISOString() })).toBe(6);
    for (const query of ["?before=nonsense", "?limit=0", "?from=yesterday"]) {
      const { status } = await askAdmin(send, `GET /api/audit${query}`, { token });
      expect(status, query).toBe(400);
    }
  });

  it("exports what matches as lines whose hashes follow from each other", async () => {
    const place = await withKeys(3);
    const text = await exported(place, "?limit=1", "application/x-ndjson");
    const events = text.trimEnd().split("\n").toReversed();
    expect(events).toHaveLength(4);
    let hash = firstHash;
    for (const line of events) {
      const event = JSON.parse(line) as Parameters<typeof chainedHash>[1] & { hash: string };
      hash = chainedHash(hash, event);
      expect(event.hash).toBe(hash);
      // Whoever checks a file needs the line's own text and nothing else.
      expect(line.endsWith(`,"hash":"${hash}"}`)).toBe(true);
    }
  });

  it("exports CSV in which no cell is a formula", async () => {
    const place = await withKeys(1);
    await object(place.workspace).audit({
      actor: { type: "user", id: "=1+1", email: '@x,"y"' },
      action: "+cmd",
      target: "-2",
      after: "=HYPERLINK(0)",
    });
    const text = await exported(place, "", "text/csv");
    const [head, newest, ...rest] = text.trimEnd().split("\r\n");
    expect(head).toBe(
      '"id","time","actor_type","actor_id","actor_email","action","target","before","after","hash"',
    );
    expect(newest).toContain(`,"user","'=1+1","'@x,""y""","'+cmd","'-2","","""=HYPERLINK(0)""",`);
    expect(rest).toHaveLength(2);
  });

  it("streams 10,000 events page by page, and stops when nobody reads on", async () => {
    const place = await newPlace();
    const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(place.workspace));
    await runInDurableObject(stub, (_instance, { storage }) => {
      const log = new AuditLog(storage.sql);
      for (let made = 0; made < 10_000; made += 1)
        log.note({ type: "system", id: "" }, { action: "test.event", target: `${made}` });
    });
    const query = "?action=test.event";
    const lines = (await exported(place, query, "application/x-ndjson")).trimEnd().split("\n");
    expect(lines).toHaveLength(10_000);
    const headers = { authorization: `Bearer ${place.token}`, accept: "text/csv" };
    const answer = await send(new Request("http://gateway.test/api/audit", { headers }));
    const reader = answer.body?.getReader();
    const sizes = [(await reader?.read())?.value?.length, (await reader?.read())?.value?.length];
    // The head, then one page: not the whole log at once.
    expect(Math.max(...sizes.map(Number))).toBeLessThan(300_000);
    await reader?.cancel();
  });

  it("is closed to whoever has no right to change the workspace", async () => {
    const { token } = await newPlace();
    const { workspace } = await newPlace();
    const foreign = await askAdmin(send, "GET /api/audit", { token, workspace });
    expect(foreign.status).toBe(403);
    expect((await askAdmin(send, "GET /api/audit", { token: "" })).status).toBe(401);
  });
});

describe("secrets", () => {
  const canary = "canary-Zq7?~w4/secret+of=mine";

  it("are in no answer of the audit log or the history, in no spelling", async () => {
    const place = await newPlace();
    const client = adminClient(send, { token: place.token });
    const provider = (secret: string, team: string) => ({
      id: "lab",
      kind: "custom",
      format: "chat" as const,
      base_url: "https://lab.example/v1",
      api_key: secret,
      headers: { "x-token": `${secret}-2`, "x-team": team },
    });
    const put = async (...providers: ReturnType<typeof provider>[]) =>
      await client.call("PUT /api/config", { body: { ...other, providers } });
    await put(provider(canary, "a"));
    await put(provider("***", "b"), { ...provider(canary, "c"), id: "second" });
    await put(provider(`${canary}-new`, "b"));
    const params = harness;
    const made = await client.call("POST /api/harnesses/{id}/keys", { params });
    await client.call("POST /api/history/{n}/restore", { params: { n: "2" } });
    await client.call("DELETE /api/harnesses/{id}/keys/{keyId}", {
      params: { ...params, keyId: made.id },
    });
    const rotated = await client.call("POST /api/admin-token", {});
    const reader = { ...place, token: rotated.admin_token };
    const secrets = [canary, `${canary}-2`, `${canary}-new`, made.key, place.token, reader.token];
    const history = await adminClient(send, reader).call("GET /api/history", {});
    const answers = [
      await exported(reader, "", "application/json"),
      await exported(reader, "", "text/csv"),
      await exported(reader, "", "application/x-ndjson"),
      JSON.stringify(history),
    ].join("\n");
    for (const secret of secrets) {
      for (const spelling of spellingsOf(secret)) expect(answers).not.toContain(spelling);
    }
    expect(answers).not.toContain("sealed:");
    expect(answers).toContain('"providers.lab.api_key":"***"');
    expect(answers).toContain("second");
  });

  it("that are entered again as they are change nothing", async () => {
    const { workspace, token } = await newPlace();
    const client = adminClient(send, { token });
    const body = { ...other, providers: [{ id: "openai", kind: "openai", api_key: canary }] };
    await client.call("PUT /api/config", { body });
    const before = await eventsOf(workspace);
    await client.call("PUT /api/config", { body });
    expect(await eventsOf(workspace)).toEqual(before);
  });
});
