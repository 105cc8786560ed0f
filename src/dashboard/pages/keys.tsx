/** A harness's keys. A key's text stands on the page that makes it, and nowhere after. */
import type { HarnessEntry } from "../../store/config.ts";
import type { KeyView } from "../../admin/routes/keys.ts";
import { Field } from "../fields.tsx";
import type { Fault } from "../shared/forms.ts";
import { Icon } from "../icons.tsx";
import { Ago, Badge, Card, Copy, Empty, FormFault, Table, Time } from "../parts.tsx";
import type { Viewer } from "../shared/page-context.ts";
import { HarnessFrame, harnessPath } from "./harness-frame.tsx";

interface KeysProps {
  viewer: Viewer;
  harness: HarnessEntry;
  keys: readonly KeyView[];
  timezone: string;
  fault?: Fault;
  made?: { name: string; key: string };
}

export function KeysPage({ viewer, harness, keys, timezone, fault, made }: KeysProps) {
  const base = harnessPath(harness.id);
  return (
    <HarnessFrame viewer={viewer} harness={harness} tab="">
      {made === undefined ? null : <MadeKey made={made} harness={harness} />}
      <Card title="Keys" lead="Clients send one of these. Only a fingerprint is stored here.">
        {keys.length === 0 ? (
          <Empty title="No key yet.">
            <p>Make one below; a client needs it to call this gateway.</p>
          </Empty>
        ) : (
          <Table
            caption="Keys"
            head={[
              "Name",
              "Key",
              { label: "Made", class: "mid" },
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
        <FormFault fault={fault} fields={["name", "expires_at"]} />
        <form method="post" action={`${base}/keys`} class="inline">
          <Field name="name" label="Name" placeholder="laptop" fault={fault} />
          <Field
            name="expires_at"
            label="Expires (UTC), or never"
            type="datetime-local"
            fault={fault}
          />
          <button type="submit" class="primary">
            <Icon name="plus" /> Make a key
          </button>
        </form>
      </Card>
    </HarnessFrame>
  );
}

function MadeKey({
  made,
  harness,
}: {
  made: { name: string; key: string };
  harness: HarnessEntry;
}) {
  return (
    <section class="alert good made" role="status">
      <strong>Your new key. It is shown this once: copy it now.</strong>
      <Copy text={made.key} label="Your new key" />
      <p>
        <a href={`/dashboard/connect?harness=${encodeURIComponent(harness.id)}`}>
          How to connect a client
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
        <Time iso={key.created_at} timezone={timezone} />
      </td>
      <td class="mid nowrap">
        <Ago iso={key.last_used_at} />
      </td>
      <td class="nowrap">
        {expired ? (
          <Badge tone="bad">expired</Badge>
        ) : key.expires_at === null ? (
          "never"
        ) : (
          <Ago iso={key.expires_at} />
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
