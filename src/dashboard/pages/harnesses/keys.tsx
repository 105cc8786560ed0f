/** A harness's keys. A new key is shown once, on the page that creates it. */
import type { HarnessEntry } from "../../../store/config.ts";
import type { KeyView } from "../../../admin/routes/keys.ts";
import { TextField } from "../../components/fields.tsx";
import type { FieldError } from "../../shared/forms.ts";
import { Icon } from "../../shared/icons.tsx";
import {
  RelativeTime,
  Badge,
  Card,
  CopyBlock,
  EmptyState,
  FormAlert,
  Table,
  Timestamp,
} from "../../components/display.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./shared/harness-frame.tsx";

interface KeysProps {
  viewer: Viewer;
  harness: HarnessEntry;
  keys: readonly KeyView[];
  timezone: string;
  error?: FieldError;
  created?: { name: string; key: string };
}

/** The keys of one harness; `created` is the one that was created just now. */
export function KeysPage({ viewer, harness, keys, timezone, error, created }: KeysProps) {
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
              { label: "Created", class: "mid" },
              { label: "Last used", class: "mid" },
              "Expires",
              { label: "", class: "num" },
            ]}
          >
            {keys.map((key) => (
              <KeyRow {...{ key_: key, base, timezone }} />
            ))}
          </Table>
        )}
      </Card>
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

function KeyRow({ key_: key, base, timezone }: { key_: KeyView; base: string; timezone: string }) {
  const expired = key.expires_at !== null && Date.parse(key.expires_at) <= Date.now();
  return (
    <tr>
      <td>{key.name === "" ? <span class="muted">unnamed</span> : key.name}</td>
      <td class="nowrap">
        <code>…{key.last4}</code>
      </td>
      <td class="mid nowrap">
        <Timestamp iso={key.created_at} timezone={timezone} />
      </td>
      <td class="mid nowrap">
        <RelativeTime iso={key.last_used_at} />
      </td>
      <td class="nowrap">
        {expired ? (
          <Badge tone="bad">expired</Badge>
        ) : key.expires_at === null ? (
          "never"
        ) : (
          <RelativeTime iso={key.expires_at} />
        )}
      </td>
      <td class="num">
        <a
          class="button small danger"
          href={`${base}/keys/${encodeURIComponent(key.id)}/delete`}
          aria-label={`Revoke the key ending in ${key.last4}`}
        >
          Revoke
        </a>
      </td>
    </tr>
  );
}
