/** What administrators and their programs ask for. Isolates load it when it is first asked for. */
import { metricsApp } from "./admin/metrics.ts";
import { adminApi } from "./admin/router.ts";
import { spendLimitsApi } from "./admin/spend-limits/app.ts";
import { type BoundApp, rootApp, type ServicesOf } from "./root-app.ts";

/** The admin API in its own words and in Anthropic's, and the metrics. */
export function administrationApp(servicesOf: ServicesOf): BoundApp {
  const app = rootApp(servicesOf);
  app.route("/", spendLimitsApi());
  app.route("/", adminApi(servicesOf));
  app.route("/", metricsApp(servicesOf));
  return app;
}
