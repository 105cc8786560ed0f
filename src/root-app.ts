/** An app at the root of the gateway's addresses. */
import { Hono } from "hono";
import { routedRequest } from "./gateway/routes/endpoint.ts";
import { answerFault, answerUnknownPath } from "./gateway/routes/unknown-path.ts";
import type { Services } from "./gateway/services.ts";
import type { Env } from "./store/env.ts";

/** A Hono app over the bindings. */
export type BoundApp = Hono<{ Bindings: Env }>;

/** The services of an isolate, from the bindings of a request. */
export type ServicesOf = (env: Env) => Services;

/**
 * An app without routes, which answers unknown paths and faults as the whole gateway does. `strict`: a path with a slash
 * at its end is another path.
 */
export function rootApp(servicesOf: ServicesOf, strict = true): BoundApp {
  const app: BoundApp = new Hono({ strict });
  app.notFound((c) => answerUnknownPath(routedRequest(c), servicesOf));
  app.onError((error, c) => answerFault(error, routedRequest(c), servicesOf));
  return app;
}
