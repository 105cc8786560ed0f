/** Removes a workspace from the directory. */
import { defaultWorkspace } from "./tables/workspaces.ts";

/**
 * Everything that names the workspace: its record, tokens, sessions, memberships, invitations. Its id is noted and never
 * used again. False: there is none. Runs in a transaction of the caller's.
 */
export function removeWorkspace(sql: SqlStorage, id: string): boolean {
  if (id === defaultWorkspace) return false;
  const removed = sql.exec("DELETE FROM workspaces WHERE id = ?", id).rowsWritten > 0;
  if (!removed) return false;
  for (const table of tablesOfWorkspaces(sql))
    sql.exec(`DELETE FROM "${table}" WHERE workspace = ?`, id);
  const now = new Date().toISOString();
  sql.exec("INSERT OR IGNORE INTO deleted_workspaces (id, deleted_at) VALUES (?, ?)", id, now);
  return true;
}

/** Every table that has a column `workspace`, so that none is forgotten here when one is added. */
function tablesOfWorkspaces(sql: SqlStorage): string[] {
  const query = `SELECT DISTINCT tables.name AS name FROM sqlite_master AS tables
    JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.type = 'table' AND columns.name = 'workspace'`;
  return Array.from(sql.exec(query), ({ name }) => String(name));
}
