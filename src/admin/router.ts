/** The admin API as a Hono app: every route of the list, behind one check of the token. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { isForeign } from "../lib/same-origin.ts";
import type { Services } from "../gateway/services.ts";
import type { Env } from "../store/env.ts";
import { addressOf } from "../workspace/address/address.ts";
import { openApi } from "./openapi.ts";
import { adminRoutes } from "./routes/index.ts";
import { billingSignature } from "../store/billing.ts";
import { publicOrigin } from "../store/public-origin.ts";
import { mayDo, type Right } from "../store/roles.ts";
import type { AdminAccess } from "./shared/credentials/access.ts";
import { bearerToken } from "./shared/credentials/bearer.ts";
import { tellEntry } from "./shared/audit.ts";
import { callerIn, operates, operatorActorOf } from "./shared/caller.ts";
import type {
  AdminContext,
  BillingContext,
  IdentifiedContext,
  WorkspaceContext,
} from "./shared/context.ts";
import type { AnyAdminRoute } from "./shared/define-route.ts";
import {
  errorResponse,
  forbidden,
  notFound,
  tooManyWrongTokens,
  unauthorized,
} from "./shared/errors.ts";
import { judgeToken } from "./shared/credentials/judge-token.ts";
import { linesStream, linesType } from "./shared/export/lines.ts";
import { continentOf } from "./shared/membership/make-workspace.ts";
import { ownOrigin } from "./shared/own-origin.ts";
import { validBody, validQuery } from "./shared/request-body.ts";
import type { AdminScope } from "./shared/scope.ts";
import { browserSession, hasSessionCookie } from "./shared/credentials/session.ts";
import { signatureHeader, type SignedDelivery, signedDelivery } from "./shared/signed-delivery.ts";

type ServicesOf = (env: Env) => Services;

interface AdminEnv {
  Bindings: Env;
  Variables: {
    /** Set for every route that is not open. */
    access?: AdminAccess;
    /** Set where a right in a workspace is wanted. */
    scope?: AdminScope;
    /** Set where the billing system calls. */
    delivery?: SignedDelivery;
  };
}

/** Mounted at the root: its paths are `/api/…` and `/healthz`. */
export function adminApi(servicesOf: ServicesOf): Hono<{ Bindings: Env }> {
  const app = new Hono<AdminEnv>();
  const routes: readonly AnyAdminRoute[] = adminRoutes;
  app.onError((error, c) => errorResponse(error, ownOrigin(c.env, c.req.raw)));
  app.get("/api/openapi.json", (c) => c.json(openApi()));
  for (const route of routes) mount(app, route, servicesOf);
  app.all("/api/*", authorize, () => {
    throw notFound("Unknown path.");
  });
  // The variables are this app's own business; outside only the bindings are shared.
  return app as unknown as Hono<{ Bindings: Env }>;
}

/** Learns who calls, from a token or from the session of a browser, or throws 401. */
const authorize: MiddlewareHandler<AdminEnv> = async (c, next) => {
  c.header("cache-control", "no-store");
  const token = bearerToken(c.req.header("authorization"));
  c.set("access", token === "" ? await sessionAccess(c) : await tokenAccess(c, token));
  await next();
};

/** Throws 401, and after too many wrong ones 429. */
async function tokenAccess(c: Context<AdminEnv>, token: string): Promise<AdminAccess> {
  const address = addressOf(c.req.raw.headers, c.env);
  const judged = await judgeToken(c.env, token, { address, entry: "bearer" });
  if (judged.found !== undefined) return judged.found;
  throw judged.wait > 0 ? tooManyWrongTokens(judged.wait) : unauthorized();
}

/** A missing token is no try. What a page of another origin sends is not what the browser's user wants. */
async function sessionAccess(c: Context<AdminEnv>): Promise<AdminAccess> {
  const request = c.req.raw;
  if (!hasSessionCookie(request)) throw unauthorized();
  if (isForeign(request, publicOrigin(c.env))) throw forbidden();
  const found = await browserSession({ env: c.env, request }, { active: true });
  if (found === undefined) throw unauthorized();
  for (const cookie of found.cookies) c.header("Set-Cookie", cookie, { append: true });
  return found.session.access;
}

function mount(app: Hono<AdminEnv>, route: AnyAdminRoute, servicesOf: ServicesOf): void {
  const path = route.path.replace(/\{(\w+)\}/g, ":$1");
  for (const check of checksOf(route)) app.on(route.method, path, check);
  app.on(route.method, path, async (c) => {
    const input = {
      params: c.req.param(),
      query: validInput(c, "query"),
      body: validInput(c, "json"),
    };
    const answer = await route.handle(input, contextOf(c, servicesOf));
    return answer instanceof Response ? answer : await written(c, route, answer);
  });
}

/** The answer as the route's definition says. */
async function written(
  c: Context<AdminEnv>,
  route: AnyAdminRoute,
  answer: unknown,
): Promise<Response> {
  if (route.status === 204) return c.body(null, 204);
  // The definition's type says that its handler answers so.
  if ("lines" in route) {
    c.header("content-type", linesType);
    return c.body(linesStream(answer as AsyncIterable<unknown>));
  }
  if (route.signed !== true) return c.json(answer, route.status);
  const body = JSON.stringify(answer);
  const signature = await billingSignature(c.env, new TextEncoder().encode(body), Date.now());
  if (signature !== undefined) c.header(signatureHeader, signature);
  c.header("content-type", "application/json");
  return c.body(body, route.status);
}

/** What must hold before a route's handler runs: who may call it, then what was sent. */
function checksOf(route: AnyAdminRoute): MiddlewareHandler[] {
  const { query, body } = route;
  return [
    ...accessChecks(route),
    ...(query === undefined ? [] : [validQuery(query)]),
    ...(body === undefined ? [] : [validBody(body)]),
  ];
}

/** Learns which workspace is meant, or throws 403 where the caller lacks the right there, 404 where there is none. */
function withRight(right: Right, route: string): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const { access } = c.var;
    if (access === undefined) throw unauthorized();
    const { workspace, caller } = await callerIn(
      c.env,
      access,
      c.req.header("x-gateway-workspace"),
    );
    if (!mayDo(caller.role, right)) throw forbidden();
    if (c.req.method === "GET" || right === "read" || right === "read-own")
      await tellEntry({ env: c.env, workspace }, { actor: caller.actor, reading: route });
    c.set("scope", { env: c.env, workspace, caller });
    await next();
  };
}

const operatorOnly: MiddlewareHandler<AdminEnv> = async (c, next) => {
  if (c.var.access === undefined || !operates(c.env, c.var.access)) throw forbidden();
  await next();
};

const rootOnly: MiddlewareHandler<AdminEnv> = async (c, next) => {
  if (c.var.access?.kind !== "deployment") throw forbidden();
  await next();
};

/** A signature is judged where there is one; else who runs the deployment may call. */
const billing: MiddlewareHandler<AdminEnv> = async (c, next) => {
  if (c.req.header(signatureHeader) === undefined)
    return await authorize(c, async () => void (await operatorOnly(c, next)));
  c.header("cache-control", "no-store");
  const { delivery, request } = await signedDelivery(c.env, c.req.raw);
  // Its body is read once more.
  c.req.raw = request;
  c.set("delivery", delivery);
  await next();
};

function accessChecks({ access, name }: AnyAdminRoute): MiddlewareHandler[] {
  switch (access) {
    case "open":
      return [];
    case "identified":
      return [authorize];
    case "operator":
      return [authorize, operatorOnly];
    case "billing":
      return [billing];
    case "root":
      return [authorize, rootOnly];
    default:
      return [authorize, withRight(access, name)];
  }
}

/** What the validator accepted; undefined where the route has none. */
function validInput(c: Context<AdminEnv>, target: "query" | "json"): unknown {
  // The routes come from a list, so Hono's types know of no validator.
  return c.req.valid(target as never);
}

function contextOf(
  c: Context<AdminEnv>,
  servicesOf: ServicesOf,
): AdminContext | BillingContext | IdentifiedContext | WorkspaceContext {
  const { access, scope, delivery } = c.var;
  const context: AdminContext = {
    env: c.env,
    services: servicesOf(c.env),
    origin: ownOrigin(c.env, c.req.raw),
    request: c.req.raw,
    accept: c.req.header("accept") ?? "",
    ifMatch: c.req.header("if-match"),
    setHeader: (name, value) => c.header(name, value),
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    continent: continentOf(c.req.raw),
  };
  if (delivery !== undefined) return { ...context, by: { type: "billing", id: "" }, delivery };
  if (access === undefined) return context;
  const named = c.req.header("x-gateway-workspace");
  // Asked for by routes alone at which somebody acts on the deployment.
  const by = operatorActorOf(access);
  const identified = { ...context, access, by, ...(named !== undefined && { named }) };
  return scope === undefined ? identified : { ...identified, scope };
}
