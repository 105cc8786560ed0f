/** The page of charts: a time range, a grouping, four charts and the groups' totals. */
import type { UsageReport } from "../../../admin/routes/usage/usage.ts";
import { Card, EmptyState, Tabs } from "../../components/display.tsx";
import { TextField } from "../../components/fields.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { LiveBadge } from "../../components/request-table.tsx";
import { RoutingSavingsCard } from "../../components/routing-savings.tsx";
import { UsageFigure } from "../../components/usage-figure.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { clockTime } from "../../shared/readable-values.ts";
import { seriesChart, stackedChart } from "../../shared/usage-chart.ts";
import { GroupTable } from "./group-table.tsx";
import { presetNames } from "./time-range.ts";
import {
  groupLabel,
  groupRequests,
  nameOfGroup,
  tabGroups,
  usageAddress,
  type UsageView,
} from "./usage-view.ts";

/** What routing saved, and what models are called. */
export type ShownSavings = Parameters<typeof RoutingSavingsCard>[0];

interface UsagePageProps {
  viewer: Viewer;
  view: UsageView;
  report: UsageReport;
  /** What routing saved; undefined for those who see their own usage only. */
  savings: ShownSavings | undefined;
  timezone: string;
  /** Number of the newest row; the live feed continues from it. */
  seq: number;
}

/** The whole page. */
export function UsagePage(props: UsagePageProps) {
  const { viewer, view, timezone, seq } = props;
  const tabs = presetNames.map(({ name, label }) => ({
    href: usageAddress({ ...view, range: { name } }),
    label,
  }));
  const { live } = view.range;
  return (
    <Page
      viewer={viewer}
      title="Usage"
      lead={`Times in ${timezone}.`}
      actions={
        <>
          {live ? <LiveBadge /> : null}
          <Tabs label="Time range" tabs={tabs} current={usageAddress(view)} />
        </>
      }
    >
      <RangeForm view={view} />
      <GroupTabs {...props} />
      <div id="numbers">
        <UsageNumbers {...props} />
      </div>
      {live ? <div id="live" data-since={seq}></div> : null}
    </Page>
  );
}

function RangeForm({ view }: Pick<UsagePageProps, "view">) {
  const { range, group, tagName, sort } = view;
  const { walls, fault } = range;
  return (
    <form class="filters" method="get" action="/dashboard/usage">
      <input type="hidden" name="range" value="custom" />
      <input type="hidden" name="group" value={group} />
      <input type="hidden" name="sort" value={sort} />
      <TextField
        name="from"
        label="From"
        type="datetime-local"
        value={walls.from}
        error={fault}
        required
      />
      <TextField
        name="to"
        label="To"
        type="datetime-local"
        value={walls.to}
        error={fault}
        required
      />
      {group === "tag" ? (
        <TextField name="tag" label="Tag (optional)" value={tagName} placeholder="team" />
      ) : null}
      <button type="submit">Show</button>
    </form>
  );
}

function GroupTabs({ viewer, view }: UsagePageProps) {
  const tabs = tabGroups.map((group) => ({
    href: usageAddress({ ...view, group, tagName: "" }),
    label: groupLabel(group, viewer.words),
  }));
  return <Tabs label="Group by" tabs={tabs} current={usageAddress({ ...view, tagName: "" })} />;
}

/** What changes with every request: the script asks for it again. */
export function UsageNumbers(props: Omit<UsagePageProps, "seq">) {
  const { viewer, view, report, savings } = props;
  const label = groupLabel(view.group, viewer.words);
  const { requests, blocked } = report.total;
  return (
    <>
      <Reach {...props} />
      {requests + blocked === 0 ? (
        <Card title="Usage over time">
          <EmptyState title="No requests in this time range.">
            <p>{`Requests, cost, errors and times by ${label.toLowerCase()} appear here.`}</p>
          </EmptyState>
        </Card>
      ) : (
        <>
          <Card title="Usage over time">
            <Charts {...props} />
          </Card>
          {savings === undefined ? null : <RoutingSavingsCard {...savings} />}
          <Groups {...props} />
        </>
      )}
    </>
  );
}

/** How far back the answer is whole. */
function Reach({ viewer, view, report, timezone }: Omit<UsagePageProps, "seq">) {
  const { complete_from: from } = report;
  if (from === null || Date.parse(from) <= view.range.from) return null;
  return (
    <p class="hint">
      {`The log reaches back to ${clockTime(from, timezone, true)}: earlier requests are not in these charts. By model, provider, tier and ${viewer.words.holder} the charts reach back thirteen months.`}
    </p>
  );
}

function Charts({ viewer, view, report, timezone }: Omit<UsagePageProps, "seq">) {
  const { from, to, by } = view.range;
  const span = { from, to, by };
  const nameOf = nameOfGroup(view, report, viewer.words);
  const shared = { by, timezone };
  const failed = { name: "Failed", colour: "--bad", none: 0 };
  const blocked = { name: "Blocked", colour: "--chart-3", none: 0 };
  const faults = seriesChart(report.times, {
    ...span,
    kind: "bars",
    series: [
      { ...failed, of: (row) => row.errors },
      { ...blocked, of: (row) => row.blocked },
    ],
  });
  const times = seriesChart(report.times, {
    ...span,
    kind: "lines",
    series: [
      { name: "p50", colour: "--chart-1", none: null, of: (row) => row.first_byte_ms?.p50 ?? null },
      { name: "p95", colour: "--chart-4", none: null, of: (row) => row.first_byte_ms?.p95 ?? null },
    ],
  });
  const stacked = (value: "requests" | "cost") =>
    stackedChart(report.data, { ...span, value, nameOf });
  return (
    <div class="charts">
      <UsageFigure
        id="chart-requests"
        caption="Requests"
        chart={stacked("requests")}
        unit=""
        {...shared}
      />
      <UsageFigure id="chart-cost" caption="Cost" chart={stacked("cost")} unit="$" {...shared} />
      <UsageFigure
        id="chart-faults"
        caption="Failed and blocked requests"
        chart={faults}
        unit=""
        {...shared}
      />
      <UsageFigure
        id="chart-times"
        caption="Time to first token (TTFT)"
        chart={times}
        unit="ms"
        {...shared}
      />
    </div>
  );
}

function Groups({ viewer, view, report }: Omit<UsagePageProps, "seq" | "timezone">) {
  const label = groupLabel(view.group, viewer.words);
  const file = (format: string) =>
    `${usageAddress(view, "/dashboard/usage/export")}&format=${format}`;
  return (
    <Card
      title={`By ${label.toLowerCase()}`}
      lead={view.group === "tag" ? "A request with several tags is in the row of each." : undefined}
      actions={
        <>
          <a href={file("csv")}>CSV</a> <a href={file("ndjson")}>JSON Lines</a>
        </>
      }
    >
      <GroupTable
        report={report}
        label={label}
        nameOf={nameOfGroup(view, report, viewer.words)}
        requestsOf={(group) => groupRequests(view, group)}
        sort={view.sort}
        sortedBy={(sort) => usageAddress({ ...view, sort })}
      />
    </Card>
  );
}
