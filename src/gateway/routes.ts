/** The public endpoints under `/v1`: which path speaks which dialect, and what is said to everything else. */
import { Hono } from "hono";
import type { ClientFormatName } from "../core/format-name.ts";
import { Problem } from "../core/problem.ts";
import { newId } from "../lib/ids.ts";
import type { Env } from "../store/env.ts";
import type { Call } from "./call.ts";
import { handleCodexModels } from "./codex-models.ts";
import { handleCount } from "./count.ts";
import { clientFormats } from "../formats/index.ts";
import { handle, refusedLight } from "./handle.ts";
import { baseHeaders } from "./headers.ts";
import { handleModel, handleModels } from "./models.ts";
import type { Services, Shell } from "./services.ts";

type Handler = (call: Call, shell: Shell, parameter: string) => Promise<Response>;

interface Endpoint {
  path: string;
  method: "GET" | "POST";
  /** The dialect of the endpoint's errors. */
  client: ClientFormatName;
  generates?: true;
  handler: Handler;
}

const endpoints: readonly Endpoint[] = [
  { path: "/chat/completions", method: "POST", client: "chat", generates: true, handler: handle },
  { path: "/responses", method: "POST", client: "responses", generates: true, handler: handle },
  { path: "/messages", method: "POST", client: "messages", generates: true, handler: handle },
  { path: "/messages/count_tokens", method: "POST", client: "messages", handler: handleCount },
  { path: "/models", method: "GET", client: "chat", handler: handleModels },
  { path: "/codex-models.json", method: "GET", client: "chat", handler: handleCodexModels },
  {
    path: "/models/:id{.+}",
    method: "GET",
    client: "chat",
    handler: (call, shell, id) => handleModel(call, id, shell),
  },
];

/** `/v1` and its alias for base addresses that end in `/v1` themselves. */
export function publicApi(servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  for (const base of ["/v1/v1", "/v1"]) {
    for (const endpoint of endpoints) {
      app.all(base + endpoint.path, async (c) => {
        const { request, services, shell } = scene(c, servicesOf);
        const call = callOf(request, services, {
          client: endpoint.client,
          generates: endpoint.generates === true,
        });
        if (request.method === "OPTIONS") return preflight(call, methodsOf(endpoint));
        if (endpoint.path === "/responses" && request.headers.has("upgrade"))
          return upgradeRequired(call);
        const method = request.method === "HEAD" ? "GET" : request.method;
        if (method !== endpoint.method) return await wrongMethod(call, endpoint);
        return await endpoint.handler(call, shell, c.req.param("id") ?? "");
      });
    }
  }
  app.all("/v1/*", (c) => answerUnknownPath(c, servicesOf));
  app.all("/v1", (c) => answerUnknownPath(c, servicesOf));
  return app;
}

/** 404 in the envelope of the dialect that the path belongs to. */
export async function answerUnknownPath(
  c: Scene,
  servicesOf: (env: Env) => Services,
): Promise<Response> {
  const { pathname, call } = strayCall(c, servicesOf);
  if (call.request.method === "OPTIONS") return preflight(call, ["GET", "POST"]);
  return await refusedLight(call, new Problem("M301", `Unknown path: ${pathname.slice(0, 200)}.`));
}

/** What nobody caught, as the gateway's own fault. */
export async function answerFault(
  error: unknown,
  c: Scene,
  servicesOf: (env: Env) => Services,
): Promise<Response> {
  return await refusedLight(strayCall(c, servicesOf).call, error);
}

/** A request that belongs to no endpoint. */
function strayCall(c: Scene, servicesOf: (env: Env) => Services): { pathname: string; call: Call } {
  const { request, services } = scene(c, servicesOf);
  const { pathname } = new URL(request.url);
  const isMessages = /^\/v1(?:\/v1)?\/messages(?:\/|$)/.test(pathname);
  const client: ClientFormatName = isMessages ? "messages" : "chat";
  return { pathname, call: callOf(request, services, { client, generates: false }) };
}

interface Scene {
  env: Env;
  req: { raw: Request };
  executionCtx: { waitUntil(promise: Promise<unknown>): void };
}

function scene(
  c: Scene,
  servicesOf: (env: Env) => Services,
): { request: Request; services: Services; shell: Shell } {
  const services = servicesOf(c.env);
  const waitUntil = (promise: Promise<unknown>): void => c.executionCtx.waitUntil(promise);
  return { request: c.req.raw, services, shell: { services, waitUntil } };
}

function callOf(
  request: Request,
  services: Services,
  kind: { client: ClientFormatName; generates: boolean },
): Call {
  return {
    id: newId("req_"),
    started: services.now(),
    request,
    dialect: clientFormats[kind.client],
    client: kind.client,
    policy: services.policy,
    generates: kind.generates,
    size: 0,
  };
}

function methodsOf({ method }: Endpoint): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function preflight(call: Call, methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...baseHeaders(call),
      "Access-Control-Allow-Methods": [...methods, "OPTIONS"].join(", "),
      "Access-Control-Allow-Headers": "*, Authorization",
      "Access-Control-Max-Age": "86400",
    },
  });
}

/** WebSockets are not spoken here; this status makes clients use HTTP at once. */
function upgradeRequired(call: Call): Response {
  return new Response(null, {
    status: 426,
    headers: { ...baseHeaders(call), Upgrade: "HTTP/1.1" },
  });
}

async function wrongMethod(call: Call, endpoint: Endpoint): Promise<Response> {
  const { method } = endpoint;
  const problem = new Problem("M301", `Method not allowed: this path takes ${method}.`, {
    status: 405,
    code: "method_not_allowed",
    headers: { Allow: [...methodsOf(endpoint), "OPTIONS"].join(", ") },
  });
  return await refusedLight(call, problem);
}
