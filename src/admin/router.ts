/** The admin API as a Hono app: every route of the list, behind one check of the token. */
import { type Context, Hono, type MiddlewareHandler } from "hono";
import type { Problem } from "../core/problem.ts";
import type { Services } from "../gateway/services.ts";
import type { Env } from "../store/env.ts";
import { addressOf } from "../workspace/address/address.ts";
import { openApi } from "./openapi.ts";
import { adminRoutes } from "./routes/index.ts";
import { billingSignature } from "../store/billing.ts";
import { mayDo, type Right } from "../store/roles.ts";
import { accessOf, type AdminAccess } from "./shared/access.ts";
import { actorOf, callerIn, operates } from "./shared/caller.ts";
import type {
  AdminContext,
  BillingContext,
  IdentifiedContext,
  WorkspaceContext,
} from "./shared/context.ts";
import type { AnyAdminRoute, RouteAccess } from "./shared/define-route.ts";
import {
  errorResponse,
  forbidden,
  notFound,
  tooManyWrongTokens,
  unauthorized,
} from "./shared/errors.ts";
import { linesStream, linesType } from "./shared/lines.ts";
import { continentOf } from "./shared/make-workspace.ts";
import { jsonBody, validated } from "./shared/request-body.ts";
import type { AdminScope } from "./shared/scope.ts";
import { signatureHeader, type SignedDelivery, signedDelivery } from "./shared/signed-delivery.ts";
import { countWrongToken } from "./shared/wrong-tokens.ts";

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
  app.onError((error) => errorResponse(error));
  app.get("/api/openapi.json", (c) => c.json(openApi()));
  for (const route of routes) mount(app, route, servicesOf);
  app.all("/api/*", authorize, () => {
    throw notFound("Unknown path.");
  });
  // The variables are this app's own business; outside only the bindings are shared.
  return app as unknown as Hono<{ Bindings: Env }>;
}

/** Learns from the token who calls, or throws 401. */
const authorize: MiddlewareHandler<AdminEnv> = async (c, next) => {
  c.header("cache-control", "no-store");
  const token = bearerToken(c.req.header("authorization"));
  const access = await accessOf(c.env, token);
  if (access === undefined) throw await wrongToken(c, token);
  c.set("access", access);
  await next();
};

/** A missing token is no try. */
async function wrongToken(c: Context<AdminEnv>, token: string): Promise<Problem> {
  if (token === "") return unauthorized();
  const address = addressOf(c.req.raw.headers, c.env);
  const wait = await countWrongToken(c.env, { address, entry: "bearer" });
  return wait > 0 ? tooManyWrongTokens(wait) : unauthorized();
}

function bearerToken(header: string | undefined): string {
  return /^\s*bearer\s+(\S+)\s*$/i.exec(header ?? "")?.[1] ?? "";
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
    return await written(c, route, answer);
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
function checksOf({ access, query, body }: AnyAdminRoute): MiddlewareHandler[] {
  return [
    ...accessChecks[access],
    ...(query === undefined ? [] : [validated("query", query)]),
    ...(body === undefined ? [] : [jsonBody(body), validated("json", body.schema)]),
  ];
}

/** Learns which workspace is meant, or throws 403 where the caller lacks the right there, 404 where there is none. */
function withRight(right: Right): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const { access } = c.var;
    if (access === undefined) throw unauthorized();
    const { workspace, caller } = await callerIn(
      c.env,
      access,
      c.req.header("x-gateway-workspace"),
    );
    if (!mayDo(caller.role, right)) throw forbidden();
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

const accessChecks: Record<RouteAccess, MiddlewareHandler[]> = {
  open: [],
  identified: [authorize],
  read: [authorize, withRight("read")],
  "read-own": [authorize, withRight("read-own")],
  "write-own": [authorize, withRight("write-own")],
  write: [authorize, withRight("write")],
  operator: [authorize, operatorOnly],
  billing: [billing],
  root: [authorize, rootOnly],
};

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
    waitUntil: (promise) => c.executionCtx.waitUntil(promise),
    continent: continentOf(c.req.raw),
  };
  if (delivery !== undefined) return { ...context, by: { type: "billing", id: "" }, delivery };
  if (access === undefined) return context;
  return scope === undefined
    ? { ...context, access, by: actorOf(access) }
    : { ...context, access, scope };
}
