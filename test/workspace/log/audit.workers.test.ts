/** The audit log of a workspace: written with each change, never altered, chained, read in bounded pages. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { AuditLog } from "../../../src/workspace/audit-log.ts";
import type { Actor, LoggedEvent } from "../../../src/workspace/contract/audit.ts";
import { chainedHash, firstHash } from "../../../src/workspace/rules/audit/audit-chain.ts";
import { env, newKey, newWorkspace, object } from "../workers-kit.ts";

const owner: Actor = { type: "user", id: "usr_1", email: "owner@example.com" };
const root: Actor = { type: "root", id: "" };

async function onDisk<Result>(workspace: string, run: (sql: SqlStorage) => Result) {
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  return await runInDurableObject(stub, (_instance, { storage }) => run(storage.sql));
}

async function eventsOf(workspace: string, limit = 100): Promise<LoggedEvent[]> {
  return (await object(workspace).pageAudit({ limit })).events;
}

async function withEvents(count: number): Promise<string> {
  const workspace = newWorkspace();
  await object(workspace).snapshot();
  await onDisk(workspace, (sql) => {
    const log = new AuditLog(sql);
    for (let made = 0; made < count; made += 1)
      log.note(made % 10 === 0 ? owner : root, { action: "key.created", target: `key_${made}` });
  });
  return workspace;
}

describe("every change of a workspace", () => {
  it("is an event by its actor: document, keys, outcomes, quota", async () => {
    const workspace = newWorkspace();
    const { generation, config } = await object(workspace).snapshot();
    await object(workspace).putConfig({ ...config, timezone: "Asia/Tokyo" }, generation, owner);
    const { id } = await newKey(workspace);
    await object(workspace).deleteKey("default", id, owner);
    await object(workspace).setQuota(7, root);
    expect(await eventsOf(workspace)).toMatchObject([
      {
        actor: root,
        action: "quota.changed",
        target: workspace,
        before: { monthly_requests: null },
        after: { monthly_requests: 7 },
      },
      { actor: owner, action: "key.revoked", target: id, before: { harness: "default" } },
      {
        // The version before does not say who.
        actor: { type: "system", id: "" },
        action: "key.created",
        target: id,
        after: { name: "test", last4: expect.stringMatching(/^.{4}$/) },
      },
      {
        actor: owner,
        action: "config.changed",
        target: "2",
        before: { timezone: "UTC" },
        after: { timezone: "Asia/Tokyo" },
      },
    ]);
  });

  it("leaves no event when it changed nothing", async () => {
    const workspace = newWorkspace();
    const { generation, config } = await object(workspace).snapshot();
    await object(workspace).putConfig(config, generation, owner);
    await object(workspace).setQuota(null, owner);
    await object(workspace).forgetOutcomes("default", owner);
    expect(await object(workspace).deleteKey("default", "key_none", owner)).toBe(false);
    expect(await eventsOf(workspace)).toEqual([]);
    expect(await object(workspace).versions(50)).toHaveLength(1);
  });

  it("names the keys that went with their harness", async () => {
    const workspace = newWorkspace();
    const { id } = await newKey(workspace);
    const { generation } = await object(workspace).snapshot();
    await object(workspace).putConfig({ harnesses: [] }, generation, owner);
    const events = await eventsOf(workspace);
    expect(events.map(({ action, target }) => [action, target])).toEqual([
      ["key.revoked", id],
      ["config.changed", "2"],
      ["key.created", id],
    ]);
    expect(events[0]?.actor).toEqual(owner);
  });

  it("is undone with its event when the transaction fails", async () => {
    const workspace = newWorkspace();
    const { generation, config } = await object(workspace).snapshot();
    await onDisk(workspace, (sql) => {
      sql.exec("ALTER TABLE audit RENAME COLUMN hash TO other");
    });
    const changed = { ...config, timezone: "Asia/Tokyo" };
    await expect(
      (async () => await object(workspace).putConfig(changed, generation, owner))(),
    ).rejects.toThrow("hash");
    expect((await object(workspace).snapshot()).config.timezone).toBe("UTC");
    expect(await object(workspace).versions(50)).toHaveLength(1);
  });
});

describe("an event", () => {
  it.each([
    "UPDATE audit SET target = 'other'",
    "UPDATE audit SET hash = '' WHERE seq = 2",
    "UPDATE OR REPLACE audit SET seq = 1 WHERE seq = 2",
    "DELETE FROM audit",
    "DELETE FROM audit WHERE seq = 3",
    "INSERT OR REPLACE INTO audit SELECT seq, id, time, actor_type, actor_id, actor_email, action, 'other', before, after, hash FROM audit WHERE seq = 2",
    "REPLACE INTO audit SELECT 3, id, time, actor_type, actor_id, actor_email, action, 'other', before, after, hash FROM audit WHERE seq = 2",
    "INSERT INTO audit SELECT 9, id, time, actor_type, actor_id, actor_email, action, target, before, after, hash FROM audit WHERE seq = 3",
    "INSERT INTO audit SELECT 4, id, time - 1000000, actor_type, actor_id, actor_email, action, target, before, after, hash FROM audit WHERE seq = 3",
    "INSERT INTO audit (seq, id, time, actor_type, actor_id, action, target, hash) VALUES (-1, 'a', 1, 'root', '', 'a', 'b', 'c')",
  ])("cannot be altered: %s", async (statement) => {
    const workspace = await withEvents(3);
    const before = await eventsOf(workspace);
    await onDisk(workspace, (sql) => expect(() => sql.exec(statement)).toThrow(/audit log/));
    expect(await eventsOf(workspace)).toEqual(before);
  });

  it("goes with the whole workspace only", async () => {
    const workspace = await withEvents(3);
    const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
    await runInDurableObject(stub, async (_instance, { storage }) => {
      await storage.deleteAll();
      const tables = storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'audit'");
      expect(tables.toArray()).toEqual([]);
    });
  });

  it("carries the hash of the one before: whatever is altered shows", async () => {
    const workspace = await withEvents(20);
    const events = (await eventsOf(workspace)).toReversed();
    const follows = (list: readonly LoggedEvent[]) =>
      list.every((event, at) => event.hash === chainedHash(list[at - 1]?.hash ?? firstHash, event));
    expect(follows(events)).toBe(true);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    for (const change of [{ target: "x" }, { time: "2020-01-01T00:00:00.000Z" }, { actor: root }])
      expect(
        follows(events.map((event, at) => (at === 10 ? { ...event, ...change } : event))),
      ).toBe(false);
    expect(follows(events.toSpliced(10, 1))).toBe(false);
  });

  it("reads back as it was hashed, whatever its texts hold", async () => {
    const workspace = newWorkspace();
    const odd = "a\u0000b\ud800\u2028\"'%_\n";
    const actor: Actor = { type: "user", id: odd, email: odd };
    const facts = { [odd]: odd, "7": 1, __proto: { toString: [null, -0, 1e21, "é"] } };
    await object(workspace).audit({ actor, action: odd, target: odd.repeat(200), after: facts });
    const [event] = await eventsOf(workspace);
    if (event === undefined) throw new Error("no event");
    expect(event.hash).toBe(chainedHash(firstHash, event));
    expect(event.target.length).toBeLessThanOrEqual(512);
  });

  it("is bounded, and keeps nothing that looks like a secret", async () => {
    const workspace = newWorkspace();
    const key = `gw_${"A".repeat(60)}`;
    const token = `gwa_${"b".repeat(43)}`;
    const sealed = "sealed:1:0a1b2c3d:abc_DEF-123";
    await object(workspace).audit({
      actor: { type: "user", id: key },
      action: "key.created",
      target: token,
      before: { [key]: [`x ${token} y`, { deep: sealed }], long: "z".repeat(200_000) },
      after: { value: `${sealed} and ${key}`, deep: { [token]: 1 } },
    });
    const text = JSON.stringify(await eventsOf(workspace));
    for (const secret of [key, token, sealed]) expect(text).not.toContain(secret);
    expect(text.length).toBeLessThan(140_000);
  });

  it("of an hour is written once an hour for each actor and target", async () => {
    const workspace = newWorkspace();
    const event = { actor: root, action: "workspace.entered", target: "GET /api/config" };
    for (let times = 0; times < 3; times += 1) await object(workspace).auditHourly(event);
    await object(workspace).auditHourly({ ...event, target: "GET /api/status" });
    await object(workspace).auditHourly({ ...event, actor: { type: "operator", id: "usr_9" } });
    expect(await eventsOf(workspace)).toHaveLength(3);
  });
});

describe("reading 10,000 events", () => {
  /** Rows that one page reads. */
  async function rowsRead(workspace: string, ask: Parameters<AuditLog["page"]>[0]) {
    const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
    return await runInDurableObject(stub, async (_instance, { storage }) => {
      const cursors: { rowsRead: number }[] = [];
      const sql: Pick<SqlStorage, "exec"> = {
        exec(query, ...values) {
          const cursor = storage.sql.exec<never>(query, ...values);
          cursors.push(cursor);
          return cursor;
        },
      };
      // The log needs nothing else of its database.
      const page = await new AuditLog(sql as SqlStorage).page(ask);
      const rows = cursors.reduce((sum, cursor) => sum + cursor.rowsRead, 0);
      return { rows, longest: Math.max(...cursors.map((cursor) => cursor.rowsRead)), page };
    });
  }

  it("reads a page's rows only, and long searches in slices", async () => {
    const [short, long] = [await withEvents(1000), await withEvents(10_000)];
    const few = await rowsRead(short, { limit: 50 });
    const many = await rowsRead(long, { limit: 50 });
    expect(many.page.events).toHaveLength(50);
    expect(many.rows).toBe(few.rows);
    const deep = await rowsRead(long, { limit: 50, before: 60 });
    expect(deep.rows).toBeLessThanOrEqual(many.rows + 5);
    const rare = await rowsRead(long, { limit: 50, actor: "nobody" });
    expect(rare.page.events).toEqual([]);
    expect(rare.longest).toBeLessThanOrEqual(1001);
    const span = { from: Date.now() - 3600_000, to: Date.now() + 1000 };
    expect((await rowsRead(long, { limit: 50, ...span })).rows).toBeLessThan(many.rows + 100);
  });

  it("pages meet every event once, with and without filters", async () => {
    const workspace = await withEvents(10_000);
    for (const [filter, all] of [
      [{}, 10_000],
      [{ actor: "owner@example.com" }, 1000],
      [{ actor: "root", action: "key" }, 9000],
      [{ action: "key.created", from: Date.now() + 1e6 }, 0],
    ] as const) {
      const seen = new Set<number>();
      let before: number | null = null;
      do {
        const page = await object(workspace).pageAudit({
          limit: 499,
          ...filter,
          ...(before !== null && { before }),
        });
        for (const { seq } of page.events) {
          expect(seen.has(seq)).toBe(false);
          seen.add(seq);
        }
        before = page.next;
      } while (before !== null);
      expect(seen.size).toBe(all);
    }
  });
});
