/** The public endpoints under `/v1`: which path speaks which format, and what everything else is told. */
import { Hono } from "hono";
import type { Env } from "../../store/env.ts";
import { spendEndpoint, telemetryEndpoints } from "./client-endpoints.ts";
import { mount, type ServicesFor } from "./endpoint.ts";
import { formatEndpoints } from "./format-endpoints.ts";
import { listEndpoints } from "./list-endpoints.ts";
import { operationEndpoints } from "./operation-endpoints.ts";
import { answerUnknownPath } from "./unknown-path.ts";

/** `/v1` and its alias for base addresses that end in `/v1` themselves. */
export function publicApi(servicesOf: ServicesFor): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  for (const base of ["/v1/v1", "/v1"]) {
    for (const endpoint of [
      ...formatEndpoints,
      ...operationEndpoints,
      ...listEndpoints,
      ...telemetryEndpoints,
    ])
      mount(app, base + endpoint.path, { endpoint, servicesOf });
  }
  mount(app, spendEndpoint.path, { endpoint: spendEndpoint, servicesOf });
  app.all("/v1/*", (c) => answerUnknownPath(c, servicesOf));
  app.all("/v1", (c) => answerUnknownPath(c, servicesOf));
  return app;
}
