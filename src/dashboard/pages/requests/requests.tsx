/** The request log: newest first, live, filtered; and the page of one request. */
import { readConfig } from "../../../admin/routes/config.ts";
import { exportRequests } from "../../../admin/routes/request-export.ts";
import { type RequestPage, totalsOf } from "../../../admin/routes/request-pages.ts";
import { changesSince, findRequest, listRequests } from "../../../admin/routes/requests.ts";
import type { Config } from "../../../store/config.ts";
import type { RowTotals } from "../../../workspace/contract/reports.ts";
import { Card, EmptyState, Table } from "../../components/display.tsx";
import { ExportLinks } from "../../components/export-links.tsx";
import { Page } from "../../components/layout.tsx";
import { LiveBadge, requestColumns, RequestRow } from "../../components/request-table.tsx";
import {
  type PageApp,
  type PageContext,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";
import { count, dollars } from "../../shared/readable-values.ts";
import { liveFeedRoutes } from "./live-feed.tsx";
import { logAddress, logPage, type LogView, queryOfView, readLogView } from "./log-address.ts";
import { RequestDetail } from "./request-detail.tsx";
import { RequestFilters } from "./request-filters.tsx";

/** Registers the log, its live feed and the page of one request. */
export function requestRoutes(app: PageApp): void {
  liveFeedRoutes(app);
  app.get("/requests", async (c) => {
    const { viewer } = c.var;
    const view = viewOf(c);
    const [config, { seq }] = await Promise.all([
      readConfig(viewer.scope),
      changesSince(viewer.scope, Number.MAX_SAFE_INTEGER),
    ]);
    const query = queryOfView(view, Date.now());
    const page = await listRequests(viewer.scope, query);
    const totals = wantsTotals(view) ? await totalsOf(viewer.scope, query) : undefined;
    return c.html(<RequestsPage {...{ viewer, config, view, page, seq, totals }} />);
  });
  app.get("/requests/export", (c) => {
    const format = c.req.query("format") === "csv" ? "csv" : "ndjson";
    const query = queryOfView(viewOf(c), Date.now());
    return exportRequests(c.var.viewer.scope, { limit: 50, ...query }, format);
  });
  app.get("/requests/:id", async (c) => {
    const { viewer } = c.var;
    const [request, config] = await Promise.all([
      findRequest(viewer.scope, parameter(c, "id")),
      readConfig(viewer.scope),
    ]);
    const timezone = config.timezone ?? "UTC";
    const detail = <RequestDetail {...{ request, timezone, viewer }} />;
    if (c.req.header("X-Part") !== undefined) return c.html(detail);
    return c.html(
      <Page viewer={viewer} title="Request" lead={<code>{request.id}</code>}>
        {detail}
      </Page>,
    );
  });
}

function viewOf(c: PageContext): LogView {
  return readLogView(new URL(c.req.url).searchParams);
}

/** Of a session, an agent or a tag people want to know what it costs. A search through texts takes too long for a page. */
function wantsTotals({ given, before }: LogView): boolean {
  if (before !== "" || given.some(([name]) => name === "q")) return false;
  return given.some(([name]) => ["session", "agent", "tag"].includes(name));
}

/** New rows are shown where they belong: above the newest page, unless only kept texts can show that they match. */
function isLive({ given, before }: LogView): boolean {
  return before === "" && !given.some(([name]) => name === "to" || name === "q");
}

interface RequestsProps {
  viewer: Viewer;
  config: Config;
  view: LogView;
  page: RequestPage;
  /** Number of the newest row; the live feed continues from it. */
  seq: number;
  /** Of all rows that match, not only the page's. */
  totals: RowTotals | undefined;
}

function RequestsPage({ viewer, config, view, page, seq, totals }: RequestsProps) {
  const timezone = config.timezone ?? "UTC";
  const { words } = viewer;
  const live = isLive(view);
  return (
    <Page
      viewer={viewer}
      title="Requests"
      lead="All requests, newest first."
      actions={<Actions {...{ view, live }} />}
    >
      <RequestFilters {...{ view, config, words }} />
      <Card>
        {totals === undefined ? null : <Totals totals={totals} />}
        <Table
          caption="Requests, newest first"
          head={requestColumns}
          id={live ? "live-rows" : "rows"}
        >
          {page.data.map((request) => (
            <RequestRow {...{ request, timezone, viewer }} />
          ))}
        </Table>
        {live ? <LivePlace {...{ view, seq }} /> : null}
        {page.data.length === 0 && page.next === null ? (
          <NoRequests filtered={view.given.length > 0} />
        ) : null}
        {page.data.length === 0 && page.next !== null ? (
          <p id="no-rows">No matching requests among the newest. Older ones may match.</p>
        ) : null}
        <Pages view={view} next={page.next} />
      </Card>
    </Page>
  );
}

function LivePlace({ view, seq }: Pick<RequestsProps, "view" | "seq">) {
  const search = new URLSearchParams(view.given.map(([name, value]) => [name, value])).toString();
  return (
    <div id="live" data-since={seq} data-search={search} data-rows="live-rows" data-most="50"></div>
  );
}

function Actions({ view: { given }, live }: { view: LogView; live: boolean }) {
  const href = (format: string): string =>
    logAddress(given, { path: "/export", more: [["format", format]] });
  return (
    <>
      {live ? <LiveBadge /> : null}
      <ExportLinks href={href} />
    </>
  );
}

function Totals({ totals }: { totals: RowTotals }) {
  const { requests, cost, input_tokens, output_tokens } = totals;
  return (
    <p class="totals">
      <strong>{count(requests)}</strong> {requests === 1 ? "request" : "requests"},{" "}
      <strong>{dollars(cost)}</strong>, {count(input_tokens)} tokens in, {count(output_tokens)} out
    </p>
  );
}

function NoRequests({ filtered }: { filtered: boolean }) {
  return (
    <div id="no-rows">
      {filtered ? (
        <EmptyState title="No matching requests.">
          <p>
            <a href={logPage}>Show all requests</a>
          </p>
        </EmptyState>
      ) : (
        <EmptyState title="No requests yet.">
          <p>Point a client at this gateway. Its first request appears here.</p>
          <p>
            <a class="button primary" href="/dashboard/connect">
              Connect a client
            </a>
          </p>
        </EmptyState>
      )}
    </div>
  );
}

function Pages({ view: { given, before }, next }: { view: LogView; next: string | null }) {
  if (next === null && before === "") return null;
  return (
    <nav class="pages" aria-label="Pagination">
      {before === "" ? <span></span> : <a href={logAddress(given)}>Newest</a>}
      {next === null ? (
        <span class="muted">No older requests.</span>
      ) : (
        <a href={logAddress(given, { more: [["before", next]] })} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
