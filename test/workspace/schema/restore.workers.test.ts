/** Restoring a workspace: all of it or nothing, whatever is interrupted, and nothing for owners that is kept to watch them. */
import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { StoredValue } from "../../../src/store/backup/records.ts";
import { directoryStub } from "../../../src/workspace/remote.ts";
import type { RestoreTerms } from "../../../src/workspace/contract/restore.ts";
import worker from "../../../src/worker.ts";
import { adminClient } from "../../kit/admin-api.ts";
import {
  call,
  env,
  newHolder,
  newWorkspace,
  object,
  refusalOf,
  restart,
  stubOf,
} from "../workers-kit.ts";

const passphrase = "correct horse battery";
const send = async (request: Request) => worker.fetch(request, env, createExecutionContext());
const directory = () => directoryStub(env);
const credentialKey = btoa("k".repeat(32));
const owner: RestoreTerms = {
  by: { type: "workspace_token", id: "" },
  created: "2026-01-01T00:00:00.000Z",
  trust: "owner",
  whole: false,
};

async function made() {
  const root = adminClient(send, { token: env.ADMIN_TOKEN });
  const { id, admin_token: token } = await root.call("POST /api/workspaces", {
    body: { name: "One" },
  });
  return { id, token, client: adminClient(send, { token }) };
}

type Made = Awaited<ReturnType<typeof made>>;

async function backupOf({ client }: Pick<Made, "client">): Promise<Uint8Array> {
  const file = await client.call("POST /api/backup", { body: { passphrase } });
  return new Uint8Array(await file.arrayBuffer());
}

async function restored({ client }: Pick<Made, "client">, body: Uint8Array) {
  const headers = { "x-gateway-passphrase": passphrase };
  return await client.call("POST /api/restore", { body, headers });
}

/** Fills the workspace's staged tables with what it holds itself. */
async function staged(workspace: string, id: string): Promise<void> {
  const stub = object(workspace);
  const { schema, lasting, moving } = await stub.beginBackup();
  await stub.beginRestore(id, schema);
  for (const table of [...lasting, ...moving]) {
    let after: (string | number)[] | null = null;
    do {
      const page: { columns: string[]; rows: StoredValue[][]; next: (string | number)[] | null } =
        await stub.backupPage({ table, after, credentialKey });
      if (page.rows.length > 0) await stub.addRestoreRows(id, { table, ...page }, credentialKey);
      after = page.next;
    } while (after !== null);
  }
}

async function tables(workspace: string): Promise<string[]> {
  return await runInDurableObject(stubOf(workspace), (_instance, { storage }) =>
    Array.from(storage.sql.exec("SELECT name FROM sqlite_master"), ({ name }) => String(name)),
  );
}

async function isClean(workspace: string): Promise<boolean> {
  const names = await tables(workspace);
  return names.every((name) => !name.startsWith("staged_") && name !== "restoring");
}

describe("a restore that was interrupted", () => {
  it("has changed nothing before the directory's word", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    expect(refusalOf(await call(holder))).toBe("admitted");
    const before = await object(workspace).snapshot();
    for (const isReady of [false, true]) {
      const id = crypto.randomUUID();
      expect(
        await directory().beginRestore({
          id,
          workspaces: [workspace],
          trust: "owner",
          whole: false,
        }),
      ).toBe(true);
      await staged(workspace, id);
      if (isReady) await object(workspace).readyRestore(id, owner);
      // Whoever sent the file is gone, and another restore begins.
      await directory().endRestore(id);
      await restart(workspace);
      expect(await object(workspace).snapshot()).toEqual(before);
      expect(refusalOf(await call(holder))).toBe("admitted");
      await expect.poll(() => isClean(workspace)).toBe(true);
    }
  });

  it("is finished by the next start after the directory's word", async () => {
    const holder = await newHolder(newWorkspace());
    const { workspace } = holder;
    const id = crypto.randomUUID();
    await directory().beginRestore({ id, workspaces: [workspace], trust: "owner", whole: false });
    await staged(workspace, id);
    const { generation } = await object(workspace).snapshot();
    await object(workspace).readyRestore(id, owner);
    expect(await directory().decideRestore(id, false)).toBe(true);
    await restart(workspace);
    await expect
      .poll(
        async () =>
          (
            await object(workspace)
              .snapshot()
              .catch(() => undefined)
          )?.generation,
      )
      .toBe(generation + 2);
    // What isolates remember of before is old.
    expect(refusalOf(await call(holder))).toBe("stale");
    await expect.poll(() => isClean(workspace)).toBe(true);
    await directory().endRestore(id, workspace);
    expect(await directory().restoreStage(id)).toBe("unknown");
  });

  it("keeps its staged rows while it goes on beside a restart of the object", async () => {
    const { workspace } = await newHolder(newWorkspace());
    const id = crypto.randomUUID();
    await directory().beginRestore({ id, workspaces: [workspace], trust: "owner", whole: false });
    await staged(workspace, id);
    await restart(workspace);
    expect((await object(workspace).readyRestore(id, owner)).before.keys).toBe(1);
    await object(workspace).dropRestore(id);
    await directory().endRestore(id);
    expect(await isClean(workspace)).toBe(true);
  });
});

describe("a restored workspace", () => {
  it("has what it had, keeps the document of before as a version, and refuses keys made since", async () => {
    const one = await made();
    const harnesses = [{ id: "h", name: "H" }];
    await one.client.call("PUT /api/config", { body: { harnesses, timezone: "Asia/Tokyo" } });
    const params = { id: "h" };
    const old = await one.client.call("POST /api/harnesses/{id}/keys", { params });
    const file = await backupOf(one);
    const late = await one.client.call("POST /api/harnesses/{id}/keys", { params });
    await one.client.call("PUT /api/config", { body: { harnesses, timezone: "Europe/Berlin" } });
    const { workspaces } = await restored(one, file);
    expect(workspaces).toMatchObject([{ before: { keys: 2 }, after: { keys: 1 }, audit: "kept" }]);
    expect((await one.client.call("GET /api/config", {})).timezone).toBe("Asia/Tokyo");
    const { data: keys } = await one.client.call("GET /api/harnesses/{id}/keys", { params });
    expect(keys.map(({ id }) => id)).toEqual([old.id]);
    expect(await modelsWith(old.key)).toBe(200);
    expect(await modelsWith(late.key)).toBe(401);
    const { data: versions } = await one.client.call("GET /api/history", {});
    expect(versions.slice(0, 3).map(({ way }) => way)).toEqual(["backup", "before-backup", "api"]);
    const n = String(versions[1]?.n);
    await one.client.call("POST /api/history/{n}/restore", { params: { n } });
    expect((await one.client.call("GET /api/config", {})).timezone).toBe("Europe/Berlin");
  });

  it("keeps its audit log, so that no owner unmakes what they did", async () => {
    const one = await made();
    const file = await backupOf(one);
    await one.client.call("PUT /api/config", { body: { timezone: "Asia/Tokyo" } });
    await restored(one, file);
    const { data } = await one.client.call("GET /api/audit", {});
    const actions = data.map(({ action }) => action);
    expect(actions.slice(0, 3)).toEqual(["backup.restored", "config.changed", "backup.made"]);
  });

  it("is no other workspace, and takes from owners no file of another deployment", async () => {
    const [one, other] = [await made(), await made()];
    const file = await backupOf(one);
    await expect(restored(other, file)).rejects.toThrow("keys belong to their workspace");
    const foreign = { ...env, ENCRYPTION_KEY: btoa("f".repeat(32)) };
    const elsewhere = adminClient(
      async (request) => worker.fetch(request, foreign, createExecutionContext()),
      { token: one.token },
    );
    const made1 = await elsewhere.call("POST /api/backup", { body: { passphrase } });
    const fileOfOthers = new Uint8Array(await made1.arrayBuffer());
    await expect(restored(one, fileOfOthers)).rejects.toThrow("not made by this deployment");
    const root = adminClient(send, { token: env.ADMIN_TOKEN, workspace: one.id });
    expect((await restored({ client: root }, fileOfOthers)).workspaces).toMatchObject([
      { id: one.id },
    ]);
  });

  it("names the field at fault, and never repeats a passphrase", async () => {
    const one = await made();
    const file = await backupOf(one);
    for (const text of ["short", "x".repeat(20_000), "another passphrase", "UTF-8''%zz"]) {
      const headers = { "x-gateway-passphrase": text };
      const answer = one.client.call("POST /api/restore", { body: file, headers });
      const words = await answer.catch(String);
      expect(words).toContain("passphrase: ");
      expect(words).not.toContain(text);
    }
    const junk = new Uint8Array(1000).fill(65);
    await expect(restored(one, junk)).rejects.toThrow("file: is not a backup");
    expect(await isClean(one.id)).toBe(true);
  });
});

async function modelsWith(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await send(new Request("http://gateway.test/v1/models", { headers }));
  await answer.arrayBuffer();
  return answer.status;
}
