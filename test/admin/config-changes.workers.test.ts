/** Changes of the document that lose nothing: tried first, refused where another came in between. */
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { editConfig } from "../../src/admin/routes/document/config.ts";
import type { AdminScope } from "../../src/admin/shared/scope.ts";
import worker from "../../src/worker.ts";
import { adminClient, askAdmin, type Send } from "../kit/admin-api.ts";
import { env } from "../workspace/workers-kit.ts";

const send: Send = async (request) => worker.fetch(request, env, createExecutionContext());
const root = adminClient(send, { token: env.ADMIN_TOKEN });

async function newPlace() {
  const made = await root.call("POST /api/workspaces", { body: { name: "Test" } });
  const token = made.admin_token;
  const client = adminClient(send, { token });
  const ask = async (call: string, body?: unknown, headers: Record<string, string> = {}) =>
    await askAdmin(send, call, { token, headers, ...(body !== undefined && { body }) });
  const scope: AdminScope = {
    env,
    workspace: made.id,
    caller: { role: "owner", actor: { type: "workspace_token", id: "" } },
  };
  return { client, ask, scope };
}

const lab = { id: "lab", kind: "custom", format: "chat", base_url: "https://lab.example/v1" };
const full = {
  providers: [{ ...lab, api_key: "secret" }],
  harnesses: [
    { id: "default", name: "D" },
    { id: "team", name: "T" },
  ],
};

describe("a dry run", () => {
  it("says what would change and which keys would stop, and changes nothing", async () => {
    const { client, ask } = await newPlace();
    await ask("PUT /api/config", full);
    const key = await client.call("POST /api/harnesses/{id}/keys", {
      params: { id: "team" },
      body: { name: "laptop" },
    });
    const { status, json } = await ask("PUT /api/config?dry_run=true", {
      harnesses: [{ id: "default", name: "Other" }],
    });
    expect(status).toBe(200);
    expect(json).toEqual({
      dry_run: true,
      changes: [
        {
          path: "providers.lab",
          before: { ...lab, api_key: "***" },
        },
        { path: "harnesses.default.name", before: "D", after: "Other" },
        { path: "harnesses.team", before: { id: "team", name: "T" } },
      ],
      removes: { providers: ["lab"], harnesses: ["team"] },
      stops_keys: [{ id: key.id, name: "laptop", harness: "team", last4: key.key.slice(-4) }],
      returns_keys: [],
    });
    expect((await client.call("GET /api/config", {})).harnesses).toHaveLength(2);
    expect((await client.call("GET /api/history", {})).data).toHaveLength(2);
  });

  it("refuses what a change would refuse", async () => {
    const { ask } = await newPlace();
    const { status } = await ask("PUT /api/config?dry_run=true", { timezone: "Nowhere" });
    expect(status).toBe(400);
    expect((await ask("PUT /api/config?dry_run=perhaps", {})).status).toBe(400);
  });
});

describe("If-Match", () => {
  it("refuses a change that was made from another document", async () => {
    const { ask } = await newPlace();
    const first = (await ask("GET /api/config")).headers.get("etag") ?? "";
    expect(first).toMatch(/^"\d+"$/);
    const saved = await ask("PUT /api/config", full, { "if-match": first });
    expect(saved.status).toBe(200);
    const stale = await ask("PUT /api/config", {}, { "if-match": first });
    expect([stale.status, stale.json["error"]]).toEqual([
      412,
      expect.objectContaining({ code: "configuration_changed" }),
    ]);
    const newest = saved.headers.get("etag") ?? "";
    expect((await ask("GET /api/config")).headers.get("etag")).toBe(newest);
    const tried = await ask("PUT /api/config?dry_run=true", {}, { "if-match": first });
    expect(tried.status).toBe(412);
    for (const match of [`"nothing", ${newest}`, `W/${newest}`, "*"]) {
      const { status } = await ask("PUT /api/config?dry_run=true", {}, { "if-match": match });
      expect(status, match).toBe(200);
    }
  });

  it("is in the OpenAPI document, with the dry run", async () => {
    const { json } = await askAdmin(send, "GET /api/openapi.json", { token: "" });
    const text = JSON.stringify((json["paths"] as Record<string, unknown>)["/api/config"]);
    for (const word of ["If-Match", "ETag", "dry_run", "stops_keys"]) expect(text).toContain(word);
  });
});

describe("two changes at once", () => {
  it("of different settings are both kept", async () => {
    const { client, ask, scope } = await newPlace();
    await ask("PUT /api/config", full);
    const rename = (id: string) =>
      editConfig(scope, ({ harnesses = [], ...config }) => ({
        ...config,
        harnesses: harnesses.map((entry) => (entry.id === id ? { ...entry, name: "New" } : entry)),
      }));
    await Promise.all([rename("default"), rename("team")]);
    const { harnesses } = await client.call("GET /api/config", {});
    expect(harnesses?.map(({ name }) => name)).toEqual(["New", "New"]);
  });

  it("of one setting are refused to who had not seen the other, and nothing else is", async () => {
    const { client, ask, scope } = await newPlace();
    const { headers } = await ask("PUT /api/config", full);
    const seen = Number(headers.get("etag")?.replaceAll('"', ""));
    await ask("PUT /api/config", { ...full, timezone: "Asia/Tokyo" });
    const late = { ...scope, seen };
    const change = (timezone: string) => editConfig(late, (config) => ({ ...config, timezone }));
    await expect(change("Europe/Rome")).rejects.toThrow(
      /changed timezone while this page was open/,
    );
    await editConfig(late, (config) => ({ ...config, limits: [] }));
    await change("Asia/Tokyo");
    const { timezone, limits } = await client.call("GET /api/config", {});
    expect([timezone, limits]).toEqual(["Asia/Tokyo", []]);
  });
});
