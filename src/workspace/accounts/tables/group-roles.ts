/** The index of groups: which group of the identity provider gives which role in which workspace. */
import { type MemberRole, strongestRole } from "../../../store/roles.ts";
import { roleNamed } from "./memberships.ts";

/** Roles by the names of groups, as a workspace's document says it. */
export type GroupRoles = Record<string, MemberRole>;

/** Takes the place of what the workspace's document said before. */
export function writeGroupRoles(sql: SqlStorage, workspace: string, roles: GroupRoles): void {
  sql.exec("DELETE FROM group_roles WHERE workspace = ?", workspace);
  for (const [name, role] of Object.entries(roles))
    sql.exec(
      "INSERT INTO group_roles (workspace, name, role) VALUES (?, ?, ?)",
      workspace,
      name,
      role,
    );
}

/** By workspace: the strongest role that these groups give there. */
export function rolesByGroups(sql: SqlStorage, groups: readonly string[]): Map<string, MemberRole> {
  const found = new Map<string, MemberRole>();
  for (const name of groups) {
    const rows = sql.exec(
      `SELECT g.workspace, g.role FROM group_roles g JOIN workspaces w ON w.id = g.workspace WHERE g.name = ?`,
      name,
    );
    for (const row of rows) {
      const workspace = String(row["workspace"]);
      const role = strongestRole([found.get(workspace), roleNamed(row["role"])]);
      if (role !== undefined) found.set(workspace, role);
    }
  }
  return found;
}
