/** The request log: newest first, live, filtered; and the page of one request. */
import { readConfig } from "../../../admin/routes/document/config.ts";
import { exportRequests } from "../../../admin/routes/requests/request-export.ts";
import {
  pageOfRequests,
  type RequestPage,
  totalsOf,
} from "../../../admin/routes/requests/request-pages.ts";
import { changesSince, findRequest } from "../../../admin/routes/requests/requests.ts";
import { displayNames } from "../../../admin/shared/model-names.ts";
import type { Config } from "../../../store/config.ts";
import type { RowTotals } from "../../../workspace/contract/reports.ts";
import { Card, EmptyState, Table } from "../../components/display.tsx";
import { SavedNotice } from "../../components/frame/saved-notice.tsx";
import { ExportLinks } from "../../components/export-links.tsx";
import { Page } from "../../components/frame/layout.tsx";
import {
  LiveBadge,
  NewRowsBar,
  requestColumns,
  RequestRow,
} from "../../components/request-table.tsx";
import {
  loadDirectory,
  type PageApp,
  type PageContext,
  type PageServices,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";
import { namesOfRows, type PeopleNames } from "../../shared/people-names.ts";
import { count, dollars } from "../../shared/readable-values.ts";
import { feedbackRoutes } from "./feedback-form.tsx";
import { liveFeedRoutes } from "./live-feed.tsx";
import {
  logAddress,
  logPage,
  type LogView,
  queryOfView,
  readLogView,
  valueOf,
  withoutEmptyFields,
} from "./log-address.ts";
import { RequestDetail } from "./request-detail.tsx";
import { RequestFilters } from "./request-filters.tsx";

/** Registers the log, its live feed and the page of one request. */
export function requestRoutes(app: PageApp, services: PageServices): void {
  liveFeedRoutes(app);
  feedbackRoutes(app);
  app.get("/requests", async (c) => {
    const { viewer } = c.var;
    const { scope } = viewer;
    // Addresses are shared.
    const shorter = withoutEmptyFields(new URL(c.req.url));
    if (shorter !== undefined) return c.redirect(shorter, 302);
    const view = viewOf(c);
    const config = await readConfig(scope);
    const query = queryOfView(view, clockOf(config));
    // Only these, where the page left them for later.
    if (c.req.header("X-Part") !== undefined)
      return c.html(<Totals totals={await totalsOf(scope, query)} />);
    const texts = valueOf(view.given, "q") !== "";
    const counts = wantsTotals(view) || c.req.query("totals") !== undefined;
    const [{ seq }, page, totals] = await Promise.all([
      changesSince(scope, Number.MAX_SAFE_INTEGER),
      pageOfRequests(scope, { limit: rowsOfPage, ...query }, { texts }),
      counts ? totalsOf(scope, query) : undefined,
    ]);
    const people = await namesOfRows(viewer, page.data);
    const open = c.req.query("open") ?? "";
    return c.html(<RequestsPage {...{ viewer, config, view, page, seq, totals, people, open }} />);
  });
  app.get("/requests/export", async (c) => {
    const { scope } = c.var.viewer;
    const format = c.req.query("format") === "csv" ? "csv" : "ndjson";
    const query = queryOfView(viewOf(c), clockOf(await readConfig(scope)));
    return exportRequests(scope, { limit: rowsOfPage, ...query }, format);
  });
  app.get("/requests/:id", async (c) => {
    const { viewer } = c.var;
    const { config, directory } = await loadDirectory(c, services);
    const names = displayNames(directory);
    const request = await findRequest(viewer.scope, parameter(c, "id"), names);
    const timezone = config.timezone ?? "UTC";
    const learning = learns(config, request.harness);
    const shown = { request, timezone, viewer, learning };
    // A part has no page around it that would say what was done.
    if (c.req.header("X-Part") !== undefined)
      return c.html(<RequestDetail {...shown} notice={<SavedNotice viewer={viewer} />} />);
    return c.html(
      <Page viewer={viewer} title="Request" lead={<code>{request.id}</code>}>
        <RequestDetail {...shown} />
      </Page>,
    );
  });
}

const rowsOfPage = 50;
/** Rows that a page shows at most after it was open for long. */
const mostRows = 200;

function clockOf({ timezone = "UTC" }: Config): { now: number; timezone: string } {
  return { now: Date.now(), timezone };
}

function learns({ harnesses = [] }: Config, id: string): boolean {
  return harnesses.find((harness) => harness.id === id)?.routing?.learning === true;
}

function viewOf(c: PageContext): LogView {
  return readLogView(new URL(c.req.url).searchParams);
}

/** What a filter finds is added up at once; a search through texts takes longer, and is added up behind the page. */
function wantsTotals({ given, before }: LogView): boolean {
  return before === "" && given.length > 0 && valueOf(given, "q") === "";
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
  people: PeopleNames | undefined;
  /** Id of the request that the script opens; empty: none. */
  open: string;
}

function RequestsPage(props: RequestsProps) {
  const { viewer, config, view, page, seq, people } = props;
  const timezone = config.timezone ?? "UTC";
  const { words } = viewer;
  const live = isLive(view);
  const wanted = valueOf(view.given, "q");
  return (
    <Page
      viewer={viewer}
      title="Requests"
      lead="All requests, newest first."
      actions={<Actions {...{ view, live }} />}
    >
      <RequestFilters {...{ view, config, words }} />
      <Card>
        <OpenedElsewhere id={props.open} />
        <Summed {...props} />
        {live ? <LivePlace {...{ view, seq }} /> : null}
        <Table
          caption="Requests, newest first"
          head={requestColumns}
          id={live ? "live-rows" : "rows"}
        >
          {page.data.map((request) => (
            <RequestRow {...{ request, timezone, viewer, people, wanted }} />
          ))}
        </Table>
        {page.data.length === 0 && page.next === null ? (
          <NoRequests filtered={view.given.length > 0} />
        ) : null}
        {page.data.length === 0 && page.next !== null ? (
          <p id="no-rows">No matching requests among the newest. Older ones may match.</p>
        ) : null}
        <Pages {...{ view, live }} next={page.next} />
      </Card>
    </Page>
  );
}

function LivePlace({ view, seq }: Pick<RequestsProps, "view" | "seq">) {
  const search = new URLSearchParams(view.given.map(([name, value]) => [name, value])).toString();
  return <NewRowsBar {...{ seq, search }} newest={logAddress(view.given)} most={mostRows} />;
}

/** An address with an open request, where nothing opens it. */
function OpenedElsewhere({ id }: { id: string }) {
  if (id === "") return null;
  return (
    <noscript>
      <p>
        <a href={`${logPage}/${encodeURIComponent(id)}`}>Show the request {id}</a>
      </p>
    </noscript>
  );
}

/** What all matching rows come to: with the page, or loaded behind it. */
function Summed({ view, totals, page }: RequestsProps) {
  if (totals !== undefined) return <Totals totals={totals} />;
  if (valueOf(view.given, "q") === "" || view.before !== "" || page.data.length === 0) return null;
  const address = logAddress(view.given, { more: [["totals", "on"]] });
  return (
    <div class="totals-place" data-load={address}>
      <a href={address}>Count all matching requests</a>
    </div>
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

function Totals({ totals }: { totals: RowTotals | undefined }) {
  if (totals === undefined) return null;
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

interface PagesProps {
  view: LogView;
  live: boolean;
  /** The cursor of the page of older rows; null where there are none. */
  next: string | null;
}

function Pages({ view: { given, before }, live, next }: PagesProps) {
  // Rows that arrive later may push others to such a page.
  if (next === null && live)
    return (
      <nav class="pages" aria-label="Pagination" hidden>
        <span></span>
        <a href={logAddress(given)} rel="next" data-older>
          Older
        </a>
      </nav>
    );
  if (next === null && before === "") return null;
  return (
    <nav class="pages" aria-label="Pagination">
      {before === "" ? <span></span> : <a href={logAddress(given)}>Newest</a>}
      {next === null ? (
        <span class="muted">No older requests.</span>
      ) : (
        <a href={logAddress(given, { more: [["before", next]] })} rel="next" data-older>
          Older
        </a>
      )}
    </nav>
  );
}
