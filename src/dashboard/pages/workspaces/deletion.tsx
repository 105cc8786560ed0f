/** Exporting a workspace and deleting it, for its owners and the deployment's administrator. */
import {
  deleteWorkspace,
  exportWorkspace,
  ownedScope,
} from "../../../admin/routes/workspaces/deletion.ts";
import { askDirectory } from "../../../admin/shared/credentials/access.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { linesStream, linesType } from "../../../admin/shared/export/lines.ts";
import type { AdminScope } from "../../../admin/shared/scope.ts";
import { defaultWorkspace } from "../../../workspace/accounts/tables/workspaces.ts";
import { field, type FieldError, fieldProblem, formOf, tryChange } from "../../shared/forms.ts";
import { type PageApp, type PageContext, parameter } from "../../shared/page-context.ts";
import { DeleteWorkspacePage } from "./delete-page.tsx";

/** Registers the download and the page. */
export function workspaceDeletionRoutes(app: PageApp): void {
  app.get("/workspaces/:id/export", async (c) => {
    const id = parameter(c, "id");
    const lines = await exportWorkspace({ env: c.env, access: c.var.visitor.access }, id);
    c.header("Content-Type", linesType);
    c.header("Content-Disposition", `attachment; filename="workspace-${id}.jsonl"`);
    return c.body(linesStream(lines));
  });
  app.get("/workspaces/:id/delete", async (c) => await showDeletion(c, await scopeOf(c)));
  app.post("/workspaces/:id/delete", async (c) => {
    const scope = await scopeOf(c);
    const confirmed = field(await formOf(c.req.raw), "confirm");
    const outcome = await tryChange(() => {
      if (scope.workspace !== defaultWorkspace && confirmed !== scope.workspace)
        throw fieldProblem("confirm", `type ${scope.workspace} to delete the workspace`);
      return deleteWorkspace(scope, confirmed);
    });
    if (!outcome.ok) return await showDeletion(c, scope, outcome.error);
    return c.redirect(`${placeAfter(c)}?done=workspace-deleted`, 303);
  });
}

/** Throws 403 for everybody else. */
function scopeOf(c: PageContext): Promise<AdminScope> {
  return ownedScope({ env: c.env, access: c.var.visitor.access }, parameter(c, "id"));
}

async function showDeletion(
  c: PageContext,
  { workspace: id }: AdminScope,
  error?: FieldError,
): Promise<Response> {
  const found = await askDirectory(c.env, (directory) => directory.find(id));
  if (found === undefined) throw notFound("This workspace does not exist.");
  const viewer = c.var.visitor;
  return c.html(
    <DeleteWorkspacePage {...{ viewer, workspace: found, ...(error && { error }) }} />,
    error === undefined ? 200 : 422,
  );
}

/** The list for those who may see it; the overview of another workspace for everybody else. */
function placeAfter(c: PageContext): string {
  const sees = c.var.visitor.allows("GET", "/dashboard/workspaces");
  return sees ? "/dashboard/workspaces" : "/dashboard";
}
