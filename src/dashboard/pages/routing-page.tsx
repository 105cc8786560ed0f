/** The page of a harness's routing. */
import type { JsonObject } from "../../lib/json.ts";
import type { HarnessEntry } from "../../store/config.ts";
import type { ShownTier } from "../api/models.ts";
import { Area, Check, Field, Pick } from "../fields.tsx";
import type { Fault } from "../forms.ts";
import { Icon } from "../icons.tsx";
import { Badge, Card, FormFault, ModelName, Table } from "../parts.tsx";
import type { Scene } from "../scene.ts";
import { HarnessFrame, harnessPath } from "./harness-frame.tsx";
import { Explained } from "./routing-why.tsx";

interface RoutingProps {
  scene: Scene;
  harness: HarnessEntry;
  tiers: readonly ShownTier[];
  models: readonly string[];
  fault?: Fault;
  form?: URLSearchParams;
  decided?: JsonObject;
}

export function RoutingPage(props: RoutingProps) {
  const { scene, harness, models } = props;
  return (
    <HarnessFrame scene={scene} harness={harness} tab="/routing">
      <datalist id="model-ids">
        {models.slice(0, 1000).map((id) => (
          <option value={id}></option>
        ))}
      </datalist>
      <Tiers {...props} />
      <DryRun {...props} />
      <Rules {...props} />
      <Fallbacks {...props} />
    </HarnessFrame>
  );
}

const qualities = [
  { value: "eco", label: "Eco", hint: "Cheaper models wherever they probably do" },
  { value: "balanced", label: "Balanced", hint: "The usual" },
  { value: "quality", label: "Quality", hint: "Stronger models when in doubt" },
];

const tierHints: Record<string, string> = {
  simple: "Small talk, look-ups, titles, single edits",
  standard: "Everyday work",
  complex: "Work over several files, long reasoning with tools",
  reasoning: "Proofs, hard bugs, plans",
  default: "Everything, while routing is off",
};

function Tiers({ harness, tiers, fault }: RoutingProps) {
  const { routing } = harness;
  return (
    <Card
      title="Tiers"
      lead="What auto chooses from. First is the primary, the rest are its fallbacks."
    >
      <FormFault
        fault={fault}
        fields={[
          ...tiers.map(({ tier }) => `add.${tier}`),
          "prompt",
          "fallbacks",
          "name",
          "header",
          "models",
          "value",
        ]}
      />
      <form method="post" action={`${harnessPath(harness.id)}/routing`} id="tiers" data-chains>
        <button
          type="submit"
          class="hidden"
          name="do"
          value="save"
          tabindex={-1}
          aria-hidden="true"
        >
          Save
        </button>
        <Check
          name="auto"
          label="Choose the tier by the request"
          checked={routing?.auto !== false}
          hint="Off: auto is always the tier default."
        />
        <fieldset class="segments">
          <legend>Quality</legend>
          {qualities.map(({ value, label, hint }) => (
            <label title={hint}>
              <input
                type="radio"
                name="quality"
                value={value}
                checked={(routing?.quality ?? "balanced") === value}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
        <Check
          name="learning"
          label="Learn from outcomes"
          checked={routing?.learning === true}
          hint="Moves the tiers' borders when answers fail or are asked again."
        />
        <p>
          <button type="submit" name="do" value="save" class="primary">
            Save
          </button>
        </p>
        <div class="chains">
          {tiers.map((tier) => (
            <Chain tier={tier} configured={configuredOf(harness, tier.tier)} fault={fault} />
          ))}
        </div>
      </form>
    </Card>
  );
}

function configuredOf(harness: HarnessEntry, tier: string): string[] {
  const chains: Record<string, string[] | undefined> = harness.routing?.tiers ?? {};
  return chains[tier] ?? [];
}

interface ChainProps {
  tier: ShownTier;
  configured: readonly string[];
  fault: Fault | undefined;
}

function Chain({ tier, configured, fault }: ChainProps) {
  const name = tier.tier;
  const filled = configured.length === 0;
  return (
    <section class="chain" id={`tier-${name}`} aria-label={`Tier ${name}`}>
      <h3>
        {name}{" "}
        <Badge tone={filled ? "plain" : "accent"}>{filled ? "automatic" : "your choice"}</Badge>
      </h3>
      <p class="hint">{tierHints[name]}</p>
      {filled ? (
        <>
          <ol class="chain-list filled">
            {tier.models.map((id) => (
              <li>
                <ModelName id={id} />
              </li>
            ))}
          </ol>
          <p class="hint">
            {tier.models.length === 0 ? "No connected model can serve it." : tier.why}
          </p>
        </>
      ) : (
        <ol class="chain-list" data-sortable>
          {configured.map((id, index) => (
            <ChainItem {...{ id, index, name, last: index === configured.length - 1 }} />
          ))}
        </ol>
      )}
      <div class="add">
        <Field
          name={`add.${name}`}
          label={filled ? "Choose yourself, beginning with" : "Add a fallback"}
          list="model-ids"
          placeholder="provider/model"
          fault={fault}
        />
        <button
          type="submit"
          name="do"
          value={`add ${name}`}
          class="small"
          aria-label={`Add to ${name}`}
        >
          <Icon name="plus" /> Add
        </button>
      </div>
    </section>
  );
}

function ChainItem(props: { id: string; index: number; name: string; last: boolean }) {
  const { id, index, name, last } = props;
  return (
    <li>
      <input type="hidden" name={`tier.${name}`} value={id} />
      <span class="grip" aria-hidden="true">
        <Icon name="grip" />
      </span>
      <ModelName id={id} />
      <span class="chain-buttons">
        <button
          type="submit"
          name="do"
          value={`up ${name} ${index}`}
          class="icon-button"
          disabled={index === 0}
          aria-label={`Move ${id} up`}
        >
          <Icon name="up" />
        </button>
        <button
          type="submit"
          name="do"
          value={`down ${name} ${index}`}
          class="icon-button"
          disabled={last}
          aria-label={`Move ${id} down`}
        >
          <Icon name="down" />
        </button>
        <button
          type="submit"
          name="do"
          value={`remove ${name} ${index}`}
          class="icon-button"
          aria-label={`Remove ${id} from ${name}`}
        >
          <Icon name="cross" />
        </button>
      </span>
    </li>
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
