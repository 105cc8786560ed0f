/** The table of gateway keys, by their hashes. */
import type { KeyRecord } from "../../store/snapshot.ts";

/** Oldest first. */
export function readKeys(sql: SqlStorage): KeyRecord[] {
  const rows = sql.exec(
    `SELECT id, hash, name, harness, last4, created_at, expires_at, last_used_at
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
  }));
}

function textOrNull(value: SqlStorageValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** Adds a key. */
export function writeKey(sql: SqlStorage, key: KeyRecord): void {
  sql.exec(
    `INSERT INTO keys (id, hash, name, harness, last4, created_at, expires_at, last_used_at)
     VALUES (?,?,?,?,?,?,?,?)`,
    key.id,
    key.hash,
    key.name,
    key.harness,
    key.last4,
    key.created_at,
    key.expires_at,
    key.last_used_at,
  );
}

/** Changes nothing when there is none of that id. */
export function removeKey(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM keys WHERE id = ?", id);
}

/** `time`: epoch ms. */
export function writeLastUse(sql: SqlStorage, id: string, time: number): void {
  sql.exec("UPDATE keys SET last_used_at = ? WHERE id = ?", new Date(time).toISOString(), id);
}
