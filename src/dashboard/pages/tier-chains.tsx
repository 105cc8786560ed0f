/** The tiers of a harness: chains by keyboard and by drag, what fills them otherwise, and why. */
import type { HarnessEntry } from "../../store/config.ts";
import type { TierView } from "../../admin/routes/routing.ts";
import { Check, Field } from "../fields.tsx";
import type { Fault } from "../shared/forms.ts";
import { Icon } from "../icons.tsx";
import { Badge, Card, FormFault, ModelName } from "../parts.tsx";
import { harnessPath } from "./harness-frame.tsx";

interface TiersProps {
  harness: HarnessEntry;
  tiers: readonly TierView[];
  fault?: Fault;
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

export function Tiers({ harness, tiers, fault }: TiersProps) {
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
  tier: TierView;
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
