/** Who may open which page: the session, as what it acts in which workspace, and the right that the route needs. */
import type { MiddlewareHandler } from "hono";
import { Problem, problemCodes } from "../core/problem.ts";
import { policyOf } from "../policy/choose.ts";
import { modeOf } from "../store/env.ts";
import { mayDo } from "../store/roles.ts";
import { ownNewestVersion } from "../admin/routes/document/history.ts";
import { tellEntry } from "../admin/shared/audit.ts";
import { callerIn, operates } from "../admin/shared/caller.ts";
import { type AdminScope, askNewMethod } from "../admin/shared/scope.ts";
import { undoableDone } from "./components/frame/done-messages.ts";
import { mainMenu } from "./navigation.ts";
import { SessionEndedPage } from "./pages/sign-in/session-ended.tsx";
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
  if (session === undefined) return reads ? c.redirect("/dashboard/sign-in", 303) : sessionEnded(c);
  if (right === undefined) throw unknownPage();
  const visitor = await visitorOf(c, session);
  c.set("visitor", visitor);
  if (isViewer(visitor)) c.set("viewer", visitor);
  const allowed = reaches(right, { ...visitor, env: c.env });
  if (!allowed && visitor.scope === undefined && reads)
    return c.redirect(placeWithoutWorkspace(visitor), 303);
  if (!allowed) throw roleForbids();
  await next();
  if (c.req.method === "POST") await nameVersion(c, visitor);
  return undefined;
};

/** Who sent a form reads how to send it again; scripts only learn that it was refused. */
function sessionEnded(c: PageContext): Response | Promise<Response> {
  if (c.req.header("Accept")?.includes("text/html") !== true) return c.text("Sign in again.", 401);
  return c.html(SessionEndedPage({ theme: themeOf(c) }), 401);
}

/** Where a change of the document leads to a page that says so, its address names the version that it made. */
async function nameVersion(c: PageContext, { scope, generation }: Visitor): Promise<void> {
  const location = c.res.headers.get("location") ?? "";
  const [, address, done = "", anchor = ""] =
    /^([^#]*[?&]done=([\w-]+)[^#]*)(#.*)?$/.exec(location) ?? [];
  if (address === undefined || scope === undefined || generation === undefined) return;
  const now = undoableDone.has(done) ? await generationOf(scope) : generation;
  if (now > generation) c.res.headers.set("location", `${address}&version=${now}${anchor}`);
}

async function generationOf(scope: AdminScope): Promise<number> {
  return await askNewMethod(
    scope,
    (stub) => stub.generation(),
    async (stub) => (await stub.snapshot()).generation,
  );
}

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
  const mayChange = !isPart && scope !== undefined && mayDo(scope.caller.role, "write");
  const version = Number(c.req.query("version") ?? Number.NaN);
  const [unread, generation, saved] = await Promise.all([
    seesNotices ? unreadNotices(c, scope) : 0,
    mayChange ? generationOf(scope) : undefined,
    mayChange && done !== undefined && Number.isSafeInteger(version)
      ? ownNewestVersion(scope, version)
      : undefined,
  ]);
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
    saved,
    savedNothing: mayChange && done === "saved" && c.req.query("version") === undefined,
    generation,
  };
}

/** Undefined for a person who belongs to no workspace. */
async function scopeOf(c: PageContext, access: Session["access"]): Promise<AdminScope | undefined> {
  if (access.kind === "person" && access.memberships.length === 0) return undefined;
  const seen = Number(c.req.query("seen") ?? Number.NaN);
  return {
    env: c.env,
    ...(await callerIn(c.env, access, undefined)),
    way: "dashboard",
    ...(Number.isSafeInteger(seen) && { seen }),
  };
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
