/** The pieces that pages are made of. */
import type { Child } from "hono/jsx";
import type { Fault } from "./shared/forms.ts";
import { clockTime, timeAway } from "./shared/readable-values.ts";

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

export type Tone = "good" | "bad" | "warn" | "plain" | "accent";

export function Badge({ tone, children }: { tone: Tone; children?: Child }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Alert({ kind, children }: { kind: "good" | "bad" | "warn"; children?: Child }) {
  return (
    <div class={`alert ${kind}`} role={kind === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** The fault that belongs to no field of the form. */
export function FormFault({
  fault,
  fields,
}: {
  fault: Fault | undefined;
  fields: readonly string[];
}) {
  if (fault === undefined) return null;
  if (fault.field !== null && fields.includes(fault.field)) return null;
  return <Alert kind="bad">{fault.message}</Alert>;
}

/** A table that scrolls by itself where it is too wide, reachable by keyboard. */
export function Table({
  caption,
  showCaption,
  head,
  children,
  id,
}: {
  caption: string;
  showCaption?: true;
  head: readonly (string | { label: string; class: string })[];
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
                <th scope="col" class={column.class}>
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

/** What a list says while it is empty: why, and what to do next. */
export function Empty({ title, children }: { title: string; children?: Child }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Time(props: { iso: string; timezone: string; full?: true }) {
  const { iso, timezone, full } = props;
  return (
    <time datetime={iso} title={iso}>
      {clockTime(iso, timezone, full)}
    </time>
  );
}

export function Ago({ iso }: { iso: string | null }) {
  if (iso === null) return <span class="muted">never</span>;
  return (
    <time datetime={iso} title={iso}>
      {timeAway(iso)}
    </time>
  );
}

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

export interface Choice {
  value: string;
  label: string;
}

/** Links between views of one page; each is an address of its own. */
export function Tabs({
  label,
  tabs,
  here,
}: {
  label: string;
  tabs: readonly Choice[];
  here: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li>
            <a href={tab.value} aria-current={tab.value === here ? "true" : undefined}>
              {tab.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A model's id in pieces that may break where they meet. */
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

/** A text to be taken along, with a button where scripts run. */
export function Copy({ text, label }: { text: string; label: string }) {
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
