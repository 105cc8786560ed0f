/** The table of users: who ever signed in by the identity provider. */
import { newId } from "../../../lib/ids.ts";
import type { Person } from "./scope.ts";

/** A person as the identity provider describes them. */
export interface Identity {
  issuer: string;
  subject: string;
  /** Verified, in lower case. */
  email: string;
  name: string;
  /** Names of groups. */
  groups: string[];
}

/** A user. */
export interface UserRecord extends Person {
  issuer: string;
  groups: string[];
  /** Epoch ms of the last use of a session. */
  seen: number;
}

const columns = "id, issuer, subject, email, name, groups, seen";
/** The last use is written at most so often, ms. */
const seenInterval = 10 * 60_000;

/** Undefined when they never signed in. */
export function findUser(
  sql: SqlStorage,
  { issuer, subject }: Pick<Identity, "issuer" | "subject">,
): UserRecord | undefined {
  const query = `SELECT ${columns} FROM users WHERE issuer = ? AND subject = ?`;
  return sql.exec(query, issuer, subject).toArray().map(userOf)[0];
}

/** Undefined when there is none of that id. */
export function readUser(sql: SqlStorage, id: string): UserRecord | undefined {
  return sql.exec(`SELECT ${columns} FROM users WHERE id = ?`, id).toArray().map(userOf)[0];
}

/** The person who signed in at that issuer with that verified e-mail address. */
export function findUserByEmail(
  sql: SqlStorage,
  { issuer, email }: Pick<Identity, "issuer" | "email">,
): UserRecord | undefined {
  const query = `SELECT ${columns} FROM users WHERE email = ? AND issuer = ? ORDER BY created`;
  return sql.exec(query, email, issuer).toArray().map(userOf)[0];
}

/** Everybody who is in at least one group. */
export function usersWithGroups(sql: SqlStorage): UserRecord[] {
  return sql.exec(`SELECT ${columns} FROM users WHERE groups <> '[]'`).toArray().map(userOf);
}

/** The user with what the identity provider says now; a new one if there was none. */
export function saveUser(sql: SqlStorage, identity: Identity, now: number): UserRecord {
  const { issuer, subject, email, name } = identity;
  const groups = JSON.stringify(identity.groups);
  sql.exec(
    `INSERT INTO users (id, issuer, subject, email, name, groups, created, seen) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (issuer, subject) DO UPDATE SET email = excluded.email, name = excluded.name,
     groups = excluded.groups, seen = excluded.seen`,
    newId("usr_"),
    issuer,
    subject,
    email,
    name,
    groups,
    now,
    now,
  );
  const [saved] = sql
    .exec(`SELECT ${columns} FROM users WHERE issuer = ? AND subject = ?`, issuer, subject)
    .toArray()
    .map(userOf);
  if (saved === undefined) throw new Error("a user that was just saved is not there");
  return saved;
}

/** Notes that the user was here. */
export function seeUser(sql: SqlStorage, id: string, now: number): void {
  sql.exec("UPDATE users SET seen = ? WHERE id = ? AND seen < ?", now, id, now - seenInterval);
}

/** What the rest of the gateway knows about a user. */
export function personOf({ id, subject, email, name }: UserRecord): Person {
  return { id, subject, email, name };
}

function userOf(row: Record<string, SqlStorageValue>): UserRecord {
  // Written by `saveUser` alone.
  const groups = JSON.parse(String(row["groups"])) as string[];
  return {
    id: String(row["id"]),
    issuer: String(row["issuer"]),
    subject: String(row["subject"]),
    email: String(row["email"]),
    name: String(row["name"]),
    groups,
    seen: Number(row["seen"]),
  };
}
