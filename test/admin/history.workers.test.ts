/** Versions of the document through the admin API: what they show, and what putting one back brings back. */
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Config } from "../../src/store/config.ts";
import type { Env } from "../../src/store/env.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import { openedSecrets } from "../../src/store/secrets.ts";
import worker from "../../src/worker.ts";
import { type AdminClient, adminClient, askAdmin } from "../kit/admin-api.ts";
import { env, object } from "../workspace/workers-kit.ts";

function clientWith(settings: Partial<Env>, token: string) {
  return adminClient(
    async (request) => worker.fetch(request, { ...env, ...settings }, createExecutionContext()),
    { token },
  );
}

async function newPlace() {
  const deployment = clientWith({}, env.ADMIN_TOKEN);
  const made = await deployment.call("POST /api/workspaces", { body: { name: "Test" } });
  return {
    workspace: made.id,
    token: made.admin_token,
    client: clientWith({}, made.admin_token),
  };
}

const lab = {
  id: "lab",
  kind: "custom",
  format: "chat" as const,
  base_url: "https://lab.example/v1",
};

function document(apiKey: string, harnesses = ["default"]): Config {
  return {
    providers: [{ ...lab, api_key: apiKey }],
    harnesses: harnesses.map((id) => ({ id, name: id })),
  };
}

async function put(client: AdminClient, body: Config): Promise<void> {
  await client.call("PUT /api/config", { body });
}

async function restore(client: AdminClient, n: number): Promise<Config> {
  return await client.call("POST /api/history/{n}/restore", { params: { n: String(n) } });
}

/** The secret of the provider `lab` in the document that is in force. */
async function secretOf(workspace: string, keys = env.ENCRYPTION_KEY) {
  const { config } = await object(workspace).snapshot();
  const [entry] = config.providers ?? [];
  if (entry === undefined) throw new Error("the provider is gone");
  return (await openedSecrets(entry, workspace, await keyringOf(keys))).apiKey;
}

describe("a version that is put back", () => {
  it("is the document of then, with its secrets, as a new version", async () => {
    const { workspace, client } = await newPlace();
    await put(client, document("first"));
    await put(client, document("second", ["default", "more"]));
    const restored = await restore(client, 2);
    expect(restored).toEqual(await client.call("GET /api/config", {}));
    expect(restored).toEqual(document("***"));
    expect(await secretOf(workspace)).toBe("first");
    const { data } = await client.call("GET /api/history", {});
    expect(data.map(({ n }) => n)).toEqual([4, 3, 2, 1]);
    expect(data[0]).toMatchObject({
      actor: { type: "workspace_token", id: "" },
      changes: [
        { path: "providers.lab.api_key", before: "***", after: "***" },
        { path: "harnesses.more", before: { id: "more", name: "more" } },
      ],
    });
    const audit = await client.call("GET /api/audit", { query: { limit: "1" } });
    expect(audit.data[0]).toMatchObject({
      action: "config.restored",
      target: "4",
      after: { restored_version: 2 },
    });
  });

  it("brings back the keys of harnesses that it brings back, and leaves revoked ones revoked", async () => {
    const { client } = await newPlace();
    await put(client, document("first", ["default", "gone"]));
    const create = async (id: string) =>
      await client.call("POST /api/harnesses/{id}/keys", { params: { id } });
    const [kept, lost, revoked, withdrawn] = [
      await create("default"),
      await create("gone"),
      await create("default"),
      await create("gone"),
    ];
    const revoke = async (id: string, keyId: string) =>
      await client.call("DELETE /api/harnesses/{id}/keys/{keyId}", { params: { id, keyId } });
    await revoke("default", revoked.id);
    await revoke("gone", withdrawn.id);
    await put(client, document("first"));
    await restore(client, 2);
    const idsOf = async (id: string) =>
      (await client.call("GET /api/harnesses/{id}/keys", { params: { id } })).data.map(
        (key) => key.id,
      );
    expect(await idsOf("default")).toEqual([kept.id]);
    expect(await idsOf("gone")).toEqual([lost.id]);
    const { data } = await client.call("GET /api/audit", { query: { action: "key.restored" } });
    expect(data.map(({ target }) => target)).toEqual([lost.id]);
  });

  it("tells how each version was made", async () => {
    const { client } = await newPlace();
    await put(client, document("first"));
    await put(client, document("second"));
    await restore(client, 2);
    const { data } = await client.call("GET /api/history", {});
    expect(data.map(({ way, restored }) => [way, restored])).toEqual([
      ["restore", 2],
      ["api", undefined],
      ["api", undefined],
      [undefined, undefined],
    ]);
  });

  it("that is in force already makes no new version", async () => {
    const { workspace, client } = await newPlace();
    await put(client, document("first"));
    await restore(client, 2);
    expect((await client.call("GET /api/history", {})).data).toHaveLength(2);
    expect(await secretOf(workspace)).toBe("first");
  });

  it("is sealed by the newest key after a rotation", async () => {
    const { workspace, token, client } = await newPlace();
    await put(client, document("first"));
    await put(client, document("second"));
    const newest = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const rotated = clientWith({ ENCRYPTION_KEY: `${newest},${env.ENCRYPTION_KEY}` }, token);
    await restore(rotated, 2);
    expect(await secretOf(workspace, newest)).toBe("first");
  });

  it("whose secret no key opens any more keeps the one that is stored, where it is of the same server", async () => {
    const { workspace, token, client } = await newPlace();
    await put(client, document("first"));
    await put(client, { ...document("second"), timezone: "Asia/Tokyo" });
    const newest = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const lost = clientWith({ ENCRYPTION_KEY: newest }, token);
    expect((await restore(lost, 2)).timezone).toBeUndefined();
    expect(await secretOf(workspace)).toBe("second");
    await put(client, {
      providers: [{ ...lab, base_url: "https://other.example/v1", api_key: "third" }],
    });
    await expect(restore(lost, 2)).rejects.toThrow("enter the secret again");
  });

  it("is refused where there is none, and where it breaks a rule of today", async () => {
    const { token, client } = await newPlace();
    const send = async (request: Request) =>
      worker.fetch(request, { ...env, MODE: "cloud" }, createExecutionContext());
    for (const n of ["99", "0", "-1", "1e3", "x", "%20"]) {
      const { status } = await askAdmin(send, `POST /api/history/${n}/restore`, { token });
      expect(status, n).toBe(404);
    }
    await put(client, { providers: [{ ...lab, base_url: "http://127.0.0.1:9/v1" }] });
    await put(client, document("first"));
    const refused = await askAdmin(send, "POST /api/history/2/restore", { token });
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([
      400,
      expect.stringContaining("private_address"),
    ]);
  });
});
