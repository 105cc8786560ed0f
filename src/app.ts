/** The roof: one Hono app for the public endpoints, the admin API and the pages. */
import { Hono } from "hono";
import { answerFault, answerUnknownPath, publicApi } from "./gateway/routes.ts";
import type { Services } from "./gateway/services.ts";
import type { Env } from "./store/env.ts";

export interface Parts {
  servicesOf(env: Env): Services;
  /** The admin API, mounted at the root: its paths are `/api/…` and `/healthz`. */
  admin: Hono<{ Bindings: Env }>;
  /** The dashboard; its paths are `/dashboard/…`. */
  pages: Hono<{ Bindings: Env }>;
}

export function createApp({ servicesOf, admin, pages }: Parts): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  app.route("/", publicApi(servicesOf));
  // Clients probe these before their first request.
  app.get("/", (c) =>
    c.text("Routing gateway. Endpoints are under /v1, the admin API under /api.\n"),
  );
  app.get("/api/hello", (c) => c.text("ok\n"));
  app.route("/", admin);
  app.route("/", pages);
  app.notFound((c) => answerUnknownPath(c, servicesOf));
  app.onError((error, c) => answerFault(error, c, servicesOf));
  return app;
}
