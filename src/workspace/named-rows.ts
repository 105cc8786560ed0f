/** Rows of the log with the names that keys have today; of a key that is gone, the one that it had last. */
import type { RequestRecord } from "./contract/request-record.ts";
import type { WorkspaceState } from "./rules/state.ts";
import type { SearchContext } from "./storage/request-search.ts";
import type { Turns } from "./storage/sql/slices.ts";

/** The log, and the keys that its rows name. */
export interface NamedLog {
  sql: SqlStorage;
  turns: Turns;
  state: WorkspaceState;
}

/** How the log of this workspace is read. */
export function namedRows({ sql, turns, state }: NamedLog): SearchContext {
  return {
    sql,
    turns,
    named: (record) => withKeyName(record, state),
    keysCalled: (name) => idsOfKeys(state, (own) => own === name),
    keysWith: (text) => idsOfKeys(state, (own) => own.toLowerCase().includes(text.toLowerCase())),
  };
}

function idsOfKeys({ keysById }: WorkspaceState, isMeant: (name: string) => boolean): string[] {
  return [...keysById.values()].filter(({ name }) => isMeant(name)).map(({ id }) => id);
}

function withKeyName(record: RequestRecord, state: WorkspaceState): RequestRecord {
  const key = state.keysById.get(record.key_id ?? "");
  if (key === undefined || (key.name !== "" && key.name === record.key_name)) return record;
  const { key_name: _name, key_last4: _last4, ...nameless } = record;
  const label = key.name === "" ? { key_last4: key.last4 } : { key_name: key.name };
  return { ...nameless, ...label };
}
