/** The page of a harness's routing: tiers, dry run, header rules, fallbacks, outcomes. */
import { ActionForm, SettingsForm } from "../../../components/guarded.tsx";
import type { HarnessEntry } from "../../../../store/config.ts";
import type { LearningView } from "../../../../admin/routes/requests/learning.ts";
import type { RoutingPreview, TierView } from "../../../../admin/routes/requests/routing.ts";
import { TextArea, TextField, Select } from "../../../components/fields.tsx";
import type { FieldError } from "../../../shared/forms.ts";
import { Badge, Card, Table } from "../../../components/display.tsx";
import type { Viewer } from "../../../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "../shared/harness-frame.tsx";
import { LearningCard } from "./learning.tsx";
import { DecisionNumbers } from "../../../components/routing-explanation.tsx";
import { RolesCard } from "./roles-card.tsx";
import { TiersCard } from "./tier-chains.tsx";
import { formatOptions } from "../../../shared/format-words.ts";

interface RoutingProps {
  viewer: Viewer;
  harness: HarnessEntry;
  tiers: readonly TierView[];
  models: readonly string[];
  learned: LearningView;
  error?: FieldError;
  form?: URLSearchParams;
  decision?: RoutingPreview;
}

/** All of it; `decision` is the result of a dry run. */
export function RoutingPage(props: RoutingProps) {
  const { viewer, harness, models } = props;
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="/routing">
      <datalist id="model-ids">
        {models.slice(0, 1000).map((id) => (
          <option value={id}></option>
        ))}
      </datalist>
      <TiersCard {...props} />
      <DryRun {...props} />
      <RolesCard {...props} />
      <HeaderRules {...props} />
      <Fallbacks {...props} />
      <LearningCard {...props} />
    </HarnessFrame>
  );
}

function DryRun({ viewer, harness, form, error, decision }: RoutingProps) {
  return (
    <Card
      id="try"
      title="Dry run"
      lead="See which model a prompt would get. Nothing is sent to a provider."
    >
      <ActionForm viewer={viewer} action={`${harnessPath(harness.id)}/routing/try#try`}>
        <TextArea
          name="prompt"
          label="Prompt, or a complete request body as JSON"
          rows={4}
          value={form?.get("prompt") ?? ""}
          error={error}
          placeholder="Find out why the build fails on Windows and fix it."
        />
        <div class="inline">
          <Select
            name="format"
            label="Format"
            value={form?.get("format") ?? "chat"}
            options={formatOptions}
          />
          <button type="submit" class="primary">
            Show decision
          </button>
        </div>
      </ActionForm>
      {decision === undefined ? null : (
        <div class="decided" role="status">
          <p>
            <span class="label">Tier</span> <Badge tone="accent">{decision.tier}</Badge>{" "}
            {decision.why}
          </p>
          <DecisionNumbers reason={decision.reason} decision={decision} />
        </div>
      )}
    </Card>
  );
}

function HeaderRules({ viewer, harness, form, error }: RoutingProps) {
  const rules = harness.routing?.headers ?? [];
  const base = `${harnessPath(harness.id)}/routing/rules`;
  return (
    <Card
      id="rules"
      title="Header rules"
      lead={
        <>
          A request for <code>auto</code> with this header goes to these models.
        </>
      }
    >
      {rules.length === 0 ? null : (
        <Table
          caption="Header rules"
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
                <ActionForm viewer={viewer} action={`${base}/delete`}>
                  <input type="hidden" name="index" value={String(index)} />
                  <input type="hidden" name="name" value={rule.name} />
                  <button
                    type="submit"
                    class="small danger"
                    aria-label={`Remove rule ${rule.name}`}
                  >
                    Remove
                  </button>
                </ActionForm>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {rules.length === 0 && !viewer.allows("POST", base) ? <p class="muted">None.</p> : null}
      <ActionForm viewer={viewer} action={base} class="inline">
        <TextField
          name="name"
          label="Name"
          value={form?.get("name") ?? ""}
          placeholder="nightly"
          error={error}
          required
        />
        <TextField
          name="header"
          label="Header"
          value={form?.get("header") ?? ""}
          placeholder="x-job"
          error={error}
          required
        />
        <TextField
          name="value"
          label="Value"
          value={form?.get("value") ?? ""}
          placeholder="nightly"
          error={error}
        />
        <TextField
          name="models"
          label="Models, comma-separated"
          list="model-ids"
          value={form?.get("models") ?? ""}
          placeholder="lab/qwen3"
          error={error}
          required
        />
        <button type="submit" class="primary">
          Add rule
        </button>
      </ActionForm>
    </Card>
  );
}

function Fallbacks({ viewer, harness, form, error }: RoutingProps) {
  const lines = Object.entries(harness.routing?.fallbacks ?? {}).map(
    ([model, others]) => `${model} -> ${others.join(", ")}`,
  );
  return (
    <Card
      id="fallbacks"
      title="Fallbacks for named models"
      lead="For models that a client requests by name. None by default."
    >
      <SettingsForm viewer={viewer} action={`${harnessPath(harness.id)}/routing/fallbacks`}>
        <TextArea
          name="fallbacks"
          label="One per line"
          code
          rows={Math.max(3, lines.length + 1)}
          value={form?.get("fallbacks") ?? lines.join("\n")}
          placeholder="openai/gpt-5.2 -> anthropic/claude-sonnet-5"
          error={error}
        />
        <button type="submit">Save</button>
      </SettingsForm>
    </Card>
  );
}
