/** All webhooks of the workspace, the form that adds one, and the secret of one that was added just now. */
import type { ShownWebhook } from "../../../admin/routes/events/webhooks.ts";
import {
  Alert,
  Badge,
  Card,
  CopyBlock,
  EmptyState,
  RelativeTime,
  Table,
} from "../../components/display.tsx";
import { ActionForm } from "../../components/guarded.tsx";
import { Page } from "../../components/frame/layout.tsx";
import type { Viewer } from "../../shared/page-context.ts";
import { NewWebhookCard, type RefusedWebhook } from "./webhook-form.tsx";
import { verifyInNode } from "./verify-snippet.ts";

/** What the list shows besides the webhooks. */
export interface WebhooksState extends RefusedWebhook {
  /** One that was added just now. */
  added?: { id: string; secret: string; style: ShownWebhook["style"] };
}

interface WebhooksProps extends WebhooksState {
  viewer: Viewer;
  webhooks: readonly ShownWebhook[];
}

/** What the styles are called. */
export const styleLabels: Readonly<Record<ShownWebhook["style"], string>> = {
  standard: "JSON",
  slack: "Slack",
  discord: "Discord",
};

/** All of it. */
export function WebhooksPage(props: WebhooksProps) {
  const { viewer, webhooks, added } = props;
  return (
    <Page viewer={viewer} title="Webhooks" lead={<Lead />}>
      {added === undefined ? null : <Added viewer={viewer} added={added} />}
      <Card>
        {webhooks.length === 0 ? (
          <EmptyState title="No webhooks yet.">
            <p>
              Send events about limits, quotas, providers and keys to Slack, Discord or your own
              server.
            </p>
          </EmptyState>
        ) : (
          <WebhookTable webhooks={webhooks} />
        )}
      </Card>
      <NewWebhookCard {...props} />
    </Page>
  );
}

function Lead() {
  return (
    <>
      Where <a href="/dashboard/notices">notices</a> are sent as they happen.
    </>
  );
}

function Added({ viewer, added }: { viewer: Viewer; added: NonNullable<WebhooksState["added"]> }) {
  const page = webhookPath(added.id);
  return (
    <Alert kind="good">
      <strong>Webhook added. Copy the signing secret now: it is shown only once.</strong>
      <CopyBlock text={added.secret} label="Signing secret" />
      <p class="hint">
        {added.style === "standard"
          ? "Your server uses it to check that requests come from this gateway."
          : `${styleLabels[added.style]} does not check signatures: you need it only for your own receiver.`}
      </p>
      <details>
        <summary>Verify signatures</summary>
        <p class="label">Node, after npm install standardwebhooks</p>
        <CopyBlock text={verifyInNode} label="Node" />
      </details>
      <ActionForm viewer={viewer} action={`${page}/test`} class="buttons">
        <button type="submit">Send test event</button>
      </ActionForm>
    </Alert>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly ShownWebhook[] }) {
  return (
    <Table
      caption="Webhooks"
      head={[
        "Receiver",
        { label: "Format", class: "mid" },
        { label: "Events", class: "num mid" },
        "Last delivery",
        { label: "Waiting", class: "num mid" },
        { label: "Failed", class: "num mid" },
      ]}
    >
      {webhooks.map((webhook) => (
        <tr>
          <td>
            <a class="anywhere" href={webhookPath(webhook.id)}>
              {shortUrl(webhook.url)}
            </a>
          </td>
          <td class="mid">{styleLabels[webhook.style]}</td>
          <td class="num mid">{webhook.events.length}</td>
          <td>
            <LastDelivery last={webhook.last} />
          </td>
          <td class="num mid">{webhook.waiting}</td>
          <td class="num mid">{webhook.failed}</td>
        </tr>
      ))}
    </Table>
  );
}

/** How the newest attempt ended, and when. */
function LastDelivery({ last }: { last: ShownWebhook["last"] }) {
  if (last === null) return <span class="muted">none yet</span>;
  return (
    <>
      <Badge tone={last.ok ? "good" : "bad"}>{last.ok ? "Delivered" : "Failed"}</Badge>
      <span class="sub">
        {`${last.status ?? "no answer"}, `}
        <RelativeTime iso={last.time} />
      </span>
    </>
  );
}

/** The page of a webhook. */
export function webhookPath(id: string): string {
  return `/dashboard/webhooks/${encodeURIComponent(id)}`;
}

const longestShown = 60;

/** Host and the beginning of the path. */
export function shortUrl(url: string): string {
  const text = url.replace(/^https:\/\//, "");
  return text.length <= longestShown ? text : `${text.slice(0, longestShown - 1)}…`;
}
