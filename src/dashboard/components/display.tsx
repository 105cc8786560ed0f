/** What pages show besides form fields: cards, tables, badges, times. */
import type { Child } from "hono/jsx";
import type { FieldError } from "../shared/forms.ts";
import { clockTime, timeAway } from "../shared/readable-values.ts";

/** A titled section of a page. */
export function Card({
  title,
  id,
  lead,
  actions,
  children,
}: {
  title?: string;
  id?: string;
  lead?: Child;
  actions?: Child;
  children?: Child;
}) {
  return (
    <section class="card" id={id} aria-label={title}>
      {title === undefined ? null : (
        <div class="card-head">
          <div>
            <h2>{title}</h2>
            {lead === undefined ? null : <p class="hint">{lead}</p>}
          </div>
          {actions === undefined ? null : <div class="actions">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}

/** The colour of a badge. */
export type Tone = "good" | "bad" | "warn" | "plain" | "accent";

/** A short coloured label. */
export function Badge({ tone, children }: { tone: Tone; children?: Child }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

interface AlertProps {
  kind: "good" | "bad" | "warn";
  /** Takes the focus as the page opens: it is what the step before led to. */
  focused?: boolean | undefined;
  children?: Child;
}

/** A message about the whole page. */
export function Alert({ kind, focused, children }: AlertProps) {
  return (
    <div
      class={`alert ${kind}`}
      role={kind === "bad" ? "alert" : "status"}
      {...(focused === true && { tabindex: -1, autofocus: true })}
    >
      {children}
    </div>
  );
}

/** The error of a form when it belongs to none of the fields. */
export function FormAlert({
  error,
  fields,
}: {
  error: FieldError | undefined;
  fields: readonly string[];
}) {
  if (error === undefined) return null;
  if (error.field !== null && fields.includes(error.field)) return null;
  return (
    <Alert kind="bad" focused>
      {error.message}
    </Alert>
  );
}

/** A column's head; `sort` where the rows stand in its order. */
export interface TableColumn {
  label: Child;
  class: string;
  sort?: "ascending" | "descending" | undefined;
}

/** A table that scrolls sideways where it is too wide, also by keyboard. */
export function Table({
  caption,
  showCaption,
  head,
  children,
  id,
}: {
  caption: string;
  showCaption?: true;
  head: readonly (string | TableColumn)[];
  children?: Child;
  id?: string;
}) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={caption}>
      <table>
        <caption class={showCaption === true ? undefined : "hidden"}>{caption}</caption>
        <thead>
          <tr>
            {head.map((column) =>
              typeof column === "string" ? (
                <th scope="col">{column}</th>
              ) : (
                <th scope="col" class={column.class} aria-sort={column.sort}>
                  {column.label}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody id={id}>{children}</tbody>
      </table>
    </div>
  );
}

/** Shown in place of an empty list: why it is empty and what to do next. */
export function EmptyState({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** A time in the workspace's time zone. */
export function Timestamp(props: { iso: string; timezone: string; full?: true }) {
  const { iso, timezone, full } = props;
  return (
    <time datetime={iso} title={iso}>
      {clockTime(iso, timezone, full)}
    </time>
  );
}

/** A time as its distance from now; null is "never". */
export function RelativeTime({ iso }: { iso: string | null }) {
  if (iso === null) return <span class="muted">never</span>;
  return (
    <time datetime={iso} title={iso}>
      {timeAway(iso)}
    </time>
  );
}

/** One number of a `<dl class="stats">`. */
export function Stat({ label, value, note }: { label: string; value: Child; note?: Child }) {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd>
        <span class="stat-value">{value}</span>
        {note === undefined ? null : <span class="stat-note">{note}</span>}
      </dd>
    </div>
  );
}

/** A link of `Tabs`. */
export interface TabLink {
  href: string;
  label: string;
}

/** Links between the views of one page. `current` is the `href` of the view that is shown. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: readonly TabLink[];
  current: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li>
            <a href={tab.href} aria-current={tab.href === current ? "true" : undefined}>
              {tab.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A model's id that may break after the provider's name. */
export function ModelName({ id }: { id: string }) {
  const slash = id.indexOf("/");
  if (slash < 0) return <span class="model">{id}</span>;
  return (
    <span class="model">
      <span class="muted">{id.slice(0, slash + 1)}</span>
      <wbr />
      {id.slice(slash + 1)}
    </span>
  );
}

/** A text to copy, with a button where scripts run. */
export function CopyBlock({ text, label }: { text: string; label: string }) {
  return (
    <div class="copy">
      <pre tabindex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <button type="button" class="small" data-copy hidden>
        Copy
      </button>
    </div>
  );
}
