/** Routes of the deployment's workspaces, for those who run it. Nothing of what is inside them is shown. */
import { changeWorkspacePlan } from "../../../admin/routes/workspaces/plans.ts";
import {
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  oneWorkspace,
} from "../../../admin/routes/workspaces/workspaces.ts";
import { continentOf, firstPlanOf } from "../../../admin/shared/membership/make-workspace.ts";
import { askDirectory } from "../../../admin/shared/credentials/access.ts";
import { actorOf, operatorActorOf } from "../../../admin/shared/caller.ts";
import { type Jurisdiction, jurisdictions } from "../../../store/jurisdiction.ts";
import { planNamed, plansOf } from "../../../store/plans.ts";
import { field, type FieldError, fieldProblem, formOf, tryChange } from "../../shared/forms.ts";
import { type PageApp, type PageContext, parameter } from "../../shared/page-context.ts";
import { workspaceDeletionRoutes } from "./deletion.tsx";
import { WorkspacePage } from "./workspace-page.tsx";
import { WorkspacesPage } from "./workspaces-page.tsx";

/** Registers them. */
export function workspaceRoutes(app: PageApp): void {
  app.get("/workspaces", (c) => showWorkspaces(c, {}));
  app.post("/workspaces", addWorkspace);
  app.get("/workspaces/:id", (c) => showWorkspace(c, {}));
  app.post("/workspaces/:id", saveWorkspace);
  app.post("/workspaces/:id/plan", changePlan);
  workspaceDeletionRoutes(app);
}

interface WorkspacesState {
  created?: { name: string; token: string };
  form?: URLSearchParams;
  error?: FieldError;
}

async function showWorkspaces(c: PageContext, state: WorkspacesState): Promise<Response> {
  const workspaces = (await listWorkspaces(c.env)).map((workspace) => ({
    ...workspace,
    quota: workspace.monthly_requests ?? planNamed(c.env, workspace.plan).monthly_requests,
  }));
  const newPlan = firstPlanOf(c.env);
  return c.html(
    <WorkspacesPage {...{ viewer: c.var.visitor, workspaces, newPlan, ...state }} />,
    state.error === undefined ? 200 : 422,
  );
}

async function addWorkspace(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(() =>
    createWorkspace(
      { env: c.env, by: actorOf(c.var.visitor.access), continent: continentOf(c.req.raw) },
      {
        name: nameFrom(form),
        monthly_requests: quotaFrom(form),
        jurisdiction: jurisdictionFrom(form),
      },
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
  const viewer = c.var.visitor;
  const id = parameter(c, "id");
  const { month, ...workspace } = await oneWorkspace(
    { env: c.env, by: operatorActorOf(viewer.access) },
    id,
  );
  const members = await askDirectory(c.env, (directory) => directory.members(id));
  return c.html(
    <WorkspacePage
      {...{ viewer, workspace, ...state }}
      plans={[...plansOf(c.env).keys()]}
      bounds={planNamed(c.env, workspace.plan)}
      members={members.length}
      monthly={{ limit: month.limit, used: month.requests }}
    />,
    state.error === undefined ? 200 : 422,
  );
}

async function changePlan(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const id = parameter(c, "id");
  const plan = field(form, "plan");
  const by = operatorActorOf(c.var.visitor.access);
  const outcome = await tryChange(() => {
    if (plan === "") throw fieldProblem("plan", "choose a plan");
    return changeWorkspacePlan({ env: c.env, by }, { id, plan });
  });
  if (!outcome.ok) return await showWorkspace(c, { form, error: outcome.error });
  return c.redirect(`/dashboard/workspaces/${encodeURIComponent(id)}?done=plan`, 303);
}

async function saveWorkspace(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const id = parameter(c, "id");
  const outcome = await tryChange(() =>
    changeWorkspace({ env: c.env, by: actorOf(c.var.visitor.access) }, id, {
      name: nameFrom(form),
      monthly_requests: quotaFrom(form),
    }),
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

/** Null where the field is empty. */
function jurisdictionFrom(form: URLSearchParams): Jurisdiction | null {
  const text = field(form, "jurisdiction");
  if (text === "") return null;
  const found = jurisdictions.find((name) => name === text);
  if (found === undefined) throw fieldProblem("jurisdiction", "choose one from the list");
  return found;
}
