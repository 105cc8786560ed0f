/** The whole gateway as one Hono app: the public endpoints, the admin API and the dashboard. */
import { Hono } from "hono";
import { metricsApp } from "./admin/metrics.ts";
import { adminApi } from "./admin/router.ts";
import { spendLimitsApi } from "./admin/spend-limits/app.ts";
import { dashboardApp } from "./dashboard/app.tsx";
import { ownHostOnly } from "./sign-in/guard.ts";
import { answerFault, answerUnknownPath, publicApi } from "./gateway/routes.ts";
import { answerReadiness } from "./gateway/readiness.ts";
import type { Services } from "./gateway/services.ts";
import { writeSignInMessage } from "./dashboard/pages/sign-in/sign-in-message.tsx";
import { signInApp } from "./sign-in/app.ts";
import { deviceSignIn } from "./sign-in/device/app.ts";
import type { Env } from "./store/env.ts";

/** `servicesOf` gives the isolate's services for the bindings of a request. */
export function createApp(servicesOf: (env: Env) => Services): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  app.route("/", deviceSignIn(servicesOf));
  app.route("/", spendLimitsApi());
  app.route("/", publicApi(servicesOf));
  // Clients probe these before their first request.
  app.get("/", ownHostOnly, (c) =>
    c.text("Routing gateway. Endpoints are under /v1, the admin API under /api.\n"),
  );
  app.get("/api/hello", (c) => c.text("ok\n"));
  app.get("/readyz", async (c) => {
    const { readiness } = servicesOf(c.env);
    return answerReadiness(await readiness.report((work) => c.executionCtx.waitUntil(work)));
  });
  app.route("/", adminApi(servicesOf));
  app.route("/", metricsApp(servicesOf));
  app.route("/", signInApp(writeSignInMessage));
  app.route("/", dashboardApp(servicesOf));
  app.notFound((c) => answerUnknownPath(c, servicesOf));
  app.onError((error, c) => answerFault(error, c, servicesOf));
  return app;
}
