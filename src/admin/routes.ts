/** The admin API: thin routes over the actions. */
import { type Context, Hono } from "hono";
import type { JsonObject } from "../lib/json.ts";
import { Problem } from "../core/problem.ts";
import { type Config, configSchema, type ProviderEntry } from "../store/config.ts";
import { type Env, type Mode, modeOf } from "../store/env.ts";
import type { Directory } from "../providers/models/directory.ts";
import type { Snapshot } from "../store/snapshot.ts";
import * as actions from "./actions.ts";
import { checked, jsonBody, longestRequest } from "./body.ts";
import { shownModels, shownTiers } from "./models.ts";
import { forgetLearning, readLearning } from "./learning.ts";
import { localServers } from "./local.ts";
import { summary } from "./summary.ts";
import { openApi } from "./openapi.ts";
import { findRequest, listRequests, usageReport } from "./reports.ts";
import * as schemas from "./schemas.ts";
import { version } from "./version.ts";
import * as workspaces from "./workspaces.ts";

export interface ProviderTest {
  ok: boolean;
  /** HTTP status of the provider, or what the failure counts as. */
  status: number;
  /** How many its list names. */
  models: number;
  ms: number;
  message: string;
}

export interface ProviderTestInput {
  env: Env;
  snapshot: Snapshot;
  /** As stored: its secrets are sealed. */
  provider: ProviderEntry;
}

export interface DryRunInput {
  env: Env;
  snapshot: Snapshot;
  harness: string;
  format: "chat" | "responses" | "messages";
  body: JsonObject;
  waitUntil: (promise: Promise<unknown>) => void;
}

export interface DirectoryInput {
  env: Env;
  snapshot: Snapshot;
  /** Whether to wait for the lists of providers that were never asked. */
  fresh: boolean;
  waitUntil: (promise: Promise<unknown>) => void;
}

/** What the admin API needs from the rooms that it does not see. */
export interface AdminDeps {
  /** Every model that the workspace reaches. */
  directory(input: DirectoryInput): Promise<Directory>;
  checkProvider(entry: ProviderEntry, mode: Mode): { member: string; problem: Problem } | undefined;
  /** Asks the provider for its list of models. */
  testProvider(input: ProviderTestInput): Promise<ProviderTest>;
  /** The routing decision for a request's body, nothing forwarded. */
  dryRun(input: DryRunInput): Promise<JsonObject>;
}

interface Vars {
  Bindings: Env;
  Variables: { reach: workspaces.Reach; office: actions.Office };
}

/** Mounted at the root: its paths are `/api/…` and `/healthz`. */
export function adminApi(deps: AdminDeps): Hono<{ Bindings: Env }> {
  const app = new Hono<Vars>();
  app.onError((error) => errorResponse(error));
  app.get("/healthz", (c) => c.json({ status: "ok", version }));
  app.get("/api/openapi.json", (c) => c.json(openApi()));
  app.use("/api/*", async (c, next) => {
    c.header("cache-control", "no-store");
    const reach = await workspaces.reachOf(c.env, bearer(c.req.header("authorization")));
    if (reach === undefined) throw unauthorised();
    const workspace = await workspaces.workspaceFor(
      c.env,
      reach,
      c.req.header("x-gateway-workspace"),
    );
    const mode = modeOf(c.env);
    c.set("reach", reach);
    c.set("office", {
      env: c.env,
      workspace,
      checkProvider: (entry) => deps.checkProvider(entry, mode),
    });
    await next();
  });
  configRoutes(app);
  keyRoutes(app);
  reportRoutes(app);
  toolRoutes(app, deps);
  modelRoutes(app, deps);
  tokenRoutes(app);
  workspaceRoutes(app);
  app.all("/api/*", () => {
    throw actions.notFound("Unknown path.");
  });
  // The variables are this app's own business; outside only the bindings are shared.
  return app as unknown as Hono<{ Bindings: Env }>;
}

function configRoutes(app: Hono<Vars>): void {
  app.get("/api/config", async (c) => c.json(await actions.readConfig(c.var.office)));
  app.put(
    "/api/config",
    jsonBody({ optional: false }),
    checked("json", configSchema),
    async (c) => {
      const config: Config = c.req.valid("json");
      return c.json(await actions.replaceConfig(c.var.office, config));
    },
  );
}

function keyRoutes(app: Hono<Vars>): void {
  const path = "/api/harnesses/:harness/keys";
  app.post(path, jsonBody({ optional: true }), checked("json", schemas.newKeySchema), async (c) => {
    const made = await actions.createKey(c.var.office, c.req.param("harness"), c.req.valid("json"));
    return c.json(made, 201);
  });
  app.get(path, async (c) =>
    c.json({ data: await actions.listKeys(c.var.office, c.req.param("harness")) }),
  );
  app.delete(`${path}/:key`, async (c) => {
    await actions.deleteKey(c.var.office, c.req.param("harness"), c.req.param("key"));
    return c.body(null, 204);
  });
}

function reportRoutes(app: Hono<Vars>): void {
  app.get("/api/usage", checked("query", schemas.usageQuerySchema), async (c) =>
    c.json({ data: await usageReport(c.var.office, c.req.valid("query")) }),
  );
  app.get("/api/requests", checked("query", schemas.requestsQuerySchema), async (c) =>
    c.json(await listRequests(c.var.office, c.req.valid("query"))),
  );
  app.get("/api/requests/:id", async (c) =>
    c.json(await findRequest(c.var.office, c.req.param("id"))),
  );
  const learning = "/api/harnesses/:id/learning";
  app.get(learning, async (c) => c.json(await readLearning(c.var.office, c.req.param("id"))));
  app.delete(learning, async (c) => {
    await forgetLearning(c.var.office, c.req.param("id"));
    return c.body(null, 204);
  });
  app.get("/api/limits", async (c) => c.json({ data: await actions.listLimits(c.var.office) }));
  app.get("/api/blocks", async (c) => c.json({ data: await actions.listBlocks(c.var.office) }));
  app.get("/api/status", async (c) => c.json(await actions.readStatus(c.var.office)));
}

function toolRoutes(app: Hono<Vars>, deps: AdminDeps): void {
  app.post("/api/providers/:id/test", async (c) => {
    const snapshot = await actions.readSnapshot(c.var.office);
    const id = c.req.param("id");
    const provider = snapshot.config.providers?.find((entry) => entry.id === id);
    if (provider === undefined)
      throw actions.notFound(`there is no provider ${JSON.stringify(id)}`);
    return c.json(await deps.testProvider({ env: c.env, snapshot, provider }));
  });
  app.post(
    "/api/route",
    jsonBody({ optional: false, longest: longestRequest }),
    checked("json", schemas.routeSchema),
    async (c) => {
      const { harness, format, body } = c.req.valid("json");
      const snapshot = await actions.readSnapshot(c.var.office);
      const known = snapshot.config.harnesses?.some((entry) => entry.id === harness) ?? false;
      if (!known) throw actions.noHarness(harness);
      const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
      // Parsed from JSON by the validator, so every value in it is one of JSON's.
      const question = { harness, format, body: body as JsonObject };
      return c.json(await deps.dryRun({ env: c.env, snapshot, ...question, waitUntil }));
    },
  );
}

function modelRoutes(app: Hono<Vars>, deps: AdminDeps): void {
  const directoryOf = async (c: Context<Vars>) => {
    const snapshot = await actions.readSnapshot(c.var.office);
    const waitUntil = (promise: Promise<unknown>) => c.executionCtx.waitUntil(promise);
    return {
      snapshot,
      directory: await deps.directory({ env: c.env, snapshot, waitUntil, fresh: true }),
    };
  };
  app.get("/api/models", async (c) =>
    c.json({ data: shownModels((await directoryOf(c)).directory) }),
  );
  app.get("/api/summary", checked("query", schemas.summaryQuerySchema), async (c) => {
    const { directory } = await directoryOf(c);
    return c.json(await summary(c.var.office, c.req.valid("query"), directory));
  });
  app.get("/api/harnesses/:id/tiers", async (c) => {
    const { snapshot, directory } = await directoryOf(c);
    const id = c.req.param("id");
    const harness = snapshot.config.harnesses?.find((entry) => entry.id === id);
    if (harness === undefined) throw actions.noHarness(id);
    return c.json({ data: shownTiers(directory, harness) });
  });
  app.get("/api/local", async (c) => c.json({ data: await localServers(modeOf(c.env)) }));
}

function tokenRoutes(app: Hono<Vars>): void {
  app.post("/api/admin-token", async (c) =>
    c.json({ admin_token: await workspaces.rotateToken(c.env, c.var.reach, null) }, 201),
  );
  app.delete("/api/sessions", async (c) => {
    await workspaces.signOutEverywhere(c.env, c.var.reach, null);
    return c.body(null, 204);
  });
}

function workspaceRoutes(app: Hono<Vars>): void {
  app.use("/api/workspaces/*", async (c, next) => {
    if (c.var.reach.kind !== "deployment") throw workspaces.forbidden();
    await next();
  });
  app.post(
    "/api/workspaces",
    jsonBody({ optional: false }),
    checked("json", schemas.newWorkspaceSchema),
    async (c) => c.json(await workspaces.createWorkspace(c.env, c.req.valid("json")), 201),
  );
  app.get("/api/workspaces", async (c) => c.json({ data: await workspaces.listWorkspaces(c.env) }));
  app.patch(
    "/api/workspaces/:id",
    jsonBody({ optional: false }),
    checked("json", schemas.workspaceChangeSchema),
    async (c) =>
      c.json(await workspaces.changeWorkspace(c.env, c.req.param("id"), c.req.valid("json"))),
  );
}

function bearer(header: string | undefined): string {
  return /^\s*bearer\s+(\S+)\s*$/i.exec(header ?? "")?.[1] ?? "";
}

function unauthorised(): Problem {
  return new Problem("M001", "The admin API wants `Authorization: Bearer <ADMIN_TOKEN>`.", {
    code: "admin_auth",
    headers: { "WWW-Authenticate": "Bearer" },
  });
}

/** The envelope of every failure; what is not a Problem is a fault of the gateway's own. */
export function errorResponse(error: unknown): Response {
  const problem = error instanceof Problem ? error : faultOf(error);
  const { message, type, code, extra } = problem;
  return Response.json(
    { error: { message, type, code, ...extra } },
    { status: problem.status, headers: problem.headers },
  );
}

function faultOf(error: unknown): Problem {
  console.error("an admin request failed:", error instanceof Error ? error.stack : String(error));
  return new Problem("M500", "The gateway failed to serve this request.");
}
