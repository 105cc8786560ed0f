/** Taking everything out of a workspace, and deleting it. */
import * as z from "zod";
import { invalid, Problem, problemCodes } from "../../../core/problem.ts";
import { mayDo } from "../../../store/roles.ts";
import { defaultWorkspace } from "../../../workspace/accounts/tables/workspaces.ts";
import { isDeletedWorkspaceError } from "../../../workspace/storage/tables/erasure-mark.ts";
import { askDirectory } from "../../shared/credentials/access.ts";
import { tellEntry } from "../../shared/audit.ts";
import { callerIn } from "../../shared/caller.ts";
import type { IdentifiedContext } from "../../shared/context.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { forbidden } from "../../shared/errors.ts";
import { type AdminScope, askWorkspace } from "../../shared/scope.ts";
import { type ExportedLine, exportedLines, exportedLineSchema } from "./workspace-export.ts";

/** Who asks, at which deployment. */
type Asking = Pick<IdentifiedContext, "env" | "access">;

/** The workspace of the path, for its owners and the deployment's administrator. Throws 403, and 404 to the latter. */
export async function ownedScope({ env, access }: Asking, workspace: string): Promise<AdminScope> {
  const found = await callerIn(env, access, workspace);
  if (!mayDo(found.caller.role, "write")) throw forbidden();
  return { env, ...found };
}

/** Throws 409 for the workspace that every deployment has, 400 where its name is not repeated. */
export async function deleteWorkspace(
  scope: AdminScope,
  confirmed: string | undefined,
): Promise<void> {
  const { env, workspace } = scope;
  if (workspace === defaultWorkspace) throw keptWorkspace();
  if (confirmed !== workspace)
    throw invalid("confirm", "must repeat the ID of the workspace: deleting can't be undone");
  try {
    await askWorkspace(scope, (stub) => stub.erase(scope.caller.actor));
  } catch (error) {
    if (!isDeletedWorkspaceError(error)) throw error;
  }
  await askDirectory(env, (directory) => directory.remove(workspace));
}

/** Its lines, for those who may delete it; its audit log tells of it where they belong to no workspace. */
export async function exportWorkspace(
  asking: Asking,
  workspace: string,
): Promise<AsyncGenerator<ExportedLine>> {
  const scope = await ownedScope(asking, workspace);
  const reading = "GET /api/workspaces/{id}/export";
  await tellEntry(scope, { actor: scope.caller.actor, reading });
  return exportedLines(scope);
}

function keptWorkspace(): Problem {
  return new Problem(problemCodes.invalidRequest, "The default workspace cannot be deleted.", {
    status: 409,
    code: "default_workspace",
  });
}

/** The routes of export and deletion. */
export const adminDeletionRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/workspaces/{id}/export",
      summary: "Everything in the workspace, as JSON Lines; secrets masked",
      access: "identified",
      status: 200,
      lines: exportedLineSchema,
    },
    ({ params }, context) => exportWorkspace(context, params.id),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/workspaces/{id}",
      summary: "Delete the workspace permanently; `confirm` repeats its ID",
      access: "identified",
      query: z.object({ confirm: z.string().optional() }),
      status: 204,
    },
    async ({ params, query }, context) =>
      deleteWorkspace(await ownedScope(context, params.id), query.confirm),
  ),
] as const;
