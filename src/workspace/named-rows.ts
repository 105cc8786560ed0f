/** Rows of the log with the names that keys have today; of a key that is gone, the one that it had last. */
import type { RequestRecord } from "./contract/request-record.ts";
import type { WorkspaceState } from "./rules/state.ts";
import type { SearchContext } from "./storage/request-search.ts";
import { Turns } from "./storage/slices.ts";

/** How the log of this workspace is read. */
export function namedRows(sql: SqlStorage, state: WorkspaceState): SearchContext {
  return {
    sql,
    turns: new Turns(),
    named: (record) => withKeyName(record, state),
    keysCalled: (name) =>
      [...state.keysById.values()].filter((key) => key.name === name).map(({ id }) => id),
  };
}

function withKeyName(record: RequestRecord, { keysById }: WorkspaceState): RequestRecord {
  const key = keysById.get(record.key_id ?? "");
  if (key === undefined || key.name === record.key_name) return record;
  const { key_name: _, ...nameless } = record;
  return key.name === "" ? nameless : { ...nameless, key_name: key.name };
}
