/** The tiers of a harness: chains to edit by keyboard or drag, and what fills the tiers without one. */
import { SettingsForm } from "../../../components/guarded.tsx";
import type { Visitor } from "../../../shared/page-context.ts";
import type { HarnessEntry } from "../../../../store/config.ts";
import type { TierView } from "../../../../admin/routes/requests/routing.ts";
import { Checkbox, TextField } from "../../../components/fields.tsx";
import type { FieldError } from "../../../shared/forms.ts";
import { Icon } from "../../../shared/icons.tsx";
import { Badge, Card, FormAlert, ModelName } from "../../../components/display.tsx";
import { harnessPath } from "../shared/harness-frame.tsx";

interface TiersProps {
  viewer: Visitor;
  harness: HarnessEntry;
  tiers: readonly TierView[];
  error?: FieldError;
}

const qualities = [
  { value: "eco", label: "Eco", hint: "Cheaper models where they are probably good enough" },
  { value: "balanced", label: "Balanced", hint: "The default" },
  { value: "quality", label: "Quality", hint: "Stronger models when in doubt" },
];

const tierHints: Record<string, string> = {
  simple: "Small talk, lookups, titles, single edits",
  standard: "Everyday work",
  complex: "Work across several files, long reasoning with tools",
  reasoning: "Proofs, hard bugs, plans",
  default: "Every request for auto while automatic routing is off",
};

/** The form of all tiers; each of its buttons saves. */
export function TiersCard({ viewer, harness, tiers, error }: TiersProps) {
  const { routing } = harness;
  return (
    <Card
      title="Tiers"
      lead={
        <>
          The models that <code>auto</code> chooses from. The first is the primary, the others are
          its fallbacks.
        </>
      }
    >
      <FormAlert
        error={error}
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
      <SettingsForm
        viewer={viewer}
        action={`${harnessPath(harness.id)}/routing`}
        id="tiers"
        data-chains
      >
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
        <Checkbox
          name="auto"
          label="Choose a tier for each request"
          checked={routing?.auto !== false}
          hint={
            <>
              When off, <code>auto</code> uses the default tier.
            </>
          }
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
        <Checkbox
          name="learning"
          label="Learn from outcomes"
          checked={routing?.learning === true}
          hint="Shifts tier thresholds when responses fail or requests are repeated."
        />
        <p>
          <button type="submit" name="do" value="save" class="primary">
            Save
          </button>
        </p>
        <div class="chains">
          {tiers.map((tier) => (
            <Chain tier={tier} configured={configuredOf(harness, tier.tier)} error={error} />
          ))}
        </div>
      </SettingsForm>
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
  error: FieldError | undefined;
}

function Chain({ tier, configured, error }: ChainProps) {
  const name = tier.tier;
  const filled = configured.length === 0;
  return (
    <section class="chain" id={`tier-${name}`} aria-label={`Tier ${name}`}>
      <h3>
        {name} <Badge tone={filled ? "plain" : "accent"}>{filled ? "automatic" : "custom"}</Badge>
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
            {tier.models.length === 0 ? "No connected model fits this tier." : tier.why}
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
        <TextField
          name={`add.${name}`}
          label={filled ? "Override with" : "Add a fallback"}
          list="model-ids"
          placeholder="provider/model"
          error={error}
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
