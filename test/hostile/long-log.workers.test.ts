/** A full log of long rows costs its readers time, and nobody else anything. */
import { runInDurableObject } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import { admin, knock } from "../gateway/kit.ts";
import type { Json } from "../kit/asking.ts";
import { env, object, row } from "../workspace/workers-kit.ts";

interface Place {
  workspace: string;
  token: string;
}

/** A workspace whose log has so many rows, the first one old, with texts of so many characters. */
async function placeWith(rows: number, length: number): Promise<Place> {
  const made = await admin<{ id: string; admin_token: string }>(
    env.ADMIN_TOKEN,
    "POST /api/workspaces",
    { name: "test" },
  );
  const place = { workspace: made.id, token: made.admin_token };
  const text = { request: "lorem ".repeat(length / 6), answer: "ipsum" };
  await object(place.workspace).log(row("r", { outcome: "ok", text, session_id: "s" }));
  await object(place.workspace).listRequests({ limit: 1 });
  await onSql(place, (sql) => {
    const columns = `id, harness, status, model, requested, row, text, key_id, person, time, outcome,
      provider, cost, input, output, session, agent, role, tags, key_name, texts`;
    sql.exec(
      `WITH RECURSIVE more (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM more WHERE n < ?)
        INSERT INTO requests (seq, ${columns}) SELECT n, ${columns.replace("row", "json_set(row, '$.id', 'r' || n)")}
        FROM more, requests WHERE seq = 1`,
      rows,
    );
  });
  return place;
}

async function onSql({ workspace }: Place, use: (sql: SqlStorage) => void): Promise<void> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  await runInDurableObject(stub, (_instance, { storage }) => use(storage.sql));
}

/** Rows that databases of this isolate have read, and how many of them without a pause; to be asked again and again. */
async function countReads(place: Place) {
  const counts = { all: 0, turn: 0, longestTurn: 0 };
  await onSql(place, (sql) => {
    const shared = Object.getPrototypeOf(sql) as SqlStorage;
    const { exec } = shared;
    shared.exec = function counted(this: SqlStorage, ...query: Parameters<typeof exec>) {
      const cursor = exec.apply(this, query);
      const { toArray } = cursor;
      void toArray;
      counts.all += cursor.rowsRead;
      counts.turn += cursor.rowsRead;
      counts.longestTurn = Math.max(counts.longestTurn, counts.turn);
      return cursor;
    } as typeof exec;
  });
  return counts;
}
