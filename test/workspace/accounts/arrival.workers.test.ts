/** Arrivals by invitation, on a database of their own. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  type Arrival,
  arrive,
  type ArrivalTerms,
} from "../../../src/workspace/accounts/arrival.ts";
import { insertInvitation } from "../../../src/workspace/accounts/tables/invitations.ts";
import { env } from "../workers-kit.ts";

async function onDisk(run: (sql: SqlStorage) => void): Promise<void> {
  const id = env.DIRECTORY.idFromName(crypto.randomUUID());
  await runInDurableObject(env.DIRECTORY.get(id), (_object, state) => {
    const { sql } = state.storage;
    sql.exec(
      "INSERT INTO workspaces (id, name, token_hash, created_at, plan) VALUES ('ws_1', 'One', 'hash', '', 'small')",
    );
    run(sql);
  });
}

/** Invited while the plan allowed any number. */
function invite(sql: SqlStorage, name: string, email: string | null): void {
  const when = { created: 0, expires: 1000 };
  const invitation = { id: `inv_${name}`, hash: name, workspace: "ws_1", email };
  insertInvitation(sql, { ...invitation, most: null, inviter: "", role: "member", ...when });
}

const two: ArrivalTerms = {
  now: 1,
  mostMembers: (plan) => (plan === "small" ? 2 : null),
};

let logins = 0;

function come(sql: SqlStorage, name: string, given: Partial<Arrival> = {}) {
  logins += 1;
  const email = `${name}@corp.test`;
  const arrival: Arrival = {
    identity: { issuer: "i", subject: name, email, name, groups: [] },
    signUp: "invited",
    operator: false,
    invitation: name,
    login: `login-${logins}`,
    ownWorkspace: "",
    ownPlan: null,
    session: { id: `session-${logins}`, agent: "" },
    prepared: ["ws_1"],
    ...given,
  };
  return arrive(sql, arrival, two);
}

const joined = { kind: "entered", changes: [{ workspace: "ws_1", after: "member" }] };

describe("invitations of a time when the plan allowed more people", () => {
  it("add nobody to a workspace that is full by now, and hold when there is room", () =>
    onDisk((sql) => {
      for (const name of ["a", "b", "c"]) invite(sql, name, null);
      expect(come(sql, "a")).toMatchObject(joined);
      expect(come(sql, "b")).toMatchObject(joined);
      expect(come(sql, "c")).toEqual({ kind: "refused", reason: "full" });
      expect(come(sql, "a")).toMatchObject({ kind: "entered", changes: [] });
      sql.exec("UPDATE workspaces SET plan = NULL");
      expect(come(sql, "c")).toMatchObject(joined);
    }));

  it("to an address do neither, and stay open", () =>
    onDisk((sql) => {
      for (const name of ["a", "b"]) invite(sql, name, null);
      invite(sql, "c", "c@corp.test");
      expect([come(sql, "a"), come(sql, "b")]).toMatchObject([joined, joined]);
      expect(come(sql, "c", { invitation: null })).toMatchObject({ kind: "entered", changes: [] });
      sql.exec("UPDATE workspaces SET plan = NULL");
      expect(come(sql, "c", { invitation: null })).toMatchObject(joined);
    }));
});
