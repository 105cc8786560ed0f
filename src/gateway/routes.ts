/** The public endpoints under `/v1`: which path speaks which dialect, and what is said to everything else. */
import { Hono } from "hono";
import type { ClientFormat } from "../core/format.ts";
import { Problem } from "../core/problem.ts";
import { newId } from "../lib/ids.ts";
import type { Env } from "../store/env.ts";
import type { Call } from "./call.ts";
import { handleCodexModels } from "./codex-models.ts";
import { handleCount } from "./count.ts";
import { clientDialects } from "./dialects.ts";
import { handle, refusedLight } from "./handle.ts";
import { exposed } from "./headers.ts";
import { handleModel, handleModels } from "./models.ts";
import type { Services, Shell } from "./services.ts";

type Handler = (call: Call, shell: Shell, parameter: string) => Promise<Response>;

interface Endpoint {
  path: string;
  method: "GET" | "POST";
  /** The dialect of the endpoint's errors. */
  client: ClientFormat;
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
        if (request.method === "OPTIONS") return preflight(endpoint.method);
        const call = callOf(request, services, {
          client: endpoint.client,
          generates: endpoint.generates === true,
        });
        if (endpoint.path === "/responses" && request.headers.has("upgrade"))
          return upgradeRequired(call);
        const method = request.method === "HEAD" ? "GET" : request.method;
        if (method !== endpoint.method) return await wrongMethod(call, endpoint.method);
        return await endpoint.handler(call, shell, parameterOf(c.req.param("id")));
      });
    }
  }
  app.all("/v1/*", (c) => unknownPath(c, servicesOf));
  app.all("/v1", (c) => unknownPath(c, servicesOf));
  return app;
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
  kind: { client: ClientFormat; generates: boolean },
): Call {
  return {
    id: newId("req_"),
    started: services.now(),
    request,
    dialect: clientDialects[kind.client],
    client: kind.client,
    policy: services.policy,
    generates: kind.generates,
    size: 0,
  };
}

/** Hono decodes what it can; an id whose encoding is broken stays as it is. */
function parameterOf(id: string | undefined): string {
  if (id === undefined) return "";
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function preflight(method: string): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Allow-Methods": `${method}, OPTIONS`,
      "Access-Control-Allow-Headers": "*, Authorization",
      "Access-Control-Expose-Headers": exposed,
      "Access-Control-Max-Age": "86400",
    },
  });
}

/** WebSockets are not spoken here; this status makes clients use HTTP at once. */
function upgradeRequired(call: Call): Response {
  return new Response(null, {
    status: 426,
    headers: {
      Upgrade: "HTTP/1.1",
      "X-Gateway-Request-Id": call.id,
      "Access-Control-Allow-Origin": "*",
    },
  });
}

async function wrongMethod(call: Call, allowed: string): Promise<Response> {
  const problem = new Problem("M301", `Method not allowed: this path takes ${allowed}.`, {
    status: 405,
    code: "method_not_allowed",
    headers: { Allow: `${allowed}, OPTIONS` },
  });
  return await refusedLight(call, problem);
}

async function unknownPath(c: Scene, servicesOf: (env: Env) => Services): Promise<Response> {
  const { request, services } = scene(c, servicesOf);
  if (request.method === "OPTIONS") return preflight("GET, POST");
  const { pathname } = new URL(request.url);
  const client: ClientFormat = /^\/v1(?:\/v1)?\/messages(?:\/|$)/.test(pathname)
    ? "messages"
    : "chat";
  const call = callOf(request, services, { client, generates: false });
  return await refusedLight(call, new Problem("M301", `Unknown path: ${pathname.slice(0, 200)}.`));
}
