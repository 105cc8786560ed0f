/** The page of a harness's routing. */
import type { JsonObject } from "../../lib/json.ts";
import type { HarnessEntry } from "../../store/config.ts";
import type { LearningView } from "../../admin/routes/learning.ts";
import type { TierView } from "../../admin/routes/routing.ts";
import { Area, Field, Pick } from "../fields.tsx";
import type { Fault } from "../shared/forms.ts";
import { Badge, Card, Table } from "../parts.tsx";
import type { Viewer } from "../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./harness-frame.tsx";
import { Learning } from "./learning.tsx";
import { Explained } from "./routing-why.tsx";
import { Tiers } from "./tier-chains.tsx";

interface RoutingProps {
  viewer: Viewer;
  harness: HarnessEntry;
  tiers: readonly TierView[];
  models: readonly string[];
  learned: LearningView;
  fault?: Fault;
  form?: URLSearchParams;
  decided?: JsonObject;
}

export function RoutingPage(props: RoutingProps) {
  const { viewer, harness, models } = props;
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/routing">
      <datalist id="model-ids">
        {models.slice(0, 1000).map((id) => (
          <option value={id}></option>
        ))}
      </datalist>
      <Tiers {...props} />
      <DryRun {...props} />
      <Rules {...props} />
      <Fallbacks {...props} />
      <Learning {...props} />
    </HarnessFrame>
  );
}

const formats = [
  { value: "chat", label: "OpenAI chat" },
  { value: "responses", label: "OpenAI Responses" },
  { value: "messages", label: "Anthropic Messages" },
];

function DryRun({ harness, form, fault, decided }: RoutingProps) {
  return (
    <Card id="try" title="Dry run" lead="See the decision for a prompt; nothing is sent anywhere.">
      <form method="post" action={`${harnessPath(harness.id)}/routing/try#try`}>
        <Area
          name="prompt"
          label="Prompt, or a whole request body as JSON"
          rows={4}
          value={form?.get("prompt") ?? ""}
          fault={fault}
          placeholder="Find out why the build fails on Windows and mend it."
        />
        <div class="inline">
          <Pick
            name="format"
            label="Format"
            value={form?.get("format") ?? "chat"}
            choices={formats}
          />
          <button type="submit" class="primary">
            Decide
          </button>
        </div>
      </form>
      {decided === undefined ? null : (
        <div class="decided" role="status">
          <p>
            <span class="label">Tier</span> <Badge tone="accent">{String(decided["tier"])}</Badge>{" "}
            <span class="muted">{String(decided["reason"] ?? "")}</span>
          </p>
          <Explained why={decided} />
        </div>
      )}
    </Card>
  );
}

function Rules({ harness, form, fault }: RoutingProps) {
  const rules = harness.routing?.headers ?? [];
  const base = `${harnessPath(harness.id)}/routing/rules`;
  return (
    <Card
      id="rules"
      title="Rules by header"
      lead="A request for auto that carries this header goes to these models."
    >
      {rules.length === 0 ? null : (
        <Table
          caption="Rules by header"
          head={["Name", "Header", "Models", { label: "", class: "num" }]}
        >
          {rules.map((rule, index) => (
            <tr>
              <td>{rule.name}</td>
              <td>
                <code class="anywhere">{`${rule.header}: ${rule.value}`}</code>
              </td>
              <td>{rule.models.join(" → ")}</td>
              <td class="num">
                <form method="post" action={`${base}/delete`}>
                  <input type="hidden" name="index" value={String(index)} />
                  <input type="hidden" name="name" value={rule.name} />
                  <button
                    type="submit"
                    class="small danger"
                    aria-label={`Remove the rule ${rule.name}`}
                  >
                    Remove
                  </button>
                </form>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <form method="post" action={base} class="inline">
        <Field
          name="name"
          label="Name"
          value={form?.get("name") ?? ""}
          placeholder="nightly"
          fault={fault}
          required
        />
        <Field
          name="header"
          label="Header"
          value={form?.get("header") ?? ""}
          placeholder="x-job"
          fault={fault}
          required
        />
        <Field
          name="value"
          label="Value"
          value={form?.get("value") ?? ""}
          placeholder="nightly"
          fault={fault}
        />
        <Field
          name="models"
          label="Models, by commas"
          list="model-ids"
          value={form?.get("models") ?? ""}
          placeholder="lab/qwen3"
          fault={fault}
          required
        />
        <button type="submit" class="primary">
          Add the rule
        </button>
      </form>
    </Card>
  );
}

function Fallbacks({ harness, form, fault }: RoutingProps) {
  const lines = Object.entries(harness.routing?.fallbacks ?? {}).map(
    ([model, others]) => `${model} -> ${others.join(", ")}`,
  );
  return (
    <Card
      id="fallbacks"
      title="Fallbacks of named models"
      lead="For models that the client names itself; none unless set."
    >
      <form method="post" action={`${harnessPath(harness.id)}/routing/fallbacks`}>
        <Area
          name="fallbacks"
          label="One a line"
          code
          rows={Math.max(3, lines.length + 1)}
          value={form?.get("fallbacks") ?? lines.join("\n")}
          placeholder="openai/gpt-5.2 -> anthropic/claude-sonnet-5"
          fault={fault}
        />
        <button type="submit">Save</button>
      </form>
    </Card>
  );
}
