/** The public endpoints: which path speaks which format, and what everything else is told. */
import { type Context, Hono, type Next } from "hono";
import type { Env } from "../../store/env.ts";
import { isGemini } from "../../formats/gemini/request/recognize.ts";
import { spendEndpoint, telemetryEndpoints } from "./client-endpoints.ts";
import { mount, type ServicesFor } from "./endpoint.ts";
import { formatEndpoints } from "./format-endpoints.ts";
import { answerGemini } from "./gemini-endpoints.ts";
import { listEndpoints } from "./list-endpoints.ts";
import { operationEndpoints } from "./operation-endpoints.ts";
import { answerUnknownPath } from "./unknown-path.ts";

type PublicApp = Hono<{ Bindings: Env }>;

/** `/v1`, its alias for base addresses that end in `/v1` themselves, and paths of those that end without it. */
const bases = ["/v1/v1", "/v1", ""];

/** Everything that clients of models ask for. */
export function publicApi(servicesOf: ServicesFor): PublicApp {
  const app: PublicApp = new Hono<{ Bindings: Env }>();
  mountGemini(app, servicesOf);
  for (const base of bases) {
    for (const endpoint of [...formatEndpoints, ...operationEndpoints, ...listEndpoints])
      mount(app, base + endpoint.path, { endpoint, servicesOf });
  }
  for (const base of ["/v1/v1", "/v1"]) {
    for (const endpoint of telemetryEndpoints)
      mount(app, base + endpoint.path, { endpoint, servicesOf });
  }
  mount(app, spendEndpoint.path, { endpoint: spendEndpoint, servicesOf });
  for (const path of ["/v1/*", "/v1"]) app.all(path, (c) => answerUnknownPath(c, servicesOf));
  return app;
}

/** Versions that only Gemini's clients use, and paths that they share with others. */
function mountGemini(app: PublicApp, servicesOf: ServicesFor): void {
  for (const version of ["/v1beta", "/v1beta1", "/v1alpha", "/upload"])
    for (const path of [version, `${version}/*`]) app.all(path, (c) => answerGemini(c, servicesOf));
  const ifGemini = async (c: Context<{ Bindings: Env }>, next: Next): Promise<Response | void> =>
    isGemini(c.req.raw) ? await answerGemini(c, servicesOf) : await next();
  for (const path of ["/v1/*", "/models", "/models/*"]) app.all(path, ifGemini);
}
