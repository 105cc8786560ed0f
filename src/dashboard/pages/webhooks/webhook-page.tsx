/** One webhook: what it is, a test, and the log of its deliveries. */
import type {
  DeliveryList,
  ShownDelivery,
  ShownWebhook,
} from "../../../admin/routes/events/webhooks.ts";
import { eventTitle } from "../../../workspace/rules/events/event-sentence.ts";
import {
  Alert,
  Badge,
  Card,
  EmptyState,
  Table,
  Timestamp,
  type Tone,
} from "../../components/display.tsx";
import { Facts } from "../../components/facts.tsx";
import { ActionForm, ActionLink } from "../../components/guarded.tsx";
import { Page } from "../../components/frame/layout.tsx";
import { OlderPages } from "../../components/older-pages.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { timeAway } from "../../shared/readable-values.ts";
import { shortUrl, styleLabels, webhookPath } from "./webhook-list.tsx";

interface WebhookProps {
  viewer: Viewer;
  webhook: ShownWebhook;
  deliveries: DeliveryList;
  timezone: string;
  /** A delivery that was sent just now. */
  sent?: ShownDelivery;
  /** Cursor of the page of deliveries; undefined for the newest. */
  before: string | undefined;
}

/** All of it. */
export function WebhookPage(props: WebhookProps) {
  const { viewer, webhook, sent } = props;
  const page = webhookPath(webhook.id);
  return (
    <Page
      viewer={viewer}
      title={shortUrl(webhook.url)}
      lead={
        <>
          <a href="/dashboard/webhooks">Webhooks</a> / {webhook.url}
        </>
      }
      actions={
        <>
          <ActionForm viewer={viewer} action={`${page}/test`}>
            <button type="submit">Send test event</button>
          </ActionForm>
          <ActionLink viewer={viewer} class="danger" href={`${page}/delete`}>
            Delete…
          </ActionLink>
        </>
      }
    >
      {sent === undefined ? null : <Outcome delivery={sent} />}
      <WebhookFacts {...props} />
      <DeliveriesCard {...props} />
    </Page>
  );
}

function WebhookFacts({ webhook, timezone }: WebhookProps) {
  const { style, events, created_at: created, waiting, failed } = webhook;
  return (
    <Facts
      facts={[
        ["Format", styleLabels[style]],
        ["Added", <Timestamp iso={created} timezone={timezone} full />],
        ["Waiting", String(waiting)],
        ["Failed", String(failed)],
        ["Events", events.map((type) => eventTitle(type)).join(", ")],
      ]}
    />
  );
}

/** How a delivery that was sent at once ended. */
function Outcome({ delivery }: { delivery: ShownDelivery }) {
  const { state, status, error, next_at: next, event } = delivery;
  const what = event.type === "test" ? "Test event" : "Event";
  if (state === "delivered")
    return (
      <Alert kind="good">
        <strong>{`${what} delivered:`}</strong> {`the receiver answered ${status}.`}
      </Alert>
    );
  return (
    <Alert kind="bad">
      <strong>{`${what} not delivered:`}</strong> <span class="anywhere">{`${error}.`}</span>{" "}
      {next === null ? "" : `It is sent again ${timeAway(next)}.`}
    </Alert>
  );
}

function DeliveriesCard(props: WebhookProps) {
  const { deliveries, webhook, before } = props;
  return (
    <Card title="Deliveries" lead="Each event arrives at least once; one that fails is sent again.">
      {deliveries.data.length === 0 ? (
        <EmptyState title="Nothing was sent yet.">
          <p>A test event shows whether the receiver answers.</p>
        </EmptyState>
      ) : (
        <Table
          caption="Deliveries, newest first"
          head={[
            "Event",
            "State",
            { label: "Attempts", class: "num mid" },
            { label: "Next attempt", class: "mid" },
            { label: <span class="hidden">Action</span>, class: "num" },
          ]}
        >
          {deliveries.data.map((delivery) => (
            <DeliveryRow delivery={delivery} {...props} />
          ))}
        </Table>
      )}
      <OlderPages
        base={webhookPath(webhook.id)}
        before={before}
        next={deliveries.next}
        things="deliveries"
      />
    </Card>
  );
}

const states: Readonly<Record<ShownDelivery["state"], { tone: Tone; label: string }>> = {
  waiting: { tone: "warn", label: "Waiting" },
  delivered: { tone: "good", label: "Delivered" },
  failed: { tone: "bad", label: "Failed" },
};

function DeliveryRow({
  delivery,
  viewer,
  webhook,
  timezone,
}: WebhookProps & { delivery: ShownDelivery }) {
  const { n, event, state, attempts, status, error, last_at: last, next_at: next } = delivery;
  const { tone, label } = states[state];
  const title = eventTitle(event.type);
  return (
    <tr>
      <td>
        {title}
        <span class="sub">
          <Timestamp iso={event.time} timezone={timezone} />
        </span>
      </td>
      <td class="roomy">
        <Badge tone={tone}>{label}</Badge>
        <span class="sub">{error ?? (status === null ? "" : `answered ${status}`)}</span>
      </td>
      <td class="num mid">
        {attempts}
        {last === null ? null : (
          <span class="sub nowrap">
            <Timestamp iso={last} timezone={timezone} />
          </span>
        )}
      </td>
      <td class="mid nowrap">{next === null ? <span class="muted">none</span> : timeAway(next)}</td>
      <td class="num">
        <ActionForm viewer={viewer} action={`${webhookPath(webhook.id)}/deliveries/${n}/retry`}>
          <button type="submit" class="small" aria-label={`Send again: ${title}, delivery ${n}`}>
            Send again
          </button>
        </ActionForm>
      </td>
    </tr>
  );
}
