/** The first page: what went through, what it cost, what was saved. */
import { changesSince } from "../../admin/routes/requests.ts";
import { listRequests } from "../../admin/routes/requests.ts";
import type { RequestView } from "../../admin/routes/request-view.ts";
import { type UsageRow, usageReport } from "../../admin/routes/usage.ts";
import { type Summary, readSummary } from "../../admin/routes/summary.ts";
import { Page } from "../layout.tsx";
import { Badge, Card, Empty, ModelName, Stat, Table, Tabs } from "../parts.tsx";
import {
  loadDirectory,
  type PageApp,
  type PageServices,
  type Viewer,
} from "../shared/page-context.ts";
import { count, dollars, milliseconds, percent } from "../shared/readable-values.ts";
import { chartData } from "./chart.ts";
import { requestColumns, RequestRow } from "./request-row.tsx";
import { LiveMark } from "./requests.tsx";

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
}

interface OverviewProps {
  viewer: Viewer;
  view: View;
  sum: Summary;
  usage: UsageRow[];
  latest: RequestView[];
  timezone: string;
  seq: number;
  providers: readonly string[];
}

export function overviewRoutes(app: PageApp, services: PageServices): void {
  app.get("/", async (c) => {
    const { viewer } = c.var;
    const { scope } = viewer;
    const view = viewOf(c.req.query("range"), c.req.query("group"));
    const { length, by } = ranges[view.range];
    const from = new Date(Date.now() - length).toISOString();
    const { config, directory } = await loadDirectory(c, services);
    // Asked again by the script while the page is watched.
    if (c.req.header("X-Part") === "numbers")
      return c.html(<Numbers sum={await readSummary(scope, { from }, directory)} />);
    const [sum, usage, page, { seq }] = await Promise.all([
      readSummary(scope, { from }, directory),
      usageReport(scope, { from, by, group: view.group }),
      listRequests(scope, { limit: 8 }),
      changesSince(scope, Number.MAX_SAFE_INTEGER),
    ]);
    return c.html(
      <OverviewPage
        {...{ viewer, view, sum, usage, seq }}
        latest={page.data}
        timezone={config.timezone ?? "UTC"}
        providers={(config.providers ?? []).map(({ kind }) => kind)}
      />,
    );
  });
}

function viewOf(range: string | undefined, group: string | undefined): View {
  return {
    range: range === "7d" || range === "30d" ? range : "24h",
    group: groups.find((name) => name === group) ?? "model",
  };
}

function addressOf({ range, group }: View): string {
  return `/dashboard?range=${range}&group=${group}`;
}

function OverviewPage(props: OverviewProps) {
  const { viewer, view } = props;
  const rangeTabs = Object.entries(ranges).map(([name, { label }]) => ({
    // Written three lines above.
    value: addressOf({ ...view, range: name as RangeName }),
    label,
  }));
  return (
    <Page
      viewer={viewer}
      title="Overview"
      actions={<Tabs label="Span of time" tabs={rangeTabs} here={addressOf(view)} />}
    >
      <FirstSteps {...props} />
      <div id="numbers">
        <Numbers sum={props.sum} />
      </div>
      <Charts {...props} />
      <Latest {...props} />
    </Page>
  );
}

/** While something is missing for the first real request, the page says what. */
function FirstSteps({ providers, latest, viewer }: OverviewProps) {
  const real = providers.some((kind) => kind !== "demo");
  const called = latest.length > 0;
  if (real && called) return null;
  const steps = [
    {
      done: real,
      href: "/dashboard/providers",
      text: "Connect a provider",
      more: "An API key of OpenAI, Anthropic, Gemini… or a model server of your own.",
    },
    {
      done: called,
      href: "/dashboard/connect",
      text: "Connect a client",
      more: `Make a key for your ${viewer.words.holder} and paste three lines.`,
    },
    {
      done: called,
      href: "/dashboard/requests",
      text: "See the first request arrive",
      more: "Live, with its model, cost and the reason for the choice.",
    },
  ];
  return (
    <Card title="Two minutes to the first request">
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

function Numbers({ sum }: { sum: Summary }) {
  const { first_byte_ms: first, saved } = sum;
  return (
    <dl class="stats">
      <Stat
        label="Requests"
        value={count(sum.requests)}
        note={`${count(sum.errors)} failed, ${percent(sum.errors, sum.requests)}`}
      />
      <Stat
        label="Cost"
        value={dollars(sum.cost)}
        note={
          sum.requests === 0 ? "nothing spent" : `${dollars(sum.cost / sum.requests)} a request`
        }
      />
      <Stat
        label="Tokens"
        value={count(sum.input_tokens + sum.output_tokens)}
        note={`${count(sum.input_tokens)} in (${percent(sum.cached_tokens, sum.input_tokens)} cached), ${count(sum.output_tokens)} out`}
      />
      <Stat
        label="First byte"
        value={milliseconds(first?.p50)}
        note={
          first === null
            ? "no answers yet"
            : `half within this, 95 % within ${milliseconds(first.p95)}`
        }
      />
      <Stat
        label="Saved by routing"
        value={dollars(saved.by_routing)}
        note={
          saved.against === null
            ? "needs a connected provider"
            : `against ${saved.against} for everything`
        }
      />
      <Stat label="Saved by cache" value={dollars(saved.by_cache)} note="against fresh input" />
    </dl>
  );
}

function Charts({ viewer, view, usage, timezone }: OverviewProps) {
  const groupTabs = groups.map((group) => ({
    value: addressOf({ ...view, group }),
    label:
      group === "harness" ? viewer.words.Holder : group.slice(0, 1).toUpperCase() + group.slice(1),
  }));
  const { length, by } = ranges[view.range];
  const span = { from: Date.now() - length, to: Date.now(), by };
  return (
    <Card
      title="Use over time"
      actions={<Tabs label="Grouped by" tabs={groupTabs} here={addressOf(view)} />}
    >
      {usage.length === 0 ? (
        <Empty title="Nothing in this span of time.">
          <p>
            Requests, tokens and cost of every{" "}
            {view.group === "harness" ? viewer.words.holder : view.group} will be drawn here.
          </p>
        </Empty>
      ) : (
        <>
          <div class="charts">
            <figure>
              <figcaption>Requests</figcaption>
              <div
                class="chart"
                data-chart={chartData(usage, { ...span, value: "requests" })}
                data-unit=""
                data-zone={timezone}
              ></div>
            </figure>
            <figure>
              <figcaption>Cost</figcaption>
              <div
                class="chart"
                data-chart={chartData(usage, { ...span, value: "cost" })}
                data-unit="$"
                data-zone={timezone}
              ></div>
            </figure>
          </div>
          <Breakdown usage={usage} group={view.group} />
        </>
      )}
    </Card>
  );
}

/** The charts' numbers as a table: for those who do not see them, and for the exact figures. */
function Breakdown({ usage, group }: { usage: readonly UsageRow[]; group: Group }) {
  const sums = new Map<string, UsageRow>();
  for (const row of usage) {
    const sum = sums.get(row.group);
    if (sum === undefined) {
      sums.set(row.group, { ...row });
      continue;
    }
    sum.requests += row.requests;
    sum.errors += row.errors;
    sum.input_tokens += row.input_tokens;
    sum.output_tokens += row.output_tokens;
    sum.cost += row.cost;
  }
  const rows = [...sums.values()].sort((a, b) => b.requests - a.requests).slice(0, 20);
  const num = (label: string, more = "") => ({ label, class: `num ${more}` });
  return (
    <Table
      caption={`Use by ${group}`}
      head={[
        "Name",
        num("Requests"),
        num("Failed", "mid"),
        num("Tokens in", "mid"),
        num("Tokens out", "mid"),
        num("Cost"),
      ]}
    >
      {rows.map((row) => (
        <tr>
          <td>
            {group === "model" ? (
              <ModelName id={row.group === "" ? "none" : row.group} />
            ) : row.group === "" ? (
              "none"
            ) : (
              row.group
            )}
          </td>
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

function Latest({ latest, timezone, seq }: OverviewProps) {
  return (
    <Card
      title="Latest requests"
      actions={
        <>
          <LiveMark /> <a href="/dashboard/requests">All requests</a>
        </>
      }
    >
      <Table caption="Latest requests" head={requestColumns} id="live-rows">
        {latest.map((request) => (
          <RequestRow request={request} timezone={timezone} />
        ))}
      </Table>
      <div id="live" data-since={seq} data-rows="live-rows" data-most="8"></div>
      {latest.length > 0 ? null : (
        <div id="no-rows">
          <Empty title="Waiting for the first request.">
            <p>
              <a class="button" href="/dashboard/connect">
                Connect a client
              </a>
            </p>
          </Empty>
        </div>
      )}
    </Card>
  );
}
