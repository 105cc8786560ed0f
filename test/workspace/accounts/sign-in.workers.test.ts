import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as sessions from "../../../src/workspace/accounts/tables/sessions.ts";
import { scopeOf } from "../../../src/workspace/accounts/tables/tokens.ts";
import { env } from "../workers-kit.ts";

const hour = 3_600_000;
const deployment = { kind: "deployment" } as const;
const workspace = { kind: "workspace", workspace: "ws_1" } as const;

/** The rules on a database of their own. */
async function onDisk(run: (sql: SqlStorage) => void): Promise<void> {
  const id = env.DIRECTORY.idFromName(crypto.randomUUID());
  await runInDurableObject(env.DIRECTORY.get(id), (_object, state) => {
    const { sql } = state.storage;
    sql.exec(
      "INSERT INTO workspaces (id, name, token_hash, created_at) VALUES ('ws_1', 'One', 'hash-of-ws', '')",
    );
    run(sql);
  });
}

describe("sessions of the dashboard", () => {
  it("hold for twelve hours after their last use, and no longer", () =>
    onDisk((sql) => {
      const use = (now: number) =>
        sessions.useSession(sql, { id: "s", setting: "right", active: true }, now);
      sessions.openSession(sql, { id: "s", token: "right", scope: deployment }, 0);
      expect(use(11 * hour)).toEqual(deployment);
      expect(use(22 * hour)).toEqual(deployment);
      expect(use(34 * hour + 60_000)).toBeUndefined();
    }));

  it("are not kept alive by a page that nobody looks at", () =>
    onDisk((sql) => {
      const use = (now: number) =>
        sessions.useSession(sql, { id: "s", setting: "right", active: false }, now);
      sessions.openSession(sql, { id: "s", token: "right", scope: deployment }, 0);
      expect(use(11 * hour)).toEqual(deployment);
      expect(use(12 * hour + 1)).toBeUndefined();
    }));

  it("end with the token that opened them", () =>
    onDisk((sql) => {
      sessions.openSession(sql, { id: "s", token: "right", scope: deployment }, 0);
      sessions.openSession(sql, { id: "w", token: "hash-of-ws", scope: workspace }, 0);
      expect(
        sessions.useSession(sql, { id: "s", setting: "another", active: true }, 1),
      ).toBeUndefined();
      expect(sessions.useSession(sql, { id: "w", setting: "another", active: true }, 1)).toEqual(
        workspace,
      );
      sessions.replaceToken(sql, { scope: workspace, hash: "new", setting: "right", keep: null });
      expect(
        sessions.useSession(sql, { id: "w", setting: "right", active: true }, 1),
      ).toBeUndefined();
      expect(sessions.useSession(sql, { id: "s", setting: "right", active: true }, 1)).toEqual(
        deployment,
      );
    }));

  it("of one reach end together, but for the one that asked", () =>
    onDisk((sql) => {
      for (const id of ["a", "b"])
        sessions.openSession(sql, { id, token: "right", scope: deployment }, 0);
      sessions.openSession(sql, { id: "w", token: "hash-of-ws", scope: workspace }, 0);
      sessions.closeSessions(sql, deployment, "a");
      const held = ["a", "b", "w"].filter((id) =>
        sessions.useSession(sql, { id, setting: "right", active: true }, 1),
      );
      expect(held).toEqual(["a", "w"]);
    }));
});

describe("the deployment's token", () => {
  it("a rotated one takes the setting's place until the setting itself is changed", () =>
    onDisk((sql) => {
      const reach = (given: string, setting: string | null) => scopeOf(sql, { given, setting });
      expect(reach("first", "first")).toEqual(deployment);
      sessions.replaceToken(sql, {
        scope: deployment,
        hash: "rotated",
        setting: "first",
        keep: null,
      });
      expect(reach("first", "first")).toBeUndefined();
      expect(reach("rotated", "first")).toEqual(deployment);
      expect(reach("rotated", "second")).toBeUndefined();
      expect(reach("second", "second")).toEqual(deployment);
    }));

  it("without a setting nobody is the administrator", () =>
    onDisk((sql) => {
      expect(scopeOf(sql, { given: "", setting: null })).toBeUndefined();
      expect(scopeOf(sql, { given: "hash-of-ws", setting: null })).toEqual(workspace);
    }));
});
