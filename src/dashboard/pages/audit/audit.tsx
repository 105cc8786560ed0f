/** The audit log: who changed what, filtered, page by page, and as a file. */
import {
  auditQuerySchema,
  type AuditList,
  type AuditQuery,
  type AuditView,
  exportAudit,
  listAudit,
} from "../../../admin/routes/events/audit.ts";
import { readConfig } from "../../../admin/routes/document/config.ts";
import type { ChangesView, ChangeView } from "../../../admin/shared/document/config-preview.ts";
import { isObject, type JsonValue } from "../../../lib/json.ts";
import { ActorName, ChangeTable } from "../../components/change-table.tsx";
import { Card, EmptyState, Table, Timestamp } from "../../components/display.tsx";
import { ExportLinks } from "../../components/export-links.tsx";
import { Select, TextField } from "../../components/fields.tsx";
import { Page } from "../../components/frame/layout.tsx";
import type { PageApp, Viewer } from "../../shared/page-context.ts";

const base = "/dashboard/settings/audit";

/** As the form has them; empty where nothing is asked. */
interface AuditForm {
  actor: string;
  action: string;
  from: string;
  to: string;
}

/** Registers the log and its exports. */
export function auditRoutes(app: PageApp): void {
  app.get("/settings/audit", async (c) => {
    const { viewer } = c.var;
    const form = formFrom((name) => c.req.query(name) ?? "");
    const before = c.req.query("before") ?? "";
    const [list, config] = await Promise.all([
      listAudit(viewer.scope, queryOf(form, before)),
      readConfig(viewer.scope),
    ]);
    const timezone = config.timezone ?? "UTC";
    return c.html(<AuditPage {...{ viewer, list, form, before, timezone }} />);
  });
  app.get("/settings/audit/export", (c) => {
    const form = formFrom((name) => c.req.query(name) ?? "");
    const format = c.req.query("format") === "csv" ? "csv" : "ndjson";
    return exportAudit(c.var.viewer.scope, queryOf(form, ""), format);
  });
}

function formFrom(value: (name: string) => string): AuditForm {
  return {
    actor: value("actor").trim(),
    action: value("action"),
    from: value("from"),
    to: value("to"),
  };
}

/** An address with invalid filters shows all events rather than none. */
function queryOf({ from, to, ...rest }: AuditForm, before: string): AuditQuery {
  const wish = { ...rest, from: utcTime(from), to: utcTime(to), before };
  const given = Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== ""));
  const read = auditQuerySchema.safeParse(given);
  return read.success ? read.data : { limit: 50 };
}

/** The field holds a time without a zone; its label says UTC. */
function utcTime(text: string): string {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? `${text}Z` : text;
}

interface AuditProps {
  viewer: Viewer;
  list: AuditList;
  form: AuditForm;
  before: string;
  timezone: string;
}

function AuditPage({ viewer, list, form, before, timezone }: AuditProps) {
  return (
    <Page viewer={viewer} title="Audit log" lead={<AuditLead />} actions={<Exports form={form} />}>
      <FilterForm form={form} />
      <Card>
        <Table
          caption="Events, newest first"
          head={["Time", "By", "Action", "Details"]}
          id="events"
        >
          {list.data.map((event) => (
            <EventRow event={event} timezone={timezone} />
          ))}
        </Table>
        {list.data.length === 0 ? (
          <EmptyState title="No matching events.">
            <p>Every change to this workspace and every sign-in appears here.</p>
          </EmptyState>
        ) : null}
        <Pages {...{ form, before, next: list.next }} />
      </Card>
    </Page>
  );
}

function AuditLead() {
  return (
    <>
      <a href="/dashboard/settings">Settings</a> / Every change and sign-in. Events can't be altered
      or removed.
    </>
  );
}

function Exports({ form }: { form: AuditForm }) {
  const href = (format: string) =>
    `${base}/export?${new URLSearchParams([...givenIn(form), ["format", format]]).toString()}`;
  return <ExportLinks href={href} />;
}

function givenIn(form: AuditForm): [string, string][] {
  return Object.entries(form).filter(([, value]: [string, string]) => value !== "");
}

/** What stands before the dot of actions, as people call it. */
const actionGroups = [
  { value: "", label: "Any action" },
  { value: "config", label: "Configuration" },
  { value: "key", label: "Keys" },
  { value: "member", label: "Members" },
  { value: "invitation", label: "Invitations" },
  { value: "token", label: "Access tokens" },
  { value: "admin_token", label: "Admin token" },
  { value: "session", label: "Sign-ins" },
  { value: "limits", label: "Member limits" },
  { value: "learning", label: "Learning" },
  { value: "quota", label: "Quota" },
  { value: "plan", label: "Plan" },
  { value: "webhook", label: "Webhooks" },
  { value: "workspace", label: "Workspace" },
];

function FilterForm({ form }: { form: AuditForm }) {
  return (
    <form class="filters" method="get" action={base}>
      <Select name="action" label="Action" value={form.action} options={actionGroups} />
      <TextField
        name="actor"
        label="By"
        value={form.actor}
        placeholder="e-mail address or id"
        type="search"
      />
      <TextField name="from" label="From (UTC)" value={form.from} type="datetime-local" />
      <TextField name="to" label="To (UTC)" value={form.to} type="datetime-local" />
      <button type="submit">Filter</button>
      {givenIn(form).length > 0 ? <a href={base}>Clear</a> : null}
    </form>
  );
}

function EventRow({ event, timezone }: { event: AuditView; timezone: string }) {
  const { time, actor, action, target } = event;
  return (
    <tr>
      <td class="nowrap">
        <Timestamp iso={time} timezone={timezone} />
      </td>
      <td class="roomy">
        <ActorName actor={actor} />
      </td>
      <td class="roomy">
        <code>{action}</code>
        <span class="sub anywhere">{target}</span>
      </td>
      <td>
        <EventDetails event={event} />
      </td>
    </tr>
  );
}

function EventDetails({ event }: { event: AuditView }) {
  const { action, target, before, after } = event;
  if (before === undefined && after === undefined) return <span class="muted">none</span>;
  return (
    <details>
      <summary aria-label={`Details of ${action} ${target}`}>Details</summary>
      <ChangeTable found={changesIn(before, after)} caption={`${action} ${target}`} />
    </details>
  );
}

/** Members of both sides by name; a side that has none as a whole. */
function changesIn(before: JsonValue | undefined, after: JsonValue | undefined): ChangesView {
  const old = isObject(before) ? before : undefined;
  const young = isObject(after) ? after : undefined;
  if (old === undefined && young === undefined) return { changes: [changeOf("", before, after)] };
  const names = new Set([...Object.keys(old ?? {}), ...Object.keys(young ?? {})]);
  return { changes: [...names].map((name) => changeOf(name, old?.[name], young?.[name])) };
}

function changeOf(
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ChangeView {
  return {
    path,
    ...(before !== undefined && { before: before as ChangeView["before"] }),
    ...(after !== undefined && { after: after as ChangeView["after"] }),
  };
}

function Pages({
  form,
  before,
  next,
}: {
  form: AuditForm;
  before: string;
  next: string | undefined;
}) {
  if (next === undefined && before === "") return null;
  const given = givenIn(form);
  const href = (more: [string, string][]) =>
    `${base}?${new URLSearchParams([...given, ...more]).toString()}`;
  return (
    <nav class="pages" aria-label="Pagination">
      {before === "" ? <span></span> : <a href={href([])}>Newest</a>}
      {next === undefined ? (
        <span class="muted">No older events.</span>
      ) : (
        <a href={href([["before", next]])} rel="next">
          Older
        </a>
      )}
    </nav>
  );
}
