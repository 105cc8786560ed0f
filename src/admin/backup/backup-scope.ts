/** What a backup holds, by who asks: the whole deployment, or one workspace. */
import type { WorkspaceRecord } from "../../workspace/accounts/tables/workspaces.ts";
import type { AdminAccess } from "../shared/credentials/access.ts";
import type { AdminScope } from "../shared/scope.ts";
import { askDirectory } from "../shared/credentials/access.ts";

/** Who asks for a backup or a restore. */
export interface BackupCaller {
  readonly scope: AdminScope;
  readonly access: AdminAccess;
  /** The workspace that was named, if one was. */
  readonly named?: string;
}

/** Whether the caller means all of the deployment: its administrator, who names no workspace. */
export function meansDeployment({
  access,
  named,
}: Pick<BackupCaller, "access" | "named">): boolean {
  return access.kind === "deployment" && (named === undefined || named === "");
}

/** The workspaces that are meant. */
export async function workspacesMeant(caller: BackupCaller): Promise<WorkspaceRecord[]> {
  const all = await askDirectory(caller.scope.env, (directory) => directory.list());
  if (meansDeployment(caller)) return all;
  return all.filter(({ id }) => id === caller.scope.workspace);
}
