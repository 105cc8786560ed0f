/** Versions of the document: kept with sealed secrets, renewed with them, and taken over from states without. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/store/config.ts";
import type { Env } from "../../../src/store/env.ts";
import { keyringOf } from "../../../src/store/keyring.ts";
import { openedSecrets, sealedConfig } from "../../../src/store/secrets.ts";
import { WorkspaceObject } from "../../../src/worker-objects.ts";
import { workspaceMigrations } from "../../../src/workspace/storage/migrations.ts";
import { migrate } from "../../../src/workspace/storage/sql/schema-version.ts";
import * as old from "./state-before-versions.ts";
import { writeDocument, writeTables } from "./state-of-version-1.ts";
import { env, newWorkspace, object, putConfig, restart } from "../workers-kit.ts";

function objectOf(workspace: string) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
}

/** Opens the workspace once more with other settings, and ends that instance when it has woken. */
async function wakeWith(workspace: string, settings: Partial<Env>): Promise<void> {
  await runInDurableObject(objectOf(workspace), async (_instance, state) => {
    const woken = new WorkspaceObject(state, { ...env, ...settings });
    // Queued behind what the constructor blocks with.
    await state.blockConcurrencyWhile(async () => woken.snapshot());
    await state.storage.sync();
  });
  await restart(workspace);
}

async function withTables(fill: (storage: DurableObjectStorage) => void): Promise<string> {
  const workspace = newWorkspace();
  await runInDurableObject(objectOf(workspace), async (_instance, state) => {
    await state.storage.deleteAll();
    fill(state.storage);
    await state.storage.sync();
    state.abort("restarted by a test");
  }).catch(() => undefined);
  return workspace;
}

function provider(change: Partial<NonNullable<Config["providers"]>[number]> = {}): Config {
  const lab = { id: "lab", kind: "custom", format: "chat", base_url: "https://lab.example/v1" };
  return { providers: [{ ...lab, format: "chat", ...change }] };
}

describe("versions of the document", () => {
  it("are one for each change, with who made it and what it changed; the last 50 are kept", async () => {
    const workspace = newWorkspace();
    for (let made = 0; made < 60; made += 1) {
      const { generation } = await object(workspace).snapshot();
      const config = { harnesses: [{ id: "default", name: `N${made}` }] };
      await object(workspace).putConfig(config, generation, { type: "user", id: `usr_${made}` });
    }
    const versions = await object(workspace).versions(50);
    expect(versions.map(({ n }) => n)).toEqual(Array.from({ length: 50 }, (_, at) => 61 - at));
    expect(versions[0]).toMatchObject({
      actor: { type: "user", id: "usr_59" },
      changes: [{ path: "harnesses.default.name", before: "N58", after: "N59" }],
      more: 0,
    });
    expect(await object(workspace).versionDocument(61)).toEqual({
      harnesses: [{ id: "default", name: "N59" }],
    });
    expect(await object(workspace).versionDocument(11)).toBeUndefined();
  });

  it.each([
    [
      "before there were numbers",
      ({ sql }: DurableObjectStorage) => old.writeOldWorkspace(sql, Date.now()),
    ],
    [
      "of the first number",
      ({ sql }: DurableObjectStorage) => {
        writeTables(sql);
        writeDocument(sql, old.document);
      },
    ],
    [
      "of the second number",
      (storage: DurableObjectStorage) => {
        migrate(storage, workspaceMigrations.slice(0, 2));
        writeDocument(storage.sql, old.document);
      },
    ],
  ])("of a state %s begin with the document as it was", async (_name, fill) => {
    const workspace = await withTables(fill);
    const { generation, config } = await object(workspace).snapshot();
    expect(await object(workspace).versions(50)).toEqual([
      {
        n: generation,
        time: expect.stringMatching(/^\d{4}-/),
        actor: { type: "system", id: "" },
        changes: [],
        more: 0,
      },
    ]);
    expect(await object(workspace).versionDocument(generation)).toEqual(config);
    expect((await object(workspace).pageAudit({ limit: 1 })).events).toEqual([]);
    await putConfig(workspace, { timezone: "UTC" });
    await restart(workspace);
    expect((await object(workspace).versions(50)).map(({ n }) => n)).toEqual([
      generation + 1,
      generation,
    ]);
  });

  it("have their secrets sealed by the newest key after a rotation, and no event tells of it", async () => {
    const workspace = newWorkspace();
    const [first = ""] = env.ENCRYPTION_KEY.split(",");
    const second = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));
    const ring = await keyringOf(first);
    for (const secret of ["first secret", "second secret"]) {
      const { config: stored } = await object(workspace).snapshot();
      const config = provider({ api_key: secret, headers: { "x-token": `${secret} too` } });
      await putConfig(workspace, await sealedConfig(config, { workspace, stored, ring }));
    }
    const events = async () => (await object(workspace).pageAudit({ limit: 100 })).events;
    const before = await events();
    await wakeWith(workspace, { ENCRYPTION_KEY: `${second},${first}` });
    const onlySecond = await keyringOf(second);
    const opened = async (config: Config | undefined) => {
      const [entry] = config?.providers ?? [];
      if (entry === undefined) throw new Error("the provider is gone");
      return await openedSecrets(entry, workspace, onlySecond);
    };
    for (const [n, secret] of [
      [2, "first secret"],
      [3, "second secret"],
    ] as const)
      expect(await opened(await object(workspace).versionDocument(n))).toEqual({
        apiKey: secret,
        headers: { "x-token": `${secret} too` },
      });
    expect(await opened((await object(workspace).snapshot()).config)).toMatchObject({
      apiKey: "second secret",
    });
    expect(await events()).toEqual(before);
    expect(await object(workspace).versions(50)).toHaveLength(3);
  });

  it("that were stored in the clear are sealed when their workspace wakes", async () => {
    const workspace = newWorkspace();
    await putConfig(workspace, provider({ headers: { "X-Signature": "hush" } }));
    await restart(workspace);
    expect(JSON.stringify(await object(workspace).versionDocument(2))).not.toContain("hush");
    const onDisk = await runInDurableObject(objectOf(workspace), (_instance, { storage }) =>
      JSON.stringify(storage.sql.exec("SELECT * FROM versions").toArray()),
    );
    expect(onDisk).not.toContain("hush");
  });
});
