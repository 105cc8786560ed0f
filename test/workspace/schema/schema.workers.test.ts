import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { makeKey } from "../../../src/store/keys.ts";
import { keyringOf } from "../../../src/store/keyring.ts";
import worker from "../../../src/worker.ts";
import type { RowConditions } from "../../../src/workspace/contract/reports.ts";
import { requestOutcomes } from "../../../src/workspace/contract/request-record.ts";
import type { DirectoryStub, IpStub } from "../../../src/workspace/remote.ts";
import { DirectoryObject, IpObject, WorkspaceObject } from "../../../src/worker-objects.ts";
import { workspaceMigrations } from "../../../src/workspace/storage/migrations.ts";
import { directoryMigrations } from "../../../src/workspace/accounts/migrations.ts";
import { migrate, type Migration } from "../../../src/workspace/storage/sql/schema-version.ts";
import { readSavedWindows } from "../../../src/workspace/address/saved-windows.ts";
import { writeDirectoryOfVersion2 } from "./directory-of-version-2.ts";
import * as old from "./state-before-versions.ts";
import { writeVersion2 } from "./state-of-version-2.ts";
import { rowsOfVersion5, writeVersion5 } from "./state-of-version-5.ts";
import { env, newWorkspace, object, restart, row } from "../workers-kit.ts";

type Sql = SqlStorage;

/** Empties the object's database, fills it and ends the instance: the stub that is returned opens what was written. */
async function reopened(
  find: () => DurableObjectStub,
  fill: (sql: Sql) => void,
): Promise<DurableObjectStub> {
  await runInDurableObject(find(), async (_instance, state) => {
    await state.storage.deleteAll();
    fill(state.storage.sql);
    await state.storage.sync();
    state.abort("restarted by a test");
  }).catch(() => undefined);
  return find();
}

function workspaceOf(name: string) {
  return env.WORKSPACE.get(env.WORKSPACE.idFromName(name));
}

/** Every table with its rows, as text. */
function contentOf(sql: Sql): string {
  const tables = sql.exec(
    "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE '_cf_%' ORDER BY name",
  );
  const rows = Array.from(tables, ({ name, sql: made }) => {
    const isTable = String(made).startsWith("CREATE TABLE");
    return [name, made, isTable ? sql.exec(`SELECT * FROM ${String(name)}`).toArray() : []];
  });
  return JSON.stringify(rows);
}

function versionOf(sql: Sql): unknown {
  return sql.exec("SELECT version FROM schema_version").one()["version"];
}

describe("a state from before there were schema versions", () => {
  it("of a workspace is taken over: document, keys, log, sums, blocks, conversations and leases", async () => {
    const workspace = newWorkspace();
    const now = Date.now();
    await reopened(
      () => workspaceOf(workspace),
      (sql) => old.writeOldWorkspace(sql, now),
    );
    const opened = object(workspace);
    expect(await opened.snapshot()).toEqual({ workspace, generation: 7, config: old.document });
    expect(await opened.listKeys("default")).toEqual([old.key]);
    expect(await opened.identify(old.key.hash)).toMatchObject({ key: old.key });
    expect(await opened.listRequests({ limit: 10 })).toEqual([{ seq: 41, record: old.logged }]);
    expect(await opened.findRequest("req_old")).toEqual({ ...old.logged, text: old.text });
    expect(await opened.sums({ from: 0, to: now + 1e6, group: "model" })).toEqual([
      {
        bucket: Math.floor(now / 900_000) * 900_000,
        group: "lab/one",
        requests: 4,
        errors: 1,
        input_tokens: 400,
        cached_tokens: 40,
        output_tokens: 80,
        cost: old.spent,
        blocked: 0,
        fallbacks: 0,
      },
    ]);
    expect(await opened.limits()).toMatchObject([{ used: 1.25, reserved: 0.00002, max: 5 }]);
    expect(await opened.blocks(10)).toEqual([{ ...old.block, node: "harness", id: "default" }]);
    expect(await opened.outcomes("default")).toEqual(old.outcomes);
    expect(await opened.status()).toMatchObject({
      seq: 41,
      inFlight: 1,
      rate: { remaining: 198 },
      monthly: { limit: 1000, used: 5 },
    });
    const asked = { harness: "default", candidates: [], flexible: false, session: "talk" };
    expect((await opened.foresee(asked)).session).toEqual(old.session);
    await opened.settleLate(row("req_open"));
    expect(await opened.status()).toMatchObject({ inFlight: 0, monthly: { used: 5 } });
    await runInDurableObject(workspaceOf(workspace), (_instance, { storage }) =>
      expect(versionOf(storage.sql)).toBe(workspaceMigrations.length),
    );
  });

  it("of the directory is taken over: workspaces, tokens and sessions", async () => {
    const directory = env.DIRECTORY.idFromName(newWorkspace());
    const stub = await reopened(
      () => env.DIRECTORY.get(directory),
      (sql) => old.writeOldDirectory(sql, Date.now()),
    );
    // The binding names this class.
    const opened = stub as unknown as DirectoryStub;
    expect((await opened.list()).map(({ id, name }) => [id, name])).toEqual([
      ["default", "Renamed"],
      ["ws_1", "One"],
    ]);
    expect(await opened.scopeOf({ given: "rotated", setting: "setting" })).toEqual({
      kind: "deployment",
    });
    const scope = { kind: "workspace", workspace: "ws_1" };
    expect(await opened.useSession({ id: "s", setting: "setting", active: true })).toEqual(scope);
    expect(await opened.countTry("a")).toBe(0);
  });

  it("of an address opens, and counts anew", async () => {
    const id = env.IP.idFromName(newWorkspace());
    const stub = await reopened(
      () => env.IP.get(id),
      (sql) => old.writeOldAddress(sql, Date.now()),
    );
    // The binding names this class.
    const opened = stub as unknown as IpStub;
    const caller = { address: "192.0.2.1", standing: "keyed" } as const;
    for (let sent = 0; sent < 150; sent += 1) expect((await opened.hit(caller)).ok).toBe(true);
    const read = () =>
      runInDurableObject(stub, (_instance, { storage }) => readSavedWindows(storage.sql));
    while ((await read()).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await runInDurableObject(stub, (_instance, { storage }) =>
      expect(contentOf(storage.sql)).not.toContain('"log"'),
    );
  });
});

describe("a directory of version 2", () => {
  it("keeps its workspaces, its tokens and the sessions that they opened", async () => {
    const directory = env.DIRECTORY.idFromName(newWorkspace());
    const stub = await reopened(
      () => env.DIRECTORY.get(directory),
      (sql) => writeDirectoryOfVersion2(sql, Date.now() - 60_000),
    );
    // The binding names this class.
    const opened = stub as unknown as DirectoryStub;
    expect((await opened.list()).map(({ id }) => id)).toEqual(["default", "ws_1"]);
    const use = { setting: "setting", issuer: null, active: true, next: "n" };
    expect(await opened.resumeSession({ ...use, id: "s" })).toEqual({
      handle: expect.stringMatching(/^ses_/),
      scope: { kind: "workspace", workspace: "ws_1" },
      rotated: false,
    });
    const found = await opened.resumeSession({ ...use, id: "d" });
    expect(found?.scope).toEqual({ kind: "deployment" });
    expect(await opened.sessions({ kind: "deployment" })).toEqual([
      { handle: found?.handle, agent: "", created: expect.any(Number), used: expect.any(Number) },
    ]);
    const identity = { issuer: "i", subject: "s", email: "a@b.test", name: "A", groups: [] };
    const outcome = await opened.arrive({
      identity,
      signUp: "open",
      operator: false,
      invitation: null,
      login: "l",
      ownWorkspace: "ws_2",
      ownPlan: null,
      session: { id: "p", agent: "" },
      prepared: ["ws_2"],
    });
    expect(outcome).toMatchObject({ kind: "entered", changes: [{ workspace: "ws_2" }] });
  });
});

describe("a state of the version before keys had limits, models and persons", () => {
  it("opens: its keys are as they were, and can be limited", async () => {
    const workspace = newWorkspace();
    await reopened(
      () => workspaceOf(workspace),
      (sql) => writeVersion2(sql, Date.now()),
    );
    const opened = object(workspace);
    expect(await opened.listKeys("default")).toEqual([old.key]);
    expect(await opened.personLimits()).toEqual({});
    const [limit] = [{ metric: "tokens", period: "day", max: 9, action: "block" } as const];
    const of = { harness: "default", id: old.key.id };
    const changed = await opened.changeKey(of, { limits: [limit], models: ["lab/*"] });
    expect(changed).toEqual({ ...old.key, limits: [limit], models: ["lab/*"], version: 1 });
    expect(await opened.listRequests({ limit: 10 })).toEqual([{ seq: 41, record: old.logged }]);
    expect(await opened.listRequests({ limit: 10, person: "usr_1" })).toEqual([]);
    // The request under way ends with what its lease says: its key is the record's.
    await opened.settleLate(row("req_open", { key_id: old.key.id }));
    expect(await opened.status()).toMatchObject({ inFlight: 0 });
    // Reading the log writes everything down first.
    expect(await opened.listRequests({ limit: 10 })).toHaveLength(2);
    await restart(workspace);
    const again = object(workspace);
    expect(await again.listKeys("default")).toEqual([changed]);
    expect(await again.limits()).toMatchObject([
      { node: "harness", id: "default", harness: "default" },
      { node: "key", id: old.key.id, harness: "", used: 20, reserved: 0 },
    ]);
  });
});

describe("a state of the version before rows of the log said how requests ended", () => {
  it("opens: its rows are as they were, with their texts, and new ones have what is added up", async () => {
    const workspace = newWorkspace();
    const now = Date.now();
    await reopened(
      () => workspaceOf(workspace),
      (sql) => writeVersion5(sql, now),
    );
    const opened = object(workspace);
    // The key is there still, and called so.
    const named = (record: (typeof rowsOfVersion5)[number]) =>
      "key_id" in record ? { ...record, key_name: old.key.name } : record;
    const before = rowsOfVersion5.map((record, n) => ({ seq: 41 + n, record: named(record) }));
    expect(await opened.listRequests({ limit: 10 })).toEqual(before.toReversed());
    expect(await opened.findRequest("req_old")).toEqual({ ...before[0]?.record, text: old.text });
    expect(await opened.status()).toMatchObject({ seq: 45, inFlight: 1 });
    const found = async (conditions: RowConditions) =>
      (await opened.searchRequests({ ...conditions, limit: 10 })).rows.map(({ seq }) => seq);
    // The rows are one of each, in this order.
    for (const [index, outcome] of requestOutcomes.entries())
      expect(await found({ outcomes: [outcome] }), outcome).toEqual([41 + index]);
    expect(await found({ provider: "spare" })).toEqual([42]);
    expect(await found({ minCost: 0.3 })).toEqual([45, 41]);
    expect(await found({ key: old.key.name })).toEqual([42, 41]);
    expect(await found({ text: "NO SUCH" })).toEqual([43]);
    expect(await found({ text: "hello" })).toEqual([41]);
    const time = Date.parse(old.logged.time);
    expect(await found({ from: time, to: time + 1 })).toHaveLength(5);
    expect(await found({ from: time + 1 })).toEqual([]);
    expect(await opened.addUpRequests({ provider: "lab" })).toMatchObject({ requests: 2, cost: 1 });
    const said = { outcome: "ok", session_id: "s", agent: "a", role: "main" } as const;
    const kept = { request: "hello", answer: "hi" };
    const ended = row("req_open", { ...said, tags: { team: "red" }, text: kept });
    await opened.settleLate(ended);
    expect(await opened.findRequest("req_open")).toMatchObject({ ...said, text: kept });
    await runInDurableObject(workspaceOf(workspace), (_instance, { storage: { sql } }) => {
      const columns = "time, outcome, provider, cost, input, output, session, agent, role, tags";
      expect(sql.exec(`SELECT ${columns} FROM requests WHERE seq = 46`).one()).toEqual({
        time: Date.parse(ended.time),
        outcome: "ok",
        provider: "lab",
        cost: 0.00002,
        input: 10,
        output: 10,
        session: "s",
        agent: "a",
        role: "main",
        tags: '{"team":"red"}',
      });
      expect(versionOf(sql)).toBe(workspaceMigrations.length);
    });
  });
});

describe("a directory of version 3", () => {
  it("keeps its people, who can sign programs in from then on", async () => {
    const directory = env.DIRECTORY.idFromName(newWorkspace());
    await runInDurableObject(env.DIRECTORY.get(directory), async (_instance, state) => {
      await state.storage.deleteAll();
      migrate(state.storage, directoryMigrations.slice(0, 3));
      state.storage.sql.exec(`
        INSERT INTO users (id, issuer, subject, email, name, groups, created, seen)
        VALUES ('usr_1', 'i', 's', 'a@b.test', 'A', '[]', 1, 1)`);
      await state.storage.sync();
      state.abort("restarted by a test");
    }).catch(() => undefined);
    // The binding names this class.
    const opened = env.DIRECTORY.get(directory) as unknown as DirectoryStub;
    expect(await opened.person("usr_1")).toMatchObject({ email: "a@b.test" });
    const grant = { device: "d", code: "BCDF-GHJK", address: "direct", agent: "" };
    expect(await opened.openDevice(grant)).toBe("opened");
    expect(await opened.findDevice("BCDF-GHJK")).toMatchObject({ address: "direct" });
  });
});

describe("a directory of version 5", () => {
  it("shows that it writes", async () => {
    const directory = env.DIRECTORY.idFromName(newWorkspace());
    await runInDurableObject(env.DIRECTORY.get(directory), async (_instance, state) => {
      await state.storage.deleteAll();
      migrate(state.storage, directoryMigrations.slice(0, 5));
      await state.storage.sync();
      state.abort("restarted by a test");
    }).catch(() => undefined);
    // The binding names this class.
    await (env.DIRECTORY.get(directory) as unknown as DirectoryStub).proveWrite();
    await runInDurableObject(env.DIRECTORY.get(directory), (_instance, state) => {
      expect(state.storage.sql.exec("SELECT * FROM write_proof").toArray()).toEqual([
        { one: 1, writes: 1 },
      ]);
    });
  });
});

describe("a state that a newer version wrote", () => {
  const newer = (sql: Sql) => {
    sql.exec("CREATE TABLE schema_version (one INTEGER PRIMARY KEY, version INTEGER NOT NULL)");
    sql.exec("INSERT INTO schema_version (one, version) VALUES (1, 1000)");
    sql.exec("CREATE TABLE things (name TEXT PRIMARY KEY)");
    sql.exec("INSERT INTO things (name) VALUES ('kept')");
  };
  const words =
    /written by a newer version \(schema 1000\), this version knows \d+; start the newer version/;

  it("is refused by every call", async () => {
    const workspace = newWorkspace();
    await reopened(() => workspaceOf(workspace), newer);
    const calls = [
      async () => await object(workspace).snapshot(),
      async () => await object(workspace).putConfig({}, 1),
      async () => await object(workspace).settleLate(row("a")),
    ];
    for (const call of calls) await expect(call()).rejects.toThrow(words);
  });

  it.each([WorkspaceObject, DirectoryObject, IpObject])("is not touched by %o", async (Class) => {
    await runInDurableObject(workspaceOf(newWorkspace()), async (_instance, state) => {
      await state.storage.deleteAll();
      newer(state.storage.sql);
      const before = contentOf(state.storage.sql);
      expect(() => new Class(state, env)).toThrow(words);
      expect(contentOf(state.storage.sql)).toBe(before);
    });
  });

  it("is a fault of the gateway's own to the caller, and the log says what to do", async () => {
    const workspace = newWorkspace();
    const text = await makeKey(workspace, await keyringOf(env.ENCRYPTION_KEY));
    await reopened(() => workspaceOf(workspace), newer);
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const headers = { authorization: `Bearer ${text}`, "content-type": "application/json" };
    const body = JSON.stringify({ model: "auto", messages: [{ role: "user", content: "hi" }] });
    const request = new Request("http://gateway.test/v1/chat/completions", {
      method: "POST",
      headers,
      body,
    });
    const answer = await worker.fetch(request, env, createExecutionContext());
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain("M500");
    expect(log.mock.calls.flat().join()).toMatch(words);
    log.mockRestore();
  });

  it("is told to an administrator in words, under a code of its own", async () => {
    await reopened(() => workspaceOf("default"), newer);
    const headers = { authorization: `Bearer ${env.ADMIN_TOKEN}` };
    const request = new Request("http://gateway.test/api/status", { headers });
    const answer = await worker.fetch(request, env, createExecutionContext());
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: { message: expect.stringMatching(words), type: "server_error", code: "newer_state" },
    });
  });
});

describe("migrations", () => {
  /** The object's own tables stay; these are others in the same database. */
  async function onDisk(run: (storage: DurableObjectStorage) => void): Promise<void> {
    await runInDurableObject(workspaceOf(newWorkspace()), async (_instance, { storage }) => {
      await storage.deleteAll();
      run(storage);
    });
  }
  const note =
    (text: string): Migration =>
    (sql) => {
      sql.exec("CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL)");
      sql.exec("INSERT INTO notes (text) VALUES (?)", text);
    };
  const notes = (sql: Sql) =>
    sql
      .exec("SELECT text FROM notes ORDER BY id")
      .toArray()
      .map(({ text }) => text);

  it("run in order, each once", () =>
    onDisk((storage) => {
      migrate(storage, [note("one")]);
      migrate(storage, [note("one"), note("two"), note("three")]);
      migrate(storage, [note("one"), note("two"), note("three")]);
      expect(notes(storage.sql)).toEqual(["one", "two", "three"]);
      expect(versionOf(storage.sql)).toBe(3);
    }));

  it("leave the state as it was when one fails, and go on from there later", () =>
    onDisk((storage) => {
      migrate(storage, [note("one")]);
      const before = contentOf(storage.sql);
      const failing: Migration = (sql) => {
        note("half")(sql);
        sql.exec("DROP TABLE nothing");
      };
      expect(() => migrate(storage, [note("one"), failing, note("three")])).toThrow("nothing");
      expect(contentOf(storage.sql)).toBe(before);
      migrate(storage, [note("one"), note("two"), note("three")]);
      expect(notes(storage.sql)).toEqual(["one", "two", "three"]);
    }));

  it("of a newer version are refused before anything is written", () =>
    onDisk((storage) => {
      migrate(storage, [note("one"), note("two")]);
      const before = contentOf(storage.sql);
      expect(() => migrate(storage, [note("one")])).toThrow("(schema 2), this version knows 1");
      expect(contentOf(storage.sql)).toBe(before);
    }));

  it("of a workspace write nothing where the tables are up to date", async () => {
    const workspace = newWorkspace();
    await object(workspace).snapshot();
    const read = () =>
      runInDurableObject(workspaceOf(workspace), (_instance, { storage }) =>
        contentOf(storage.sql),
      );
    const before = await read();
    await restart(workspace);
    expect(await read()).toBe(before);
  });
});
