/** What a public endpoint is, and how a request reaches its handler. */
import type { ClientFormat, RequestAddress } from "../../core/format.ts";
import type { OperationName } from "../../core/operation-name.ts";
import { Problem, problemCodes } from "../../core/problem.ts";
import { readHeaders } from "../../lib/header-reader.ts";
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
interface RouteContext {
  env: Env;
  req: { raw: Request };
  executionCtx: { waitUntil(promise: Promise<unknown>): void };
}

/** A request that has not been matched to an endpoint yet. */
export interface RoutedRequest extends Pick<Received, "http" | "headers" | "waitUntil"> {
  readonly env: Env;
}

/** The request that Hono hands over. */
export function routedRequest(c: RouteContext): RoutedRequest {
  const { env, req, executionCtx } = c;
  const http = req.raw;
  const waitUntil = (promise: Promise<unknown>): void => executionCtx.waitUntil(promise);
  return { env, http, headers: readHeaders(http.headers), waitUntil };
}

/** Has the endpoint answer, whatever the method. `id`: the part of the path that names a model. */
export function serve(
  endpoint: PublicEndpoint,
  routed: RoutedRequest,
  { servicesOf, id }: { servicesOf: ServicesFor; id: string },
): Promise<Response> {
  const services = servicesOf(routed.env);
  return answer(endpoint, { received: receiveFor(endpoint, routed, services), services }, id);
}

/** What a request is taken as. */
export type TakenAs = Pick<PublicEndpoint, "client" | "generates" | "operation"> & {
  address?: RequestAddress;
};

export function receiveFor(
  { client, generates, operation, address }: TakenAs,
  { http, headers, waitUntil }: RoutedRequest,
  services: Services,
): Received {
  const endpointed = {
    http,
    headers,
    waitUntil,
    client,
    generates,
    ...(operation !== undefined && { operation }),
    ...(address !== undefined && { address }),
  };
  return receive(endpointed, services);
}

/** The endpoint's answer; its method and protocol are checked here. */
export async function answer(
  endpoint: PublicEndpoint,
  { received, services }: { received: Received; services: Services },
  id: string,
): Promise<Response> {
  const { method } = received.http;
  if (method === "OPTIONS") return preflight(received, services, methodsOf(endpoint));
  if (endpoint.generates && received.headers.get("upgrade") !== null) {
    const upgraded = asksForSocket(received) ? endpoint.upgraded?.(received, services) : undefined;
    return (await upgraded) ?? upgradeRequired(received, services);
  }
  if (!takes(endpoint, method))
    return await refuse(wrongMethod(endpoint), new Exchange(received, services));
  return await endpoint.handler(received, services, id);
}

function takes({ method }: PublicEndpoint, asked: string): boolean {
  return method === asked || method === "any" || (method === "GET" && asked === "HEAD");
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

/** The runtime takes no socket for an answer to anything but this one word. */
function asksForSocket({ http, headers }: Received): boolean {
  return http.method === "GET" && headers.get("upgrade")?.toLowerCase() === "websocket";
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
