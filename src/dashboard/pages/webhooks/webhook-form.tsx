/** The form that adds a webhook, and what it says. */
import type { NewWebhook } from "../../../admin/routes/events/webhooks.ts";
import { type EventType, eventTypes, webhookStyles } from "../../../workspace/contract/events.ts";
import { eventTitle } from "../../../workspace/rules/events/event-sentence.ts";
import { Card, FormAlert } from "../../components/display.tsx";
import { Checkbox, Select, TextField } from "../../components/fields.tsx";
import { ActionForm } from "../../components/guarded.tsx";
import { field, type FieldError, fieldProblem } from "../../shared/forms.ts";
import type { Viewer } from "../../shared/page-context.ts";

/** When each event is sent. */
const occasions: Readonly<Record<EventType, string>> = {
  "limit.near": "80% of a limit is used, once per period.",
  "limit.reached": "A limit is used up, once per period.",
  "quota.near": "80% of the monthly quota is used.",
  "quota.reached": "The monthly quota is used up.",
  "provider.down": "Requests to a provider fail.",
  "provider.up": "A provider that was down works again.",
  "key.created": "Somebody created a key.",
  "key.revoked": "A key was revoked.",
  "key.expiring": "Seven days before a key expires.",
  "spend.unusual": "A day costs far more than in the four weeks before.",
  "storage.failing": "What requests cost cannot be saved: the disk is full or broken.",
};

/** What people do themselves every day: of no news to most. */
const routine: ReadonlySet<EventType> = new Set(["key.created", "key.revoked"]);

const styles = [
  { value: "", label: "Detect from the URL" },
  { value: "standard", label: "JSON (Standard Webhooks)" },
  { value: "slack", label: "Slack message" },
  { value: "discord", label: "Discord message" },
];

/** A form that was refused, and why. */
export interface RefusedWebhook {
  form?: URLSearchParams;
  error?: FieldError;
}

/** The form, for those who may add one. */
export function NewWebhookCard({ viewer, form, error }: RefusedWebhook & { viewer: Viewer }) {
  if (!viewer.allows("POST", "/dashboard/webhooks")) return null;
  return (
    <Card title="Add a webhook" lead="Your own server, or a Slack or Discord channel.">
      <FormAlert error={error} fields={["url", "style"]} />
      <ActionForm viewer={viewer} action="/dashboard/webhooks" autocomplete="off">
        <TextField
          name="url"
          label="URL"
          type="url"
          required
          value={form?.get("url") ?? ""}
          placeholder="https://hooks.slack.com/services/…"
          error={error}
          hint="In Slack: the URL of an incoming webhook. In Discord: the webhook URL."
        />
        <Select
          name="style"
          label="Format"
          value={form?.get("style") ?? ""}
          options={styles}
          error={error}
        />
        <fieldset class="row">
          <legend>Events</legend>
          {eventTypes.map((type) => (
            <Checkbox
              name={type}
              label={eventTitle(type)}
              checked={form === undefined ? !routine.has(type) : form.has(type)}
              hint={occasions[type]}
            />
          ))}
        </fieldset>
        <div class="buttons">
          <button type="submit" class="primary">
            Add webhook
          </button>
        </div>
      </ActionForm>
    </Card>
  );
}

/** What the form says; throws a problem where it says too little. */
export function webhookFrom(form: URLSearchParams): NewWebhook {
  const url = field(form, "url");
  if (url === "") throw fieldProblem("url", "enter the URL that events are sent to");
  const events = eventTypes.filter((type) => form.has(type));
  if (events.length === 0) throw fieldProblem(null, "Choose at least one event.");
  const chosen = webhookStyles.find((style) => style === field(form, "style"));
  return { url, events, style: chosen ?? styleOf(url) };
}

const hosts: readonly (readonly [host: RegExp, style: NewWebhook["style"]])[] = [
  [/^hooks\.slack(-gov)?\.com$/, "slack"],
  [/^(\w+\.)?discord(app)?\.com$/, "discord"],
];

/** The style that the receiver at that address wants. */
export function styleOf(url: string): NewWebhook["style"] {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return hosts.find(([pattern]) => pattern.test(host))?.[1] ?? "standard";
}
