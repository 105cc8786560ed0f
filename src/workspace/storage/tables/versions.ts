/** The table of the document's versions, each with its secrets sealed. */
import type { Config } from "../../../store/config.ts";
import type { Actor, DocumentVersion } from "../../contract/audit.ts";

/** Versions that are kept. */
export const keptVersions = 50;

/** Makes the table. */
export function createVersionTable(sql: SqlStorage): void {
  sql.exec(`CREATE TABLE versions (
    n INTEGER PRIMARY KEY, time INTEGER NOT NULL, actor TEXT NOT NULL, changes TEXT NOT NULL,
    document TEXT NOT NULL)`);
}

/** Adds a version, and forgets those that are too many. */
export function writeVersion(sql: SqlStorage, version: DocumentVersion, document: Config): void {
  const { n, time, actor, changes, more, way, restored } = version;
  sql.exec(
    "INSERT INTO versions (n, time, actor, changes, document) VALUES (?,?,?,?,?)",
    n,
    Date.parse(time),
    JSON.stringify(actor),
    JSON.stringify({ changes, more, way, restored }),
    JSON.stringify(document),
  );
  sql.exec(
    "DELETE FROM versions WHERE n < (SELECT n FROM versions ORDER BY n DESC LIMIT 1 OFFSET ?)",
    keptVersions - 1,
  );
}

/** Replaces a version's document by the same with its secrets sealed anew; changes nothing where it is gone. */
export function rewriteVersion(sql: SqlStorage, n: number, document: Config): void {
  sql.exec("UPDATE versions SET document = ? WHERE n = ?", JSON.stringify(document), n);
}

/** Numbers of all versions, newest first. */
export function versionNumbers(sql: SqlStorage): number[] {
  return Array.from(sql.exec("SELECT n FROM versions ORDER BY n DESC"), ({ n }) => Number(n));
}

/** Newest first. */
export function readVersions(sql: SqlStorage, limit: number): DocumentVersion[] {
  const query = "SELECT n, time, actor, changes FROM versions ORDER BY n DESC LIMIT ?";
  return Array.from(sql.exec(query, limit), ({ n, time, actor, changes }) => ({
    n: Number(n),
    time: new Date(Number(time)).toISOString(),
    // Both written by writeVersion above.
    actor: JSON.parse(String(actor)) as Actor,
    ...(JSON.parse(String(changes)) as Pick<
      DocumentVersion,
      "changes" | "more" | "way" | "restored"
    >),
  }));
}

/** The version's document as it is stored; undefined when there is no such version. */
export function readVersionDocument(sql: SqlStorage, n: number): Config | undefined {
  const [row] = sql.exec("SELECT document FROM versions WHERE n = ?", n).toArray();
  // Only validated documents are written.
  return row === undefined ? undefined : (JSON.parse(String(row["document"])) as Config);
}
