/** Usage over time, free in time range and grouping, and as a file. */
import { readConfig } from "../../../admin/routes/config.ts";
import { changesSince } from "../../../admin/routes/requests.ts";
import { exportUsage, usageReport } from "../../../admin/routes/usage.ts";
import type { PageApp, PageContext } from "../../shared/page-context.ts";
import { UsageNumbers, UsagePage } from "./usage-page.tsx";
import { usageQuery, type UsageView, usageView } from "./usage-view.ts";

/** Registers the page and its files. */
export function usageRoutes(app: PageApp): void {
  app.get("/usage", async (c) => {
    const { viewer } = c.var;
    const { view, timezone } = await readView(c);
    const reported = usageReport(viewer.scope, usageQuery(view));
    if (c.req.header("X-Part") === "numbers")
      return c.html(<UsageNumbers {...{ viewer, view, timezone }} report={await reported} />);
    const [report, { seq }] = await Promise.all([
      reported,
      changesSince(viewer.scope, Number.MAX_SAFE_INTEGER),
    ]);
    return c.html(<UsagePage {...{ viewer, view, report, timezone, seq }} />);
  });
  app.get("/usage/export", async (c) => {
    const { view } = await readView(c);
    const format = c.req.query("format") === "ndjson" ? "ndjson" : "csv";
    return await exportUsage(c.var.viewer.scope, usageQuery(view), format);
  });
}

async function readView(c: PageContext): Promise<{ view: UsageView; timezone: string }> {
  const timezone = (await readConfig(c.var.viewer.scope)).timezone ?? "UTC";
  return { view: usageView((name) => c.req.query(name), timezone, Date.now()), timezone };
}
