/** Taking a workspace's data out and deleting it, for those who may. */
import { mayDo } from "../../store/roles.ts";
import { defaultWorkspace } from "../../workspace/accounts/tables/workspaces.ts";
import type { Visitor } from "../shared/page-context.ts";
import { Card } from "./display.tsx";

/** Whether the visitor may export and delete that workspace: its owners and the deployment's administrator. */
export function ownsWorkspace({ access, scope }: Visitor, workspace: string): boolean {
  if (access.kind === "deployment") return true;
  if (access.kind === "person")
    return access.memberships.some(
      (membership) => membership.workspace === workspace && mayDo(membership.role, "write"),
    );
  return scope?.workspace === workspace && mayDo(scope.caller.role, "write");
}

/** Links to both; nothing for others. */
export function WorkspaceDataCard({ viewer, workspace }: { viewer: Visitor; workspace: string }) {
  if (!ownsWorkspace(viewer, workspace)) return null;
  const page = `/dashboard/workspaces/${encodeURIComponent(workspace)}`;
  return (
    <Card
      title="Workspace data"
      lead="The export holds the configuration, keys, request log and usage as JSON Lines, without secrets."
    >
      <div class="buttons">
        <a class="button" href={`${page}/export`} download>
          Export workspace
        </a>
        {workspace === defaultWorkspace ? null : (
          <a class="button danger" href={`${page}/delete`}>
            Delete workspace…
          </a>
        )}
      </div>
    </Card>
  );
}
