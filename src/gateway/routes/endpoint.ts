/** What a public endpoint is, and how a request reaches its handler. */
import type { Hono } from "hono";
import type { ClientFormat, RequestAddress } from "../../core/format.ts";
import type { OperationName } from "../../core/operation-name.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import type { Env } from "../../store/env.ts";
import { Exchange } from "../exchange.ts";
import { receive, type Received } from "../received.ts";
import { refuse } from "../refuse.ts";
import type { Services } from "../services.ts";

export interface PublicEndpoint {
  readonly path: string;
  readonly method: "GET" | "POST" | "any";
  /** The format of the endpoint's answers and errors. */
  readonly client: ClientFormat;
  readonly generates: boolean;
  /** What it asks a model instead of a generation. */
  readonly operation?: OperationName;
  /** `id`: the part of the path that names a model, percent-decoded. */
  readonly handler: (received: Received, services: Services, id: string) => Promise<Response>;
  /** Instead of the handler, for a request that asks for a WebSocket; without it, or its answer, the answer is 426. */
  readonly upgraded?: (received: Received, services: Services) => Promise<Response | undefined>;
}

export type ServicesFor = (env: Env) => Services;

/** The part of Hono's context that is used here. */
export interface RouteContext {
  env: Env;
  req: { raw: Request };
  executionCtx: { waitUntil(promise: Promise<unknown>): void };
}

/** Serves the endpoint at the path, whatever the method. */
export function mount(
  app: Hono<{ Bindings: Env }>,
  path: string,
  { endpoint, servicesOf }: { endpoint: PublicEndpoint; servicesOf: ServicesFor },
): void {
  app.all(path, async (c) => {
    const services = servicesOf(c.env);
    const received = receiveFor(endpoint, c, services);
    return await answer(endpoint, { received, services }, c.req.param("id") ?? "");
  });
}

/** What a request is taken as. */
export type TakenAs = Pick<PublicEndpoint, "client" | "generates" | "operation"> & {
  address?: RequestAddress;
};

export function receiveFor(
  { client, generates, operation, address }: TakenAs,
  c: RouteContext,
  services: Services,
): Received {
  const waitUntil = (promise: Promise<unknown>): void => c.executionCtx.waitUntil(promise);
  const known = { http: c.req.raw, client, generates, waitUntil };
  return receive(
    {
      ...known,
      ...(operation !== undefined && { operation }),
      ...(address !== undefined && { address }),
    },
    services,
  );
}

/** The endpoint's answer; its method and protocol are checked here. */
export async function answer(
  endpoint: PublicEndpoint,
  { received, services }: { received: Received; services: Services },
  id: string,
): Promise<Response> {
  const { http } = received;
  if (http.method === "OPTIONS") return preflight(received, services, methodsOf(endpoint));
  if (endpoint.generates && http.headers.has("upgrade")) {
    const upgraded = asksForSocket(http) ? endpoint.upgraded?.(received, services) : undefined;
    return (await upgraded) ?? upgradeRequired(received, services);
  }
  const method = http.method === "HEAD" ? "GET" : http.method;
  if (endpoint.method !== "any" && method !== endpoint.method)
    return await refuse(wrongMethod(endpoint), new Exchange(received, services));
  return await endpoint.handler(received, services, id);
}

function methodsOf({ method }: PublicEndpoint): string[] {
  if (method === "any") return ["GET", "POST"];
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

export function preflight(
  received: Received,
  services: Services,
  methods: readonly string[],
): Response {
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

function asksForSocket({ method, headers }: Request): boolean {
  const protocols = (headers.get("upgrade") ?? "").toLowerCase().split(",");
  return method === "GET" && protocols.some((protocol) => protocol.trim() === "websocket");
}

/** No WebSocket is spoken here or now; this status makes clients use HTTP at once. */
function upgradeRequired(received: Received, services: Services): Response {
  const headers = { ...new Exchange(received, services).headers(), Upgrade: "HTTP/1.1" };
  return new Response(null, { status: 426, headers });
}

function wrongMethod(endpoint: PublicEndpoint): Problem {
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
