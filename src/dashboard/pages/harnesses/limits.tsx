/** A harness's limits: how much is used, what they blocked, and adding new ones. */
import type { HarnessEntry, LimitEntry } from "../../../store/config.ts";
import type { LimitView } from "../../../workspace/contract/reports.ts";
import { listBlocks, listLimits, type BlockView } from "../../../admin/routes/limits.ts";
import { readConfig } from "../../../admin/routes/config.ts";
import { TextField, Select } from "../../components/fields.tsx";
import { tryChange, fieldProblem, type FieldError, field, formOf } from "../../shared/forms.ts";
import { editHarness, withMember } from "./shared/edit-harness.ts";
import {
  RelativeTime,
  Badge,
  Card,
  EmptyState,
  FormAlert,
  Table,
  Timestamp,
} from "../../components/display.tsx";
import { harnessOf } from "../../../admin/shared/harness.ts";
import {
  type PageApp,
  type PageContext,
  parameter,
  type Viewer,
} from "../../shared/page-context.ts";
import { count, dollars, percent } from "../../shared/readable-values.ts";
import { HarnessFrame, harnessPath } from "./shared/harness-frame.tsx";

/** Registers a harness's limits. */
export function limitRoutes(app: PageApp): void {
  app.get("/harnesses/:id/limits", (c) => showLimits(c, undefined));
  app.post("/harnesses/:id/limits", async (c) => {
    const id = parameter(c, "id");
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const limit = limitFrom(form);
      return editHarness(c.var.viewer.scope, id, (harness) =>
        withMember(harness, "limits", [...(harness.limits ?? []), limit]),
      );
    });
    if (!outcome.ok) return await showLimits(c, outcome.error);
    return c.redirect(`${harnessPath(id)}/limits?done=saved`, 303);
  });
  app.post("/harnesses/:id/limits/delete", async (c) => {
    const id = parameter(c, "id");
    const which = field(await formOf(c.req.raw), "limit");
    await editHarness(c.var.viewer.scope, id, (harness) =>
      withMember(
        harness,
        "limits",
        (harness.limits ?? []).filter((limit) => limitKey(limit) !== which),
      ),
    );
    return c.redirect(`${harnessPath(id)}/limits?done=deleted`, 303);
  });
}

/** Identifies a limit, which has no id, by its members. */
function limitKey({ metric, period, max, action }: LimitEntry): string {
  return [metric, period, max, action].join(" ");
}

function limitFrom(form: URLSearchParams): LimitEntry {
  const max = Number(field(form, "max").replace(",", "."));
  if (field(form, "max") === "" || !Number.isFinite(max) || max < 0)
    throw fieldProblem("max", "enter a number, 0 or more");
  // The other members are checked with the document.
  return {
    metric: field(form, "metric"),
    period: field(form, "period"),
    action: field(form, "action"),
    max,
  } as LimitEntry;
}

async function showLimits(c: PageContext, error: FieldError | undefined): Promise<Response> {
  const { viewer } = c.var;
  const config = await readConfig(viewer.scope);
  const harness = harnessOf(config, parameter(c, "id"));
  const [limits, blocks] = await Promise.all([listLimits(viewer.scope), listBlocks(viewer.scope)]);
  return c.html(
    <LimitsPage
      {...{ viewer, harness, error }}
      timezone={config.timezone ?? "UTC"}
      limits={limits.filter((limit) => limit.harness === harness.id)}
      blocks={blocks.filter((block) => block.harness === harness.id)}
    />,
    error === undefined ? 200 : 422,
  );
}

interface LimitsProps {
  viewer: Viewer;
  harness: HarnessEntry;
  limits: readonly LimitView[];
  blocks: readonly BlockView[];
  timezone: string;
  error: FieldError | undefined;
}

function LimitsPage(props: LimitsProps) {
  const { viewer, harness, limits } = props;
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/limits">
      <Card title="Limits" lead={`Periods follow the time zone ${props.timezone}.`}>
        {limits.length === 0 ? (
          <EmptyState title="No limits.">
            <p>There is no spending limit. Add a daily one below.</p>
          </EmptyState>
        ) : (
          <ul class="limits">
            {limits.map((limit) => (
              <LimitItem limit={limit} base={harnessPath(harness.id)} />
            ))}
          </ul>
        )}
      </Card>
      <NewLimit {...props} />
      <Blocks {...props} />
    </HarnessFrame>
  );
}

function LimitItem({ limit, base }: { limit: LimitView; base: string }) {
  const { metric, period, max, action, used, reserved, resets_at: resets } = limit;
  const tone = used >= max ? "bad" : used >= 0.8 * max ? "warn" : "good";
  const label = `${amountOf(metric, used)} of ${amountOf(metric, max)} used`;
  return (
    <li>
      <div class="limit-head">
        <span>
          <strong>{`${amountOf(metric, max)} per ${period}`}</strong>{" "}
          <Badge tone={action === "block" ? "accent" : "plain"}>
            {action === "block" ? "Blocks" : "Record only"}
          </Badge>
        </span>
        <form method="post" action={`${base}/limits/delete`}>
          <input type="hidden" name="limit" value={limitKey(limit)} />
          <button
            type="submit"
            class="small danger"
            aria-label={`Remove the limit of ${amountOf(metric, max)} per ${period}`}
          >
            Remove
          </button>
        </form>
      </div>
      <progress
        class={tone}
        max={Math.max(max, 1e-9)}
        value={Math.min(used, max)}
        aria-label={label}
      ></progress>
      <p class="hint">
        {`${label} (${percent(used, max)})${reserved > 0 ? `, ${amountOf(metric, reserved)} reserved by requests in flight` : ""}. Resets `}
        <RelativeTime iso={resets} />.
      </p>
    </li>
  );
}

function amountOf(metric: LimitEntry["metric"], value: number): string {
  if (metric === "cost") return dollars(value);
  const whole = Math.round(value);
  return `${count(whole)} ${whole === 1 ? metric.slice(0, -1) : metric}`;
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

function NewLimit({ harness, error }: LimitsProps) {
  return (
    <Card title="New limit">
      <FormAlert error={error} fields={["max"]} />
      <form method="post" action={`${harnessPath(harness.id)}/limits`} class="inline">
        <Select name="metric" label="Metric" options={metrics} />
        <TextField
          name="max"
          label="Limit"
          type="number"
          min="0"
          step="any"
          placeholder="5"
          error={error}
          required
        />
        <Select name="period" label="Period" value="day" options={periods} />
        <Select name="action" label="Action" options={actions} />
        <button type="submit" class="primary">
          Add limit
        </button>
      </form>
    </Card>
  );
}

function Blocks({ blocks, timezone }: LimitsProps) {
  return (
    <Card title="History" lead="One row per limit and period.">
      {blocks.length === 0 ? (
        <p class="muted">No limit has been reached.</p>
      ) : (
        <Table
          caption="Limits that were reached"
          head={[
            "Limit",
            "Result",
            { label: "Used", class: "num" },
            { label: "First", class: "mid" },
            "Last",
          ]}
        >
          {blocks.map((block) => (
            <tr>
              <td>{`${amountOf(block.metric, block.max)} per ${block.period}`}</td>
              <td>
                {block.action === "block" ? (
                  <Badge tone="bad">{`${block.count} blocked`}</Badge>
                ) : (
                  <Badge tone="warn">exceeded</Badge>
                )}
              </td>
              <td class="num">{amountOf(block.metric, block.used)}</td>
              <td class="mid nowrap">
                <Timestamp iso={block.first} timezone={timezone} />
              </td>
              <td class="nowrap">
                <Timestamp iso={block.last} timezone={timezone} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
