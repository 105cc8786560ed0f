/** The step to months of UTC: what was counted in the running one is taken over from the sums. */
import { monthStart } from "../rules/month.ts";
import type { SavedLive } from "./tables/live.ts";
import { readMeta, writeMeta } from "./tables/meta.ts";
import { hasTable } from "./sql/schema-version.ts";

/** Where sums may stand that are no older than a month. Hours reach back for 35 days, and begin within their month. */
const levels = ["quarters", "hours", "rollups"] as const;

/** Exact: no hour of any time zone lies in two months of UTC. Leaves a workspace without sums alone. */
export function countMonthsOfUtc(sql: SqlStorage): void {
  const start = monthStart(Date.now());
  const requests = levels
    .filter((level) => hasTable(sql, level))
    .reduce((sum, level) => sum + requestsFrom(sql, level, start), 0);
  if (requests === 0) return;
  // Written by the versions before in this shape, the month apart.
  const live = readMeta(sql, "live") as Omit<SavedLive, "month"> | undefined;
  if (live !== undefined) writeMeta(sql, "live", { ...live, month: { start, requests } });
}

function requestsFrom(sql: SqlStorage, level: (typeof levels)[number], start: number): number {
  const query = `SELECT COALESCE(SUM(requests), 0) AS requests FROM ${level} WHERE bucket >= ?`;
  return Number(sql.exec(query, start).one()["requests"]);
}
