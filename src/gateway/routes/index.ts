/** The public endpoints: which path has which format, and the refusal of all other paths. */
import { Hono } from "hono";
import type { Env } from "../../store/env.ts";
import { isGemini } from "../../formats/gemini/request/recognize.ts";
import { clientFormats } from "../../formats/index.ts";
import { formatOf } from "../request/format-of.ts";
import { spendEndpoint, telemetryEndpoints } from "./client-endpoints.ts";
import {
  type RoutedRequest,
  routedRequest,
  type PublicEndpoint,
  serve,
  type ServicesFor,
} from "./endpoint.ts";
import { formatEndpoints } from "./format-endpoints.ts";
import { answerGemini } from "./gemini-endpoints.ts";
import { listEndpoints } from "./list-endpoints.ts";
import { operationEndpoints } from "./operation-endpoints.ts";
import { answerUnknownPath } from "./unknown-path.ts";

type PublicApp = Hono<{ Bindings: Env }>;

/** `/v1`, its alias for base addresses that end in `/v1` themselves, and paths of those that end without it. */
const bases = ["/v1/v1", "/v1", ""];

/**
 * Everything that clients of models ask for. Every path has one handler: a second one that might answer instead costs
 * each request a chain of promises.
 */
export function publicApi(servicesOf: ServicesFor): PublicApp {
  const app: PublicApp = new Hono<{ Bindings: Env }>();
  for (const version of ["/v1beta", "/v1beta1", "/v1alpha", "/upload"])
    for (const path of [version, `${version}/*`])
      app.all(path, (c) => answerGemini(routedRequest(c), servicesOf));
  for (const base of bases) {
    for (const endpoint of [...formatEndpoints, ...operationEndpoints, ...listEndpoints])
      mount(app, base + endpoint.path, { endpoint, servicesOf });
  }
  for (const base of ["/v1/v1", "/v1"]) {
    for (const endpoint of telemetryEndpoints)
      mount(app, base + endpoint.path, { endpoint, servicesOf });
  }
  mount(app, spendEndpoint.path, { endpoint: spendEndpoint, servicesOf });
  app.notFound((c) => answerElsewhere(routedRequest(c), servicesOf));
  return app;
}

/** Answers where no endpoint has the path: some of Gemini's name the model. */
export async function answerElsewhere(
  routed: RoutedRequest,
  servicesOf: ServicesFor,
): Promise<Response> {
  const { pathname } = new URL(routed.http.url);
  const isPublic = pathname === "/v1" || pathname.startsWith("/v1/");
  const { url } = routed.http;
  const isTheirs = isPublic && formatOf({ url, headers: routed.headers }) === clientFormats.gemini;
  const answering = isTheirs ? answerGemini : answerUnknownPath;
  return await answering(routed, servicesOf);
}

/** Serves the endpoint at the path, whatever the method, but for requests there that are Gemini's. */
function mount(
  app: PublicApp,
  path: string,
  { endpoint, servicesOf }: { endpoint: PublicEndpoint; servicesOf: ServicesFor },
): void {
  // Lists of models are the only paths that several formats share.
  const isShared = path.includes("/models");
  app.all(path, (c) => {
    const routed = routedRequest(c);
    if (isShared && isGeminis(routed)) return answerGemini(routed, servicesOf);
    return serve(endpoint, routed, { servicesOf, id: c.req.param("id") ?? "" });
  });
}

function isGeminis({ http: { url }, headers }: RoutedRequest): boolean {
  return isGemini({ url, headers });
}
