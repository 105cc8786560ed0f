/** What the workspace may send in a month, and what is used of it. */
import type { StatusView } from "../../admin/routes/system.ts";
import { Card, RelativeTime } from "./display.tsx";
import { count, percent } from "../shared/readable-values.ts";

interface QuotaProps {
  monthly: StatusView["monthly_requests"];
  /** The plan's name; null where there is none. */
  plan: string | null;
}

/** The quota as a bar and in words; months are those of UTC whatever the workspace's time zone. */
export function QuotaCard({ monthly: { limit, used }, plan }: QuotaProps) {
  const label =
    limit === null
      ? `${count(used)} ${used === 1 ? "request" : "requests"} this month, no quota`
      : `${count(used)} of ${count(limit)} requests used this month`;
  return (
    <Card
      title="Plan and quota"
      lead={
        plan === null ? "This workspace has no plan." : `This workspace is on the plan ${plan}.`
      }
    >
      {limit === null ? null : (
        <progress
          class={used >= limit ? "bad" : used >= 0.8 * limit ? "warn" : "good"}
          max={Math.max(limit, 1)}
          value={Math.min(used, limit)}
          aria-label={label}
        ></progress>
      )}
      <p class="hint">
        {`${label}${limit === null ? "" : ` (${percent(used, limit)})`}. Resets `}
        <RelativeTime iso={nextMonth(Date.now())} />, on the first of the month (UTC).
      </p>
    </Card>
  );
}

/** The first moment of the next month of UTC, ISO 8601. */
function nextMonth(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString();
}
