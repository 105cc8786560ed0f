/** Limits of a workspace, harness, key or person: what is used of them, and the form that adds and changes them. */
import type { BlockView, LimitUse } from "../../admin/routes/usage/limits.ts";
import type { LimitEntry } from "../../store/config.ts";
import type { FieldError } from "../shared/forms.ts";
import { blockedAddress, blockOf } from "../shared/limit-address.ts";
import { limitKey } from "../shared/limit-changes.ts";
import type { LimitChange } from "../shared/limit-undo.ts";
import { limitAmount, limitChangeWords, limitUse, limitWords } from "../shared/limit-words.ts";
import type { Visitor } from "../shared/page-context.ts";
import { count, percent } from "../shared/readable-values.ts";
import { Alert, Badge, Card, FormAlert, RelativeTime } from "./display.tsx";
import { Checkbox, Select, TextField } from "./fields.tsx";

/** A limit, and what is used of it. */
export type ShownLimit = LimitUse;

interface LimitsCardProps {
  viewer: Visitor;
  limits: readonly ShownLimit[];
  /** Whose they are: `this harness`. */
  owner: string;
  /** The page's own address; with `?limit=` it shows the form of that limit. */
  page: string;
  /** Where the form is sent; removing is below it. */
  action: string;
  timezone: string;
  /** The key of the limit to change; empty for a new one. */
  edited: string;
  /** What limits blocked, newest first. */
  blocks: readonly BlockView[];
  /** The change that was made just before, where these limits are not the document's. */
  change?: LimitChange | undefined;
  form?: URLSearchParams | undefined;
  error?: FieldError | undefined;
}

/** The whole section: the limits, then the form for those who may change them. */
export function LimitsCard(props: LimitsCardProps) {
  const { viewer, limits, owner, action, timezone } = props;
  return (
    <Card
      id="limits"
      title="Limits"
      lead={`What ${owner} may use. Hours, days, weeks and months follow the time zone ${timezone}.`}
    >
      <FormAlert error={props.error} fields={["max"]} />
      <ChangedLimits {...props} />
      {limits.length === 0 ? (
        <p class="muted">
          {viewer.allows("POST", action)
            ? "No spending limit. Add a daily one."
            : "No spending limit."}
        </p>
      ) : (
        <ul class="limits">
          {limits.map((limit) => (
            <LimitItem limit={limit} {...props} />
          ))}
        </ul>
      )}
      {viewer.allows("POST", action) ? <LimitForm {...props} /> : null}
    </Card>
  );
}

/** What was changed just before, and the way back. */
function ChangedLimits({ viewer, change, action }: LimitsCardProps) {
  if (change === undefined) return null;
  return (
    <Alert kind="good">
      {limitChangeWords(change.before, change.after)}
      {viewer.allows("POST", `${action}/undo`) ? (
        <form method="post" action={`${action}/undo`}>
          <button type="submit" class="small">
            Undo
          </button>
        </form>
      ) : null}
    </Alert>
  );
}

function LimitItem(props: LimitsCardProps & { limit: ShownLimit }) {
  const { limit, viewer, page, action, blocks } = props;
  const key = limitKey(limit);
  const name = limitWords(limit);
  return (
    <li>
      <div class="limit-head">
        <span>
          <strong>{name}</strong> <LimitBadges limit={limit} />{" "}
          <BlockedCount limit={limit} blocks={blocks} />
        </span>
        {viewer.allows("POST", action) ? (
          <form method="post" action={`${action}/delete`} class="buttons">
            <a
              class="button small"
              href={`${page}?limit=${encodeURIComponent(key)}#limits`}
              aria-label={`Edit the limit of ${name}`}
            >
              Edit
            </a>
            <input type="hidden" name="limit" value={key} />
            <button type="submit" class="small danger" aria-label={`Remove the limit of ${name}`}>
              Remove
            </button>
          </form>
        ) : null}
      </div>
      <LimitGauge limit={limit} />
    </li>
  );
}

interface BlockedProps {
  limit: ShownLimit;
  blocks: readonly BlockView[];
}

/** How many requests the limit blocked in its period, with a link to them. */
export function BlockedCount({ limit, blocks }: BlockedProps) {
  const block = blockOf(limit, blocks);
  if (block === undefined) return null;
  return <a href={blockedAddress(block)}>{`${count(block.count)} blocked`}</a>;
}

/** Whether it blocks. */
export function LimitBadges({ limit: { action, strict } }: { limit: LimitEntry }) {
  return (
    <>
      <Badge tone={action === "block" ? "accent" : "plain"}>
        {action === "block" ? "Blocks" : "Record only"}
      </Badge>{" "}
      {strict === true ? <Badge tone="plain">Strict</Badge> : null}
      {strict === "bound" ? <Badge tone="plain">Upper bounds</Badge> : null}
    </>
  );
}

/** What is used and reserved of a limit and when it resets, as a bar and in words. */
export function LimitGauge({ limit }: { limit: ShownLimit }) {
  const { metric, max, used, reserved, resets_at: resets } = limit;
  const tone = used >= max ? "bad" : used >= 0.8 * max ? "warn" : "good";
  const label = limitUse(metric, { used, max });
  return (
    <>
      <progress
        class={tone}
        max={max === 0 ? 1 : max}
        value={max === 0 ? 1 : Math.min(used, max)}
        aria-label={label}
      ></progress>
      <p class="hint">
        {`${label}${max === 0 ? "" : ` (${percent(used, max)})`}${reserved > 0 ? `, ${limitAmount(metric, reserved)} reserved by requests in flight` : ""}. Resets `}
        <RelativeTime iso={resets} />.
      </p>
    </>
  );
}

const metrics = [
  { value: "cost", label: "Cost (USD)" },
  { value: "tokens", label: "Tokens" },
  { value: "requests", label: "Requests" },
];
const periods = [
  { value: "hour", label: "Hour" },
  { value: "day", label: "Day" },
  { value: "week", label: "Week" },
  { value: "month", label: "Month" },
];
const actions = [
  { value: "block", label: "Block requests" },
  { value: "notify", label: "Record only" },
];

function LimitForm({ limits, page, action, edited, form, error }: LimitsCardProps) {
  const before = limits.find((limit) => limitKey(limit) === edited);
  const value = (name: "metric" | "max" | "period" | "action", usual: string) =>
    form?.get(name) ?? (before === undefined ? usual : String(before[name]));
  return (
    <form method="post" action={action} class="limit-form">
      <h3>{before === undefined ? "New limit" : "Edit limit"}</h3>
      <input type="hidden" name="limit" value={before === undefined ? "" : edited} />
      <div class="inline">
        <Select name="metric" label="Metric" value={value("metric", "cost")} options={metrics} />
        <TextField
          name="max"
          label="Limit"
          type="number"
          min="0"
          step="any"
          placeholder="5"
          value={value("max", "")}
          error={error}
          required
        />
        <Select name="period" label="Period" value={value("period", "day")} options={periods} />
        <Select name="action" label="Action" value={value("action", "block")} options={actions} />
      </div>
      <Checkbox
        name="strict"
        label="Strict"
        checked={form === undefined ? before?.strict === true : form.has("strict")}
        hint="For cost: also blocks models without a known price, which count as $0 otherwise."
      />
      <Checkbox
        name="bound"
        label="Upper bounds"
        checked={form === undefined ? before?.strict === "bound" : form.has("bound")}
        hint="For cost and tokens: also blocks a request if the most that it may use does not fit. Includes Strict."
      />
      <div class="buttons">
        <button type="submit" class="primary">
          {before === undefined ? "Add limit" : "Save"}
        </button>
        {before === undefined ? null : (
          <a class="button" href={`${page}#limits`}>
            Cancel
          </a>
        )}
      </div>
    </form>
  );
}
