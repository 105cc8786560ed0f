/** The public endpoints under `/v1`: which path speaks which format, and what everything else is told. */
import { Hono } from "hono";
import type { ClientFormat } from "../core/format.ts";
import { Problem, problemCodes } from "../core/problem.ts";
import { clientFormats } from "../formats/index.ts";
import type { Env } from "../store/env.ts";
import { handleCodexModels } from "./codex-models.ts";
import { countingWith } from "./count.ts";
import { Exchange } from "./exchange.ts";
import { handle } from "./handle.ts";
import { handleModel, handleModels } from "./models.ts";
import { receive, type Received } from "./received.ts";
import { refuse } from "./refuse.ts";
import type { Services } from "./services.ts";
import { handleSpendReport } from "./spend-report.ts";
import { handleTelemetry } from "./client-telemetry.ts";

interface Endpoint {
  readonly path: string;
  readonly method: "GET" | "POST";
  /** The format of the endpoint's answers and errors. */
  readonly client: ClientFormat;
  readonly generates: boolean;
  /** `id`: the part of the path that names a model, percent-decoded. */
  readonly handler: (received: Received, services: Services, id: string) => Promise<Response>;
}

/** Generation and token counting in every format that clients speak. */
const formatEndpoints: readonly Endpoint[] = Object.values(clientFormats).flatMap((client) => {
  const { path, counting } = client;
  const post = { method: "POST", client } as const;
  const generation: Endpoint = { ...post, path, generates: true, handler: handle };
  if (counting === undefined) return [generation];
  const handler = countingWith(counting);
  return [generation, { ...post, path: counting.path, generates: false, handler }];
});

/** Lists, whose errors are OpenAI-shaped. */
const listEndpoints: readonly Endpoint[] = (
  [
    ["/models", handleModels],
    ["/codex-models.json", handleCodexModels],
    ["/models/:id{.+}", handleModel],
  ] as const
).map(([path, handler]) => ({
  path,
  method: "GET",
  client: clientFormats.chat,
  generates: false,
  handler,
}));

/** What clients measure of themselves. */
const telemetryEndpoints: readonly Endpoint[] = ["/metrics", "/logs", "/traces"].map((path) => ({
  path,
  method: "POST",
  client: clientFormats.messages,
  generates: false,
  handler: handleTelemetry,
}));

/** Lies outside `/v1`, between paths of the admin API, because Claude Code asks there. */
const spendEndpoint: Endpoint = {
  path: "/api/oauth/usage",
  method: "GET",
  client: clientFormats.messages,
  generates: false,
  handler: handleSpendReport,
};

/** `/v1` and its alias for base addresses that end in `/v1` themselves. */
export function publicApi(servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  for (const base of ["/v1/v1", "/v1"]) {
    for (const endpoint of [...formatEndpoints, ...listEndpoints, ...telemetryEndpoints])
      mount(app, base + endpoint.path, { endpoint, servicesOf });
  }
  mount(app, spendEndpoint.path, { endpoint: spendEndpoint, servicesOf });
  app.all("/v1/*", (c) => answerUnknownPath(c, servicesOf));
  app.all("/v1", (c) => answerUnknownPath(c, servicesOf));
  return app;
}

function mount(
  app: Hono<{ Bindings: Env }>,
  path: string,
  { endpoint, servicesOf }: { endpoint: Endpoint; servicesOf: (env: Env) => Services },
): void {
  app.all(path, async (c) => {
    const services = servicesOf(c.env);
    const received = receiveFor(endpoint, c, services);
    return await answer(endpoint, { received, services }, c.req.param("id") ?? "");
  });
}

async function answer(
  endpoint: Endpoint,
  { received, services }: { received: Received; services: Services },
  id: string,
): Promise<Response> {
  const { http } = received;
  if (http.method === "OPTIONS") return preflight(received, services, methodsOf(endpoint));
  if (endpoint.generates && http.headers.has("upgrade")) return upgradeRequired(received, services);
  const method = http.method === "HEAD" ? "GET" : http.method;
  if (method !== endpoint.method)
    return await refuse(wrongMethod(endpoint), new Exchange(received, services));
  return await endpoint.handler(received, services, id);
}

/** 404 in the envelope of the format that the path belongs to. */
export async function answerUnknownPath(
  c: Context,
  servicesOf: (env: Env) => Services,
): Promise<Response> {
  const services = servicesOf(c.env);
  const received = receiveStray(c, services);
  if (received.http.method === "OPTIONS") return preflight(received, services, ["GET", "POST"]);
  const { pathname } = new URL(received.http.url);
  const problem = new Problem(problemCodes.unknownPath, `Unknown path: ${pathname.slice(0, 200)}.`);
  return await refuse(problem, new Exchange(received, services));
}

/** What nobody caught, as the gateway's own fault. */
export async function answerFault(
  error: unknown,
  c: Context,
  servicesOf: (env: Env) => Services,
): Promise<Response> {
  const services = servicesOf(c.env);
  return await refuse(error, new Exchange(receiveStray(c, services), services));
}

/** The part of Hono's context that is used here. */
interface Context {
  env: Env;
  req: { raw: Request };
  executionCtx: { waitUntil(promise: Promise<unknown>): void };
}

/** A request that belongs to no endpoint: its errors have the shape of the format whose path it begins with. */
function receiveStray(c: Context, services: Services): Received {
  return receiveFor({ client: formatOfPath(c.req.raw.url), generates: false }, c, services);
}

/** The format whose path the address begins with; the one of the lists where there is none. */
export function formatOfPath(url: string): ClientFormat {
  const path = new URL(url).pathname.replace(/^\/v1(?:\/v1)?/, "");
  const named = Object.values(clientFormats).find(
    (client) => path === client.path || path.startsWith(`${client.path}/`),
  );
  return named ?? clientFormats.chat;
}

function receiveFor(
  { client, generates }: Pick<Endpoint, "client" | "generates">,
  c: Context,
  services: Services,
): Received {
  const waitUntil = (promise: Promise<unknown>): void => c.executionCtx.waitUntil(promise);
  return receive({ http: c.req.raw, client, generates, waitUntil }, services);
}

function methodsOf({ method }: Endpoint): string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function preflight(received: Received, services: Services, methods: readonly string[]): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...new Exchange(received, services).headers(),
      "Access-Control-Allow-Methods": [...methods, "OPTIONS"].join(", "),
      "Access-Control-Allow-Headers": "*, Authorization",
      "Access-Control-Max-Age": "86400",
    },
  });
}

/** WebSockets are not spoken here; this status makes clients use HTTP at once. */
function upgradeRequired(received: Received, services: Services): Response {
  return new Response(null, {
    status: 426,
    headers: { ...new Exchange(received, services).headers(), Upgrade: "HTTP/1.1" },
  });
}

function wrongMethod(endpoint: Endpoint): Problem {
  return new Problem(
    problemCodes.unknownPath,
    `Method not allowed: this path takes ${endpoint.method}.`,
    {
      status: 405,
      code: "method_not_allowed",
      headers: { Allow: [...methodsOf(endpoint), "OPTIONS"].join(", ") },
    },
  );
}
