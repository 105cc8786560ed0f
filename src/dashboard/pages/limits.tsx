/** A harness's limits: how much is used, what was blocked, new ones. */
import type { HarnessEntry, LimitEntry } from "../../store/config.ts";
import type { LimitUse } from "../../admin/routes/limits.ts";
import { listBlocks, listLimits, type BlockView } from "../../admin/routes/limits.ts";
import { readConfig } from "../../admin/routes/config.ts";
import { Field, Pick } from "../fields.tsx";
import { tryChange, fault, type Fault, field, formOf } from "../shared/forms.ts";
import { editHarness, withMember } from "../harness-edit.ts";
import { Ago, Badge, Card, Empty, FormFault, Table, Time } from "../parts.tsx";
import { harnessOf } from "../../admin/shared/harness.ts";
import { type PageApp, type PageContext, parameter, type Viewer } from "../shared/page-context.ts";
import { count, dollars, percent } from "../shared/readable-values.ts";
import { HarnessFrame, harnessPath } from "./harness-frame.tsx";

export function limitRoutes(app: PageApp): void {
  app.get("/harnesses/:id/limits", (c) => show(c, undefined));
  app.post("/harnesses/:id/limits", async (c) => {
    const id = parameter(c, "id");
    const form = await formOf(c.req.raw);
    const outcome = await tryChange(() => {
      const limit = limitFrom(form);
      return editHarness(c.var.viewer.scope, id, (harness) =>
        withMember(harness, "limits", [...(harness.limits ?? []), limit]),
      );
    });
    if (!outcome.ok) return await show(c, outcome.fault);
    return c.redirect(`${harnessPath(id)}/limits?done=saved`, 303);
  });
  app.post("/harnesses/:id/limits/delete", async (c) => {
    const id = parameter(c, "id");
    const which = field(await formOf(c.req.raw), "limit");
    await editHarness(c.var.viewer.scope, id, (harness) =>
      withMember(
        harness,
        "limits",
        (harness.limits ?? []).filter((limit) => nameOf(limit) !== which),
      ),
    );
    return c.redirect(`${harnessPath(id)}/limits?done=deleted`, 303);
  });
}

/** A limit has no id; what it says is its name. */
function nameOf({ metric, period, max, action }: LimitEntry): string {
  return [metric, period, max, action].join(" ");
}

function limitFrom(form: URLSearchParams): LimitEntry {
  const max = Number(field(form, "max").replace(",", "."));
  if (field(form, "max") === "" || !Number.isFinite(max) || max < 0)
    throw fault("max", "enter a number, 0 or more");
  // The other members are checked with the whole document.
  return {
    metric: field(form, "metric"),
    period: field(form, "period"),
    action: field(form, "action"),
    max,
  } as LimitEntry;
}

async function show(c: PageContext, wrong: Fault | undefined): Promise<Response> {
  const { viewer } = c.var;
  const config = await readConfig(viewer.scope);
  const harness = harnessOf(config, parameter(c, "id"));
  const [limits, blocks] = await Promise.all([listLimits(viewer.scope), listBlocks(viewer.scope)]);
  return c.html(
    <LimitsPage
      {...{ viewer, harness, fault: wrong }}
      timezone={config.timezone ?? "UTC"}
      limits={limits.filter((limit) => limit.harness === harness.id)}
      blocks={blocks.filter((block) => block.harness === harness.id)}
    />,
    wrong === undefined ? 200 : 422,
  );
}

interface LimitsProps {
  viewer: Viewer;
  harness: HarnessEntry;
  limits: readonly LimitUse[];
  blocks: readonly BlockView[];
  timezone: string;
  fault: Fault | undefined;
}

function LimitsPage(props: LimitsProps) {
  const { viewer, harness, limits } = props;
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/limits">
      <Card title="Limits" lead={`Periods begin by the time zone ${props.timezone}.`}>
        {limits.length === 0 ? (
          <Empty title="No limit.">
            <p>{`This ${viewer.words.holder} may spend without end. Add a daily cost limit below to sleep well.`}</p>
          </Empty>
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

function LimitItem({ limit, base }: { limit: LimitUse; base: string }) {
  const { metric, period, max, action, used, reserved, resets_at: resets } = limit;
  const tone = used >= max ? "bad" : used >= 0.8 * max ? "warn" : "good";
  const label = `${amountOf(metric, used)} of ${amountOf(metric, max)} used`;
  return (
    <li>
      <div class="limit-head">
        <span>
          <strong>{`${amountOf(metric, max)} per ${period}`}</strong>{" "}
          <Badge tone={action === "block" ? "accent" : "plain"}>
            {action === "block" ? "blocks" : "notifies"}
          </Badge>
        </span>
        <form method="post" action={`${base}/limits/delete`}>
          <input type="hidden" name="limit" value={nameOf(limit)} />
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
        {`${label} (${percent(used, max)})${reserved > 0 ? `, ${amountOf(metric, reserved)} reserved by requests under way` : ""}. Starts over `}
        <Ago iso={resets} />.
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
  { value: "cost", label: "Cost, USD" },
  { value: "tokens", label: "Tokens" },
  { value: "requests", label: "Requests" },
];
const periods = ["hour", "day", "week", "month"].map((value) => ({ value, label: value }));
const actions = [
  { value: "block", label: "Block further requests" },
  { value: "notify", label: "Only note it here" },
];

function NewLimit({ harness, fault: wrong }: LimitsProps) {
  return (
    <Card title="New limit">
      <FormFault fault={wrong} fields={["max"]} />
      <form method="post" action={`${harnessPath(harness.id)}/limits`} class="inline">
        <Pick name="metric" label="Of" choices={metrics} />
        <Field
          name="max"
          label="At most"
          type="number"
          min="0"
          step="any"
          placeholder="5"
          fault={wrong}
          required
        />
        <Pick name="period" label="Per" value="day" choices={periods} />
        <Pick name="action" label="Then" choices={actions} />
        <button type="submit" class="primary">
          Add
        </button>
      </form>
    </Card>
  );
}

function Blocks({ blocks, timezone }: LimitsProps) {
  return (
    <Card title="History" lead="One line a limit and period.">
      {blocks.length === 0 ? (
        <p class="muted">No limit was ever reached.</p>
      ) : (
        <Table
          caption="Limits that blocked or were crossed"
          head={[
            "Limit",
            "What happened",
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
                  <Badge tone="warn">crossed</Badge>
                )}
              </td>
              <td class="num">{amountOf(block.metric, block.used)}</td>
              <td class="mid nowrap">
                <Time iso={block.first} timezone={timezone} />
              </td>
              <td class="nowrap">
                <Time iso={block.last} timezone={timezone} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Card>
  );
}
