/** Usage over time, free in time range and grouping, and as a file. */
import { readConfig } from "../../../admin/routes/document/config.ts";
import { changesSince } from "../../../admin/routes/requests/requests.ts";
import { exportUsage, usageReport } from "../../../admin/routes/usage/usage.ts";
import { readSavings } from "../../../admin/routes/usage/summary.ts";
import { displayNames } from "../../../admin/shared/model-names.ts";
import { mayDo } from "../../../store/roles.ts";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
} from "../../shared/page-context.ts";
import { type ShownSavings, UsageNumbers, UsagePage } from "./usage-page.tsx";
import { usageQuery, type UsageView, usageView } from "./usage-view.ts";

/** Registers the page and its files. */
export function usageRoutes(app: PageApp, services: PageServices): void {
  app.get("/usage", async (c) => {
    const { viewer } = c.var;
    const { view, timezone } = await readView(c);
    const numbers = Promise.all([
      usageReport(viewer.scope, usageQuery(view)),
      savingsIn(c, services, view),
    ]);
    if (c.req.header("X-Part") === "numbers") {
      const [report, savings] = await numbers;
      return c.html(<UsageNumbers {...{ viewer, view, timezone, report, savings }} />);
    }
    const [[report, savings], { seq }] = await Promise.all([
      numbers,
      changesSince(viewer.scope, Number.MAX_SAFE_INTEGER),
    ]);
    return c.html(<UsagePage {...{ viewer, view, report, savings, timezone, seq }} />);
  });
  app.get("/usage/export", async (c) => {
    const { view } = await readView(c);
    const format = c.req.query("format") === "ndjson" ? "ndjson" : "csv";
    return await exportUsage(c.var.viewer.scope, usageQuery(view), format);
  });
}

/** Of the whole workspace: nothing for those who see their own usage only. */
async function savingsIn(
  c: PageContext,
  services: PageServices,
  view: UsageView,
): Promise<ShownSavings | undefined> {
  const { scope } = c.var.viewer;
  if (!mayDo(scope.caller.role, "read")) return undefined;
  const { config, directory } = await loadDirectory(c, services);
  const { from, to } = usageQuery(view);
  const savings = await readSavings(scope, { from, to }, { config, directory });
  return { savings, nameOf: displayNames(directory) };
}

async function readView(c: PageContext): Promise<{ view: UsageView; timezone: string }> {
  const timezone = (await readConfig(c.var.viewer.scope)).timezone ?? "UTC";
  return { view: usageView((name) => c.req.query(name), timezone, Date.now()), timezone };
}
