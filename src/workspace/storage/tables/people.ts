/** The table of persons who have limits in this workspace, or who left it. */
import type { LimitEntry } from "../../../store/config.ts";
import type { PersonState } from "../../rules/state.ts";

/** By the person's id. */
export function readPeople(sql: SqlStorage): Map<string, PersonState> {
  const rows = sql.exec("SELECT id, limits, has_left FROM people");
  return new Map(
    Array.from(rows, ({ id, limits, has_left }) => [
      String(id),
      // Written by writePerson alone.
      { limits: JSON.parse(String(limits)) as LimitEntry[], left: has_left === 1 },
    ]),
  );
}

/** Replaces what is stored about a person; stores nothing if there is nothing to say. */
export function writePerson(sql: SqlStorage, id: string, { limits, left }: PersonState): void {
  if (limits.length === 0 && !left) {
    sql.exec("DELETE FROM people WHERE id = ?", id);
    return;
  }
  sql.exec(
    "INSERT OR REPLACE INTO people (id, limits, has_left) VALUES (?, ?, ?)",
    id,
    JSON.stringify(limits),
    left ? 1 : 0,
  );
}
