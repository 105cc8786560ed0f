/** The request log: newest first, live, filtered; and the page of one request. */
import { changesSince } from "../../../admin/routes/requests.ts";
import { readConfig } from "../../../admin/routes/config.ts";
import { findRequest, listRequests } from "../../../admin/routes/requests.ts";
import type { RequestPage } from "../../../admin/routes/request-pages.ts";
import { requestsQuerySchema } from "../../../admin/routes/request-query.ts";
import type { Config } from "../../../store/config.ts";
import { TextField, Select } from "../../components/fields.tsx";
import { Page } from "../../components/layout.tsx";
import { Card, EmptyState, Table } from "../../components/display.tsx";
import { type PageApp, parameter, type Viewer } from "../../shared/page-context.ts";
import { liveFeedRoutes } from "./live-feed.tsx";
import { RequestDetail } from "./request-detail.tsx";
import { LiveBadge, requestColumns, RequestRow } from "../../components/request-table.tsx";

interface Filter {
  harness: string;
  status: string;
  model: string;
  before: string;
}

/** Registers the log, its live feed and the page of one request. */
export function requestRoutes(app: PageApp): void {
  liveFeedRoutes(app);
  app.get("/requests", async (c) => {
    const { viewer } = c.var;
    const filter = filterOf((name) => c.req.query(name) ?? "");
    const [config, { seq }] = await Promise.all([
      readConfig(viewer.scope),
      changesSince(viewer.scope, Number.MAX_SAFE_INTEGER),
    ]);
    const page = await listRequests(viewer.scope, queryOf(filter));
    return c.html(<RequestsPage {...{ viewer, config, filter, page, seq }} />);
  });
  app.get("/requests/:id", async (c) => {
    const { viewer } = c.var;
    const [request, config] = await Promise.all([
      findRequest(viewer.scope, parameter(c, "id")),
      readConfig(viewer.scope),
    ]);
    const timezone = config.timezone ?? "UTC";
    const detail = <RequestDetail {...{ request, timezone, words: viewer.words }} />;
    if (c.req.header("X-Part") !== undefined) return c.html(detail);
    return c.html(
      <Page viewer={viewer} title="Request" lead={<code>{request.id}</code>}>
        {detail}
      </Page>,
    );
  });
}

function filterOf(value: (name: string) => string): Filter {
  return {
    harness: value("harness"),
    status: value("status"),
    model: value("model").trim(),
    before: value("before"),
  };
}

/** An address with invalid filters shows all requests rather than none. */
function queryOf(filter: Filter) {
  const wish = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ""));
  const read = requestsQuerySchema.safeParse(wish);
  return read.success ? read.data : { limit: 50 };
}

interface RequestsProps {
  viewer: Viewer;
  config: Config;
  filter: Filter;
  page: RequestPage;
  /** Number of the newest row; the live feed continues from it. */
  seq: number;
}

function RequestsPage({ viewer, config, filter, page, seq }: RequestsProps) {
  const timezone = config.timezone ?? "UTC";
  const live = Object.values(filter).every((value) => value === "");
  return (
    <Page
      viewer={viewer}
      title="Requests"
      lead="All requests, newest first."
      actions={live ? <LiveBadge /> : null}
    >
      <FilterForm {...{ viewer, config, filter }} />
      <Card>
        <Table
          caption="Requests, newest first"
          head={requestColumns}
          id={live ? "live-rows" : "rows"}
        >
          {page.data.map((request) => (
            <RequestRow request={request} timezone={timezone} words={viewer.words} />
          ))}
        </Table>
        {live ? <div id="live" data-since={seq} data-rows="live-rows" data-most="50"></div> : null}
        {page.data.length === 0 ? <NoRequests filtered={!live} /> : null}
        <Pages filter={filter} next={page.next} />
      </Card>
    </Page>
  );
}

const statuses = [
  { value: "", label: "Any status" },
  { value: "ok", label: "Succeeded" },
  { value: "error", label: "Failed" },
  { value: "4xx", label: "4xx" },
  { value: "429", label: "429" },
  { value: "5xx", label: "5xx" },
];

function FilterForm({ viewer, config, filter }: Omit<RequestsProps, "page" | "seq">) {
  const { Holder, Holders } = viewer.words;
  const holders = [
    { value: "", label: `All ${Holders.toLowerCase()}` },
    ...(config.harnesses ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <form class="filters" method="get" action="/dashboard/requests">
      <Select name="harness" label={Holder} value={filter.harness} options={holders} />
      <Select name="status" label="Status" value={filter.status} options={statuses} />
      <TextField
        name="model"
        label="Model"
        value={filter.model}
        placeholder="provider/model or requested name"
        type="search"
      />
      <button type="submit">Filter</button>
      {Object.values(filter).some((value) => value !== "") ? (
        <a href="/dashboard/requests">Clear</a>
      ) : null}
    </form>
  );
}

function NoRequests({ filtered }: { filtered: boolean }) {
  if (filtered)
    return (
      <EmptyState title="No matching requests.">
        <p>
          <a href="/dashboard/requests">Show all requests</a>
        </p>
      </EmptyState>
    );
  return (
    <div id="no-rows">
      <EmptyState title="No requests yet.">
        <p>Point a client at this gateway. Its first request appears here.</p>
        <p>
          <a class="button primary" href="/dashboard/connect">
            Connect a client
          </a>
        </p>
      </EmptyState>
    </div>
  );
}

function Pages({ filter, next }: { filter: Filter; next: string | null }) {
  if (next === null && filter.before === "") return null;
  const { before: _, ...rest } = filter;
  const given = Object.entries(rest).filter(([, value]) => value !== "");
  const older = new URLSearchParams([...given, ...(next === null ? [] : [["before", next]])]);
  return (
    <nav class="pages" aria-label="Pagination">
      {filter.before === "" ? (
        <span></span>
      ) : (
        <a href={`/dashboard/requests?${new URLSearchParams(given).toString()}`}>Newest</a>
      )}
      {next === null ? (
        <span class="muted">No older requests.</span>
      ) : (
        <a href={`/dashboard/requests?${older.toString()}`} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
