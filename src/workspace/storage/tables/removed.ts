/** The table of what went with removed harnesses: keys, and what routing learned, as long as a version can bring them back. */
import type { KeyRecord } from "../../../store/snapshot.ts";
import type { Outcomes } from "../../contract/outcomes.ts";
import { keyNode } from "../../rules/nodes.ts";
import { removeNodeSum } from "./running.ts";

/** What routing learned for one harness. */
export interface HarnessOutcomes {
  readonly harness: string;
  readonly outcomes: Outcomes;
}

/** What belongs to harnesses without standing in the document. */
export interface Belongings {
  readonly keys: readonly KeyRecord[];
  readonly outcomes: readonly HarnessOutcomes[];
}

/** Keeps what goes with the document's version `version`. Sums of the keys stay in their own table. */
export function writeRemoved(sql: SqlStorage, { keys, outcomes }: Belongings, version: number) {
  const write = (kind: string, id: string, row: { harness: string; value: unknown }): void => {
    sql.exec(
      "INSERT OR REPLACE INTO removed (kind, id, harness, version, value) VALUES (?,?,?,?,?)",
      kind,
      id,
      row.harness,
      version,
      JSON.stringify(row.value),
    );
  };
  for (const key of keys) write("key", key.id, { harness: key.harness, value: key });
  for (const { harness, outcomes: value } of outcomes)
    write("outcomes", harness, { harness, value });
}

/** What went with changes after that version of the document. */
export function readRemovedAfter(sql: SqlStorage, version: number): Belongings {
  const read = (kind: string) =>
    sql
      .exec(
        "SELECT harness, value FROM removed WHERE kind = ? AND version > ? ORDER BY id",
        kind,
        version,
      )
      .toArray()
      // Written by writeRemoved above.
      .map((row) => ({
        harness: String(row["harness"]),
        value: JSON.parse(String(row["value"])) as unknown,
      }));
  return {
    keys: read("key").map(({ value }) => value as KeyRecord),
    outcomes: read("outcomes").map(({ harness, value }) => ({
      harness,
      outcomes: value as Outcomes,
    })),
  };
}

/** They are in force again. */
export function dropRestored(sql: SqlStorage, { keys, outcomes }: Belongings): void {
  for (const { id } of keys) sql.exec("DELETE FROM removed WHERE kind = 'key' AND id = ?", id);
  for (const { harness } of outcomes)
    sql.exec("DELETE FROM removed WHERE kind = 'outcomes' AND id = ?", harness);
}

/** Keys that nothing may bring back, with their sums: those that `isOver` says. */
export function forgetRemovedKeys(sql: SqlStorage, isOver: (key: KeyRecord) => boolean): void {
  const over = readRemovedAfter(sql, 0).keys.filter(isOver);
  dropRestored(sql, { keys: over, outcomes: [] });
  for (const { id } of over) removeNodeSum(sql, keyNode(id));
}

/** Forgets what no version that is kept can bring back: all of them are younger. */
export function forgetOldRemoved(sql: SqlStorage): void {
  const old = "version <= (SELECT coalesce(min(n), 0) FROM versions)";
  const ids = sql.exec(`SELECT id FROM removed WHERE kind = 'key' AND ${old}`).toArray();
  for (const { id } of ids) removeNodeSum(sql, keyNode(String(id)));
  sql.exec(`DELETE FROM removed WHERE ${old}`);
}
