/** One key: whose it is, until when it works, what it may reach and use. */
import type { HarnessEntry } from "../../../../store/config.ts";
import type { KeyView } from "../../../../admin/routes/document/keys.ts";
import type { BlockView } from "../../../../admin/routes/usage/limits.ts";
import { AllowedModels } from "../../../components/allowed-models.tsx";
import { Card, FormAlert, RelativeTime, Timestamp } from "../../../components/display.tsx";
import { type Fact, Facts } from "../../../components/facts.tsx";
import { TextField } from "../../../components/fields.tsx";
import { ActionLink, SettingsForm } from "../../../components/guarded.tsx";
import { LimitsCard, type ShownLimit } from "../../../components/limits.tsx";
import type { FieldError } from "../../../shared/forms.ts";
import type { RefusedLimit } from "../../../shared/limit-changes.ts";
import type { LimitChange } from "../../../shared/limit-undo.ts";
import type { Viewer } from "../../../shared/page-context.ts";
import type { PeopleNames } from "../../../shared/people-names.ts";
import { HarnessFrame, harnessPath } from "../shared/harness-frame.tsx";

interface KeyPageProps {
  viewer: Viewer;
  harness: HarnessEntry;
  shown: KeyView;
  people: PeopleNames;
  timezone: string;
  limits: readonly ShownLimit[];
  blocks: readonly BlockView[];
  /** What was changed of them just before. */
  change: LimitChange | undefined;
  /** Ids of models to choose from. */
  known: readonly string[];
  /** The key of the limit to change. */
  edited: string;
  form?: URLSearchParams;
  error?: FieldError;
  limit?: RefusedLimit;
}

/** All of it. */
export function KeyPage(props: KeyPageProps) {
  const { viewer, harness, shown, limit, limits, blocks, change, timezone, edited } = props;
  const page = `${harnessPath(harness.id)}/keys/${encodeURIComponent(shown.id)}`;
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="">
      <Card
        title={shown.name === "" ? "Unnamed key" : shown.name}
        actions={
          <ActionLink viewer={viewer} class="danger" href={`${page}/delete`}>
            Revoke…
          </ActionLink>
        }
      >
        <Facts facts={keyFacts(props)} />
        <KeyForm {...props} page={page} />
      </Card>
      <LimitsCard
        {...{ viewer, limits, blocks, change, timezone, edited, page, ...limit }}
        owner="this key"
        action={`${page}/limits`}
      />
    </HarnessFrame>
  );
}

function keyFacts({ shown, people, timezone }: KeyPageProps): Fact[] {
  return [
    ["Key", <code>…{shown.last4}</code>],
    ["Owner", shown.person === null ? "none" : people.nameOf(shown.person)],
    ["Created", <Timestamp iso={shown.created_at} timezone={timezone} full />],
    ["Last used", <RelativeTime iso={shown.last_used_at} />],
    ["Expires", shown.expires_at === null ? "never" : <RelativeTime iso={shown.expires_at} />],
  ];
}

function KeyForm(props: KeyPageProps & { page: string }) {
  const { viewer, shown, page, known, form, error } = props;
  return (
    <>
      <FormAlert error={error} fields={["name", "expires_at", "models"]} />
      <SettingsForm viewer={viewer} action={page}>
        <TextField name="name" label="Name" value={form?.get("name") ?? shown.name} error={error} />
        <TextField
          name="expires_at"
          label="Expires (UTC, optional)"
          type="datetime-local"
          value={form?.get("expires_at") ?? shown.expires_at?.slice(0, 16)}
          error={error}
        />
        <AllowedModels
          models={shown.models}
          otherwise={`every model of its ${viewer.words.holder}`}
          {...{ known, form, error }}
        />
        <button type="submit" class="primary">
          Save
        </button>
      </SettingsForm>
    </>
  );
}
