/** Who may open which page: the session, as what it acts in which workspace, and the right that the route needs. */
import type { MiddlewareHandler } from "hono";
import { Problem, problemCodes } from "../core/problem.ts";
import { policyOf } from "../policy/choose.ts";
import { modeOf } from "../store/env.ts";
import { mayDo } from "../store/roles.ts";
import { ownNewestVersion } from "../admin/routes/history.ts";
import { tellEntry } from "../admin/shared/audit.ts";
import { callerIn, operates } from "../admin/shared/caller.ts";
import type { AdminScope } from "../admin/shared/scope.ts";
import { undoableDone } from "./components/done-messages.ts";
import { mainMenu } from "./navigation.ts";
import { noticesPath, unreadNotices } from "./pages/notices/seen.ts";
import { pageRight, type PageRight } from "./page-rights.ts";
import { type Session, sessionOf } from "./session.ts";
import {
  holderNames,
  type PageContext,
  type PageVars,
  type Viewer,
  type Visitor,
} from "./shared/page-context.ts";
import { themeOf } from "./theme.ts";

/** Only with a session that has the route's right; API keys and admin tokens in headers mean nothing here. */
export const signedIn: MiddlewareHandler<PageVars> = async (c, next) => {
  const right = pageRight(c.req.method, c.req.path);
  const part = c.req.header("X-Part");
  const active = part !== "numbers" && c.req.path !== "/dashboard/live";
  const session = await sessionOf(c, { active });
  const reads = c.req.method === "GET" && part === undefined;
  if (session === undefined)
    return reads ? c.redirect("/dashboard/sign-in", 303) : c.text("Sign in again.", 401);
  if (right === undefined) throw unknownPage();
  const visitor = await visitorOf(c, session);
  c.set("visitor", visitor);
  if (isViewer(visitor)) c.set("viewer", visitor);
  const allowed = reaches(right, { ...visitor, env: c.env });
  if (!allowed && visitor.scope === undefined && reads)
    return c.redirect(placeWithoutWorkspace(visitor), 303);
  if (!allowed) throw roleForbids();
  return await next();
};

/** 404 for a path that is no page. */
export function unknownPage(): Problem {
  return new Problem(problemCodes.unknownPath, "This page does not exist.");
}

function roleForbids(): Problem {
  return new Problem(
    problemCodes.unknownKey,
    "Your role does not allow this. An owner of the workspace can do it, or change your role.",
    { status: 403, code: "forbidden" },
  );
}

function isViewer(visitor: Visitor): visitor is Viewer {
  return visitor.scope !== undefined;
}

/** Those who run the deployment have pages without belonging to a workspace; others wait for an invitation. */
function placeWithoutWorkspace({ allows }: Visitor): string {
  return allows("GET", "/dashboard/workspaces") ? "/dashboard/workspaces" : "/dashboard/waiting";
}

async function visitorOf(c: PageContext, { id, access }: Session): Promise<Visitor> {
  const { env } = c;
  const policy = policyOf(env);
  const words = holderNames(policy.holder);
  const scope = await scopeOf(c, access);
  const allows: Visitor["allows"] = (method, path) => {
    const right = pageRight(method, path.replace(/[?#].*$/s, ""));
    return right !== undefined && reaches(right, { env, access, scope });
  };
  if (scope !== undefined)
    await tellEntry(scope, { actor: scope.caller.actor, reading: "dashboard" });
  const done = c.req.query("done");
  const isPart = c.req.header("X-Part") !== undefined || c.req.path === "/dashboard/live";
  const seesNotices = !isPart && scope !== undefined && allows("GET", noticesPath);
  const unread = seesNotices ? await unreadNotices(c, scope) : 0;
  return {
    access,
    session: id,
    ...(scope !== undefined && { scope }),
    allows,
    words,
    menu: mainMenu(words, allows, { [noticesPath]: unread }),
    savesParams: policy.adaptsRelays,
    ownsResponses: policy.ownsResponses,
    mode: modeOf(env),
    theme: themeOf(c),
    path: c.req.path,
    done,
    undo: await undoAfter(scope, done),
  };
}

/** The version before the change that was just made, where its maker may take it back. */
async function undoAfter(scope: AdminScope | undefined, done: string | undefined) {
  const isUndoable = done !== undefined && undoableDone.has(done);
  return isUndoable && scope !== undefined ? await ownNewestVersion(scope) : undefined;
}

/** Undefined for a person who belongs to no workspace. */
async function scopeOf(
  { env }: PageContext,
  access: Session["access"],
): Promise<AdminScope | undefined> {
  if (access.kind === "person" && access.memberships.length === 0) return undefined;
  return { env, ...(await callerIn(env, access, undefined)) };
}

interface Reach {
  env: PageContext["env"];
  access: Session["access"];
  scope?: AdminScope | undefined;
}

function reaches(right: PageRight, { env, access, scope }: Reach): boolean {
  switch (right) {
    case "open":
    case "identified":
      return true;
    case "operator":
      return operates(env, access);
    case "root":
      return access.kind === "deployment";
    default:
      return scope !== undefined && mayDo(scope.caller.role, right);
  }
}
