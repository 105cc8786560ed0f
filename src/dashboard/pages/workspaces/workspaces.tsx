/** Routes of the deployment's workspaces, for those who run it. Nothing of what is inside them is shown. */
import {
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  type WorkspaceView,
} from "../../../admin/routes/workspaces.ts";
import { askDirectory } from "../../../admin/shared/access.ts";
import { actorOf } from "../../../admin/shared/caller.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { askWorkspace } from "../../../admin/shared/scope.ts";
import { field, type FieldError, fieldProblem, formOf, tryChange } from "../../shared/forms.ts";
import { type PageApp, type PageContext, parameter } from "../../shared/page-context.ts";
import { WorkspacePage } from "./workspace-page.tsx";
import { WorkspacesPage } from "./workspaces-page.tsx";

/** Registers them. */
export function workspaceRoutes(app: PageApp): void {
  app.get("/workspaces", (c) => showWorkspaces(c, {}));
  app.post("/workspaces", addWorkspace);
  app.get("/workspaces/:id", (c) => showWorkspace(c, {}));
  app.post("/workspaces/:id", saveWorkspace);
}

interface WorkspacesState {
  created?: { name: string; token: string };
  form?: URLSearchParams;
  error?: FieldError;
}

async function showWorkspaces(c: PageContext, state: WorkspacesState): Promise<Response> {
  const workspaces = await listWorkspaces(c.env);
  return c.html(
    <WorkspacesPage {...{ viewer: c.var.visitor, workspaces, ...state }} />,
    state.error === undefined ? 200 : 422,
  );
}

async function addWorkspace(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(() =>
    createWorkspace(
      c.env,
      { name: nameFrom(form), monthly_requests: quotaFrom(form) },
      actorOf(c.var.visitor.access),
    ),
  );
  if (!outcome.ok) return await showWorkspaces(c, { form, error: outcome.error });
  const { name, admin_token: token } = outcome.value;
  // Not a redirect: the token is shown in this response only.
  return await showWorkspaces(c, { created: { name, token } });
}

interface WorkspaceState {
  form?: URLSearchParams;
  error?: FieldError;
}

async function showWorkspace(c: PageContext, state: WorkspaceState): Promise<Response> {
  const workspace = await workspaceOf(c);
  const [members, { monthly }] = await Promise.all([
    askDirectory(c.env, (directory) => directory.members(workspace.id)),
    askWorkspace({ env: c.env, workspace: workspace.id }, (stub) => stub.status()),
  ]);
  return c.html(
    <WorkspacePage
      {...{ viewer: c.var.visitor, workspace, ...state }}
      members={members.length}
      monthly={{ limit: monthly.limit, used: monthly.used }}
    />,
    state.error === undefined ? 200 : 422,
  );
}

async function saveWorkspace(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const { id } = await workspaceOf(c);
  const outcome = await tryChange(() =>
    changeWorkspace(
      { env: c.env, workspace: id },
      { name: nameFrom(form), monthly_requests: quotaFrom(form) },
      actorOf(c.var.visitor.access),
    ),
  );
  if (!outcome.ok) return await showWorkspace(c, { form, error: outcome.error });
  return c.redirect(`/dashboard/workspaces/${encodeURIComponent(id)}?done=workspace`, 303);
}

function nameFrom(form: URLSearchParams): string {
  const name = field(form, "name");
  if (name === "") throw fieldProblem("name", "enter a name");
  if (name.length > 200) throw fieldProblem("name", "must be at most 200 characters");
  return name;
}

/** Null where the field is empty. */
function quotaFrom(form: URLSearchParams): number | null {
  const text = field(form, "monthly_requests");
  if (text === "") return null;
  const quota = Number(text);
  if (!Number.isSafeInteger(quota) || quota < 0)
    throw fieldProblem("monthly_requests", "must be a whole number, 0 or more");
  return quota;
}

async function workspaceOf(c: PageContext): Promise<WorkspaceView> {
  const id = parameter(c, "id");
  const found = (await listWorkspaces(c.env)).find((workspace) => workspace.id === id);
  if (found === undefined) throw notFound("There is no such workspace.");
  return found;
}
