/** The overview: requests, cost, tokens, savings and the latest requests. */
import { mayDo } from "../../../store/roles.ts";
import { changesSince } from "../../../admin/routes/requests.ts";
import { listRequests } from "../../../admin/routes/requests.ts";
import type { RequestView } from "../../../admin/routes/request-view.ts";
import { type UsageReport, usageReport, type UsageTotal } from "../../../admin/routes/usage.ts";
import { type Summary, readSummary } from "../../../admin/routes/summary.ts";
import { Page } from "../../components/layout.tsx";
import {
  Badge,
  Card,
  EmptyState,
  ModelName,
  Stat,
  Table,
  Tabs,
} from "../../components/display.tsx";
import {
  loadDirectory,
  type PageApp,
  type PageServices,
  type Viewer,
} from "../../shared/page-context.ts";
import { count, dollars, milliseconds, percent } from "../../shared/readable-values.ts";
import { stackedChart } from "../../shared/usage-chart.ts";
import { savingsNote } from "../../components/routing-savings.tsx";
import { UsageFigure } from "../../components/usage-figure.tsx";
import type { WorkspaceEvent } from "../../../workspace/contract/events.ts";
import { OverviewLimitsCard, type OverviewLimits, readOverviewLimits } from "./overview-limits.tsx";
import { Banners, standingNotices } from "../notices/banners.tsx";
import {
  LiveBadge,
  NewRowsBar,
  requestColumns,
  RequestRow,
} from "../../components/request-table.tsx";
import { namesOfRows, type PeopleNames } from "../../shared/people-names.ts";

const hour = 3600_000;
const ranges = {
  "24h": { label: "24 hours", length: 24 * hour, by: "hour" },
  "7d": { label: "7 days", length: 7 * 24 * hour, by: "day" },
  "30d": { label: "30 days", length: 30 * 24 * hour, by: "day" },
} as const;
type RangeName = keyof typeof ranges;

const groups = ["model", "provider", "tier", "harness"] as const;
type Group = (typeof groups)[number];

interface View {
  range: RangeName;
  group: Group;
  /** Whether every limit is shown, not only the fullest ones. */
  allLimits: boolean;
}

interface OverviewProps {
  viewer: Viewer;
  view: View;
  /** Of the whole workspace; undefined for those who see their own usage only. */
  sum: Summary | undefined;
  usage: UsageReport;
  limits: OverviewLimits;
  latest: RequestView[];
  people: PeopleNames | undefined;
  /** What is wrong now. */
  standing: readonly WorkspaceEvent[];
  timezone: string;
  seq: number;
  providers: readonly string[];
}

type FiguresProps = Pick<
  OverviewProps,
  "viewer" | "view" | "sum" | "usage" | "limits" | "timezone"
>;

/** Registers the page. */
export function overviewRoutes(app: PageApp, services: PageServices): void {
  app.get("/", async (c) => {
    const { viewer } = c.var;
    const { scope } = viewer;
    const view = viewOf((name) => c.req.query(name));
    const { length, by } = ranges[view.range];
    const from = new Date(Date.now() - length).toISOString();
    const { config, directory } = await loadDirectory(c, services);
    const seesAll = mayDo(scope.caller.role, "read");
    const summed = seesAll ? readSummary(scope, { from }, directory) : undefined;
    const reported = usageReport(scope, { from, by, group: view.group });
    const timezone = config.timezone ?? "UTC";
    const limited = readOverviewLimits(viewer, config);
    // The script asks for these again while the page is open.
    if (c.req.header("X-Part") === "numbers") {
      const [sum, usage, limits] = await Promise.all([summed, reported, limited]);
      return c.html(<Figures {...{ viewer, view, timezone, sum, usage, limits }} />);
    }
    const [sum, usage, limits, page, { seq }, standing] = await Promise.all([
      summed,
      reported,
      limited,
      listRequests(scope, { limit: 8 }),
      changesSince(scope, Number.MAX_SAFE_INTEGER),
      seesAll ? standingNotices(scope) : [],
    ]);
    const people = await namesOfRows(viewer, page.data);
    return c.html(
      <OverviewPage
        {...{ viewer, view, sum, usage, limits, seq, standing, timezone, people }}
        latest={page.data}
        providers={(config.providers ?? []).map(({ kind }) => kind)}
      />,
    );
  });
}

function viewOf(asked: (name: string) => string | undefined): View {
  const range = asked("range");
  return {
    range: range === "7d" || range === "30d" ? range : "24h",
    group: groups.find((name) => name === asked("group")) ?? "model",
    allLimits: asked("limits") === "all",
  };
}

function addressOf({ range, group, allLimits }: View): string {
  return `/dashboard?range=${range}&group=${group}${allLimits ? "&limits=all" : ""}`;
}

function OverviewPage(props: OverviewProps) {
  const { viewer, view } = props;
  const rangeTabs = Object.entries(ranges).map(([name, { label }]) => ({
    // Entries of `ranges`.
    href: addressOf({ ...view, range: name as RangeName }),
    label,
  }));
  return (
    <Page
      viewer={viewer}
      title="Overview"
      actions={<Tabs label="Time range" tabs={rangeTabs} current={addressOf(view)} />}
    >
      <Banners viewer={viewer} events={props.standing} timezone={props.timezone} />
      <FirstSteps {...props} />
      <div id="numbers">
        <Figures {...props} />
      </div>
      <Latest {...props} />
    </Page>
  );
}

/** The steps to the first real request, until it has arrived. */
function FirstSteps({ providers, latest, viewer }: OverviewProps) {
  const real = providers.some((kind) => kind !== "demo");
  const requested = latest.length > 0;
  if (real && requested) return null;
  const all = [
    {
      done: real,
      href: "/dashboard/providers",
      text: "Add a provider",
      more: "An API key from OpenAI, Anthropic, Gemini or others, or your own model server.",
    },
    {
      done: requested,
      href: "/dashboard/connect",
      text: "Connect a client",
      more: `Create a key for your ${viewer.words.holder} and paste three lines.`,
    },
    {
      done: requested,
      href: "/dashboard/requests",
      text: "See the first request arrive",
      more: "Live, with its model, its cost and why that model was chosen.",
    },
  ];
  const steps = all.filter(({ href }) => viewer.allows("GET", href));
  return (
    <Card title="Get started">
      <ol class="steps">
        {steps.map(({ done, href, text, more }) => (
          <li class={done ? "done" : undefined}>
            <div>
              <a href={href}>{text}</a> {done ? <Badge tone="good">done</Badge> : null}
              <p class="hint">{more}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** What changes with every request. */
function Figures(props: FiguresProps) {
  return (
    <>
      <Numbers sum={props.sum} usage={props.usage} />
      <OverviewLimitsCard viewer={props.viewer} shown={props.limits} all={props.view.allLimits} />
      <Charts {...props} />
    </>
  );
}

function Numbers({ sum, usage }: Pick<OverviewProps, "sum" | "usage">) {
  const totals = sum ?? usage.total;
  return (
    <dl class="stats">
      <Stat
        label={sum === undefined ? "Your requests" : "Requests"}
        value={count(totals.requests)}
        note={requestsNote(totals)}
      />
      <Stat
        label={sum === undefined ? "Your cost" : "Cost"}
        value={dollars(totals.cost)}
        note={
          totals.requests === 0
            ? "no requests yet"
            : `${dollars(totals.cost / totals.requests)} per request`
        }
      />
      <Stat
        label={sum === undefined ? "Your tokens" : "Tokens"}
        value={count(totals.input_tokens + totals.output_tokens)}
        note={`${count(totals.input_tokens)} in (${percent(totals.cached_tokens, totals.input_tokens)} cached), ${count(totals.output_tokens)} out`}
      />
      {sum === undefined ? null : <WorkspaceNumbers sum={sum} />}
    </dl>
  );
}

function requestsNote({ requests, errors, blocked }: UsageReport["total"] | Summary): string {
  const failed = `${count(errors)} failed, ${percent(errors, requests)}`;
  return blocked === 0 ? failed : `${failed}; ${count(blocked)} blocked`;
}

/** What is known of the workspace as a whole only. */
function WorkspaceNumbers({ sum: { first_byte_ms: first, saved } }: { sum: Summary }) {
  return (
    <>
      <Stat
        label="Time to first token (TTFT)"
        value={milliseconds(first?.p50)}
        note={first === null ? "no responses yet" : `median; p95 ${milliseconds(first.p95)}`}
      />
      <Stat
        label="Saved by routing"
        value={signedDollars(saved.by_routing)}
        note={savingsNote(saved)}
      />
      <Stat
        label="Saved by cache"
        value={dollars(saved.by_cache)}
        note="vs. uncached input price"
      />
    </>
  );
}

function signedDollars(amount: number): string {
  return amount < 0 ? `−${dollars(-amount)}` : dollars(amount);
}

/** What a group of usage is called on the page. */
function groupLabel(group: Group, { words }: Viewer): string {
  return group === "harness" ? words.Holder : group.slice(0, 1).toUpperCase() + group.slice(1);
}

/** Requests that were refused before a model, provider or tier was chosen. */
function unnamedGroup(label: string): string {
  return `no ${label.toLowerCase()} (rejected)`;
}

function Charts({ viewer, view, usage, timezone }: Omit<FiguresProps, "sum" | "limits">) {
  const groupTabs = groups.map((group) => ({
    href: addressOf({ ...view, group }),
    label: groupLabel(group, viewer),
  }));
  const { length, by } = ranges[view.range];
  const label = groupLabel(view.group, viewer);
  const unnamed = unnamedGroup(label);
  const nameOf = (group: string): string => (group === "" ? unnamed : group);
  const span = { from: Date.now() - length, to: Date.now(), by, nameOf };
  const shared = { by, timezone };
  return (
    <Card
      title="Usage over time"
      actions={
        <>
          <Tabs label="Group by" tabs={groupTabs} current={addressOf(view)} />
          <a href={`/dashboard/usage?range=${view.range}&group=${view.group}`}>More charts</a>
        </>
      }
    >
      {usage.data.length === 0 ? (
        <EmptyState title="No requests in this time range.">
          <p>{`Requests, tokens and cost by ${label.toLowerCase()} appear here.`}</p>
        </EmptyState>
      ) : (
        <>
          <div class="charts">
            <UsageFigure
              id="chart-requests"
              caption="Requests"
              chart={stackedChart(usage.data, { ...span, value: "requests" })}
              unit=""
              {...shared}
            />
            <UsageFigure
              id="chart-cost"
              caption="Cost"
              chart={stackedChart(usage.data, { ...span, value: "cost" })}
              unit="$"
              {...shared}
            />
          </div>
          <Breakdown usage={usage} label={label} />
        </>
      )}
    </Card>
  );
}

const maxBreakdownRows = 20;

/** The charts' exact numbers as a table, which screen readers can read too. */
function Breakdown({ usage, label }: { usage: UsageReport; label: string }) {
  const rows = usage.groups
    .filter(hasUsage)
    .toSorted((a, b) => b.requests - a.requests)
    .slice(0, maxBreakdownRows);
  const num = (text: string, more = "") => ({ label: text, class: `num ${more}` });
  return (
    <Table
      caption={`Usage by ${label.toLowerCase()}`}
      head={[
        label,
        num("Requests"),
        num("Failed", "mid"),
        num("Input tokens", "mid"),
        num("Output tokens", "mid"),
        num("Cost"),
      ]}
    >
      {rows.map((row) => (
        <tr>
          <td>{row.group === "" ? unnamedGroup(label) : <ModelName id={row.group} />}</td>
          <td class="num">{count(row.requests)}</td>
          <td class="num mid">{count(row.errors)}</td>
          <td class="num mid">{count(row.input_tokens)}</td>
          <td class="num mid">{count(row.output_tokens)}</td>
          <td class="num">{dollars(row.cost)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Blocked requests alone are no row of zeros. */
function hasUsage({ requests, input_tokens, output_tokens, cost }: UsageTotal): boolean {
  return requests + input_tokens + output_tokens + cost > 0;
}

function Latest({ viewer, latest, people, timezone, seq }: OverviewProps) {
  return (
    <Card
      title="Latest requests"
      actions={
        <>
          <LiveBadge /> <a href="/dashboard/requests">All requests</a>
        </>
      }
    >
      <NewRowsBar seq={seq} newest="/dashboard" most={8} />
      <Table caption="Latest requests, newest first" head={requestColumns} id="live-rows">
        {latest.map((request) => (
          <RequestRow {...{ request, timezone, viewer, people }} />
        ))}
      </Table>
      {latest.length > 0 ? null : (
        <div id="no-rows">
          <EmptyState title="Waiting for the first request.">
            <p>
              <a class="button" href="/dashboard/connect">
                Connect a client
              </a>
            </p>
          </EmptyState>
        </div>
      )}
    </Card>
  );
}
