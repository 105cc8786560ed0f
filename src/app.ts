/** The whole gateway as one Hono app: the public endpoints, the admin API and the dashboard. */
import type { Context } from "hono";
import { health } from "./admin/shared/health/health.ts";
import { answerReadiness } from "./gateway/readiness.ts";
import { routedRequest } from "./gateway/routes/endpoint.ts";
import { answerElsewhere, publicApi } from "./gateway/routes/index.ts";
import { type BoundApp, rootApp, type ServicesOf } from "./root-app.ts";
import { deviceSignIn } from "./sign-in/device/app.ts";
import { ownHostOnly } from "./sign-in/guard.ts";
import type { Env } from "./store/env.ts";

/** `servicesOf` gives the isolate's services for the bindings of a request. */
export function createApp(servicesOf: ServicesOf): BoundApp {
  // Base addresses of clients end in a slash, and so do the paths that some make of them.
  const app = rootApp(servicesOf, false);
  app.notFound((c) => answerElsewhere(routedRequest(c), servicesOf));
  const administration = onDemand(async () =>
    (await import("./administration.ts")).administrationApp(servicesOf),
  );
  const pages = onDemand(async () => (await import("./pages.ts")).pagesApp(servicesOf));
  app.route("/", deviceSignIn(servicesOf));
  // Before everything else under `/v1`.
  app.all("/v1/organizations/spend_limits/*", administration);
  app.route("/", publicApi(servicesOf));
  // Clients probe these before their first request; people who open the address want the dashboard.
  app.get("/", ownHostOnly, (c) => {
    c.header("Vary", "Accept");
    return isBrowser(c.req.header("Accept"))
      ? c.redirect("/dashboard", 302)
      : c.text("Routing gateway. Endpoints are under /v1, the admin API under /api.\n");
  });
  app.get("/api/hello", (c) => c.text("ok\n"));
  app.get("/healthz", (c) => c.json(health));
  app.get("/readyz", async (c) => {
    const { readiness } = servicesOf(c.env);
    return answerReadiness(await readiness.report((work) => c.executionCtx.waitUntil(work)));
  });
  for (const path of ["/api/*", "/metrics"]) app.all(path, administration);
  for (const path of ["/auth/*", "/dashboard/*", "/docs/*"]) app.all(path, pages);
  return app;
}

/** Browsers name HTML among what they accept; clients of the API say that they take anything, or JSON. */
function isBrowser(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? "");
}

/**
 * An app that an isolate loads when it is first asked for, so that one that only serves `/v1` starts without it. Every
 * request that comes before it is there imports it by itself, because a promise of one request must not be awaited by
 * another; the runtime evaluates its modules once.
 */
function onDemand(
  load: () => Promise<BoundApp>,
): (c: Context<{ Bindings: Env }>) => Promise<Response> {
  let loaded: BoundApp | undefined;
  return async (c) => {
    const app = (loaded ??= await load());
    return await app.fetch(c.req.raw, c.env, c.executionCtx);
  };
}
