/** A harness's keys. A new key is shown once, on the page that creates it. */
import type { HarnessEntry } from "../../../../store/config.ts";
import type { KeyView } from "../../../../admin/routes/document/keys.ts";
import { TextField } from "../../../components/fields.tsx";
import type { FieldError } from "../../../shared/forms.ts";
import { Icon } from "../../../shared/icons.tsx";
import {
  RelativeTime,
  Badge,
  Card,
  CopyBlock,
  EmptyState,
  FormAlert,
  Table,
  Timestamp,
} from "../../../components/display.tsx";
import type { Viewer } from "../../../shared/page-context.ts";
import { ActionLink } from "../../../components/guarded.tsx";
import type { PeopleNames } from "../../../shared/people-names.ts";
import { HarnessFrame, harnessPath } from "../shared/harness-frame.tsx";

interface KeysProps {
  viewer: Viewer;
  harness: HarnessEntry;
  keys: readonly KeyView[];
  people: PeopleNames;
  timezone: string;
  error?: FieldError;
  created?: { name: string; key: string };
}

/** The keys of one harness; `created` is the one that was created just now. */
export function KeysPage(props: KeysProps) {
  const { viewer, harness, keys, error, created } = props;
  const base = harnessPath(harness.id);
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="">
      {created === undefined ? null : <NewKey created={created} harness={harness} />}
      <Card title="Keys" lead="Clients send one of these keys. Only a hash is stored.">
        {keys.length === 0 ? (
          <EmptyState title="No keys yet.">
            <p>Create one below. A client needs a key to send requests.</p>
          </EmptyState>
        ) : (
          <Table
            caption="Keys"
            head={[
              "Name",
              "Key",
              { label: "Owner", class: "mid" },
              { label: "Created", class: "mid" },
              { label: "Last used", class: "mid" },
              "Expires",
              { label: "", class: "num" },
            ]}
          >
            {keys.map((key) => (
              <KeyRow {...props} shown={key} />
            ))}
          </Table>
        )}
      </Card>
      {viewer.allows("POST", `${base}/keys`) ? (
        <Card title="New key">
          <FormAlert error={error} fields={["name", "expires_at"]} />
          <form method="post" action={`${base}/keys`} class="inline">
            <TextField name="name" label="Name" placeholder="laptop" error={error} />
            <TextField
              name="expires_at"
              label="Expires (UTC, optional)"
              type="datetime-local"
              error={error}
            />
            <button type="submit" class="primary">
              <Icon name="plus" /> Create key
            </button>
          </form>
        </Card>
      ) : null}
    </HarnessFrame>
  );
}

function NewKey({
  created,
  harness,
}: {
  created: { name: string; key: string };
  harness: HarnessEntry;
}) {
  return (
    <section class="alert good made" role="status">
      <strong>Copy your new key now: it is shown only once.</strong>
      <CopyBlock text={created.key} label="Your new key" />
      <p>
        <a href={`/dashboard/connect?harness=${encodeURIComponent(harness.id)}`}>
          Connect a client
        </a>
      </p>
    </section>
  );
}

function KeyRow({ shown, viewer, harness, people, timezone }: KeysProps & { shown: KeyView }) {
  const { name, last4, person, expires_at: expires } = shown;
  const path = `${harnessPath(harness.id)}/keys/${encodeURIComponent(shown.id)}`;
  return (
    <tr>
      <td>
        <a href={path}>{name === "" ? "unnamed" : name}</a>
        {shown.limits.length === 0 && shown.models === null ? null : (
          <span class="sub">{restrictionsOf(shown)}</span>
        )}
      </td>
      <td class="nowrap">
        <code>…{last4}</code>
      </td>
      <td class="mid anywhere">{person === null ? "–" : people.nameOf(person)}</td>
      <td class="mid nowrap">
        <Timestamp iso={shown.created_at} timezone={timezone} />
      </td>
      <td class="mid nowrap">
        <RelativeTime iso={shown.last_used_at} />
      </td>
      <td class="nowrap">
        {expires === null ? (
          "never"
        ) : Date.parse(expires) <= Date.now() ? (
          <Badge tone="bad">expired</Badge>
        ) : (
          <RelativeTime iso={expires} />
        )}
      </td>
      <td class="num">
        <ActionLink
          viewer={viewer}
          class="small danger"
          href={`${path}/delete`}
          aria-label={`Revoke the key ending in ${last4}`}
        >
          Revoke
        </ActionLink>
      </td>
    </tr>
  );
}

/** What the key may not do of what its harness may. */
function restrictionsOf({ limits, models }: KeyView): string {
  const parts = [
    ...(limits.length === 0 ? [] : [limits.length === 1 ? "1 limit" : `${limits.length} limits`]),
    ...(models === null ? [] : ["some models only"]),
  ];
  return parts.join(", ");
}
