/** The table of gateway keys, by their hashes. */
import type { LimitEntry } from "../../../store/config.ts";
import type { KeyRecord } from "../../../store/snapshot.ts";
import { keyNode } from "../../rules/nodes.ts";
import { removeNodeSum } from "./running.ts";

/** Oldest first. */
export function readKeys(sql: SqlStorage): KeyRecord[] {
  const rows = sql.exec(
    `SELECT id, hash, name, harness, last4, created_at, expires_at, last_used_at, person, limits, models, version
     FROM keys ORDER BY created_at, id`,
  );
  return Array.from(rows, (row) => ({
    id: String(row["id"]),
    name: String(row["name"]),
    harness: String(row["harness"]),
    hash: String(row["hash"]),
    last4: String(row["last4"]),
    created_at: String(row["created_at"]),
    expires_at: textOrNull(row["expires_at"]),
    last_used_at: textOrNull(row["last_used_at"]),
    ...ownTerms(row),
  }));
}

type OwnTerms = Pick<KeyRecord, "person" | "limits" | "models" | "version">;

function ownTerms({ person, limits, models, version }: Record<string, SqlStorageValue>): OwnTerms {
  return {
    ...(typeof person === "string" && { person }),
    // Both were written by `changeable` below.
    ...(typeof limits === "string" && { limits: JSON.parse(limits) as LimitEntry[] }),
    ...(typeof models === "string" && { models: JSON.parse(models) as string[] }),
    ...(typeof version === "number" && version > 0 && { version }),
  };
}

function textOrNull(value: SqlStorageValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Adds a key. */
export function writeKey(sql: SqlStorage, key: KeyRecord): void {
  sql.exec(
    `INSERT INTO keys (id, hash, harness, last4, created_at, last_used_at, name, expires_at, person, limits, models, version)
     VALUES (?,?,?,?,?,?,?,?,?,?,?,?)`,
    key.id,
    key.hash,
    key.harness,
    key.last4,
    key.created_at,
    key.last_used_at,
    ...changeable(key),
  );
}

/** Writes what can be changed of a key. */
export function rewriteKey(sql: SqlStorage, key: KeyRecord): void {
  sql.exec(
    `UPDATE keys SET name = ?, expires_at = ?, person = ?, limits = ?, models = ?, version = ? WHERE id = ?`,
    ...changeable(key),
    key.id,
  );
}

function changeable(key: KeyRecord): (string | number | null)[] {
  const { name, expires_at, person = null, limits, models, version = 0 } = key;
  return [name, expires_at, person, jsonOrNull(limits), jsonOrNull(models), version];
}

function jsonOrNull(value: readonly unknown[] | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Takes away a key with its sums; changes nothing when there is none of that id. */
export function removeKey(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM keys WHERE id = ?", id);
  removeNodeSum(sql, keyNode(id));
}

/** The key is good no longer; its sums stay, for it may come back. */
export function setKeyAside(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM keys WHERE id = ?", id);
}
