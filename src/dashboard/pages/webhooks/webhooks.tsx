/** Routes of webhooks: the list, one of them with its deliveries, testing, sending again, and deleting. */
import { readConfig } from "../../../admin/routes/document/config.ts";
import {
  addWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  retryDelivery,
  type ShownDelivery,
  type ShownWebhook,
  testWebhook,
} from "../../../admin/routes/events/webhooks.ts";
import { notFound } from "../../../admin/shared/errors.ts";
import { ConfirmPage } from "../../components/frame/confirm-page.tsx";
import { askedPage } from "../../components/older-pages.tsx";
import { formOf, tryChange } from "../../shared/forms.ts";
import { type PageApp, type PageContext, parameter } from "../../shared/page-context.ts";
import { webhookFrom } from "./webhook-form.tsx";
import { shortUrl, webhookPath, WebhooksPage, type WebhooksState } from "./webhook-list.tsx";
import { WebhookPage } from "./webhook-page.tsx";

/** Registers them. */
export function webhookRoutes(app: PageApp): void {
  app.get("/webhooks", (c) => showWebhooks(c, {}));
  app.post("/webhooks", addFrom);
  app.get("/webhooks/:id", (c) => showWebhook(c));
  app.post("/webhooks/:id/test", async (c) =>
    showWebhook(c, await testWebhook(c.var.viewer.scope, parameter(c, "id"))),
  );
  app.post("/webhooks/:id/deliveries/:n/retry", async (c) =>
    showWebhook(c, await retryDelivery(c.var.viewer.scope, parameter(c, "id"), parameter(c, "n"))),
  );
  app.get("/webhooks/:id/delete", confirmDeleting);
  app.post("/webhooks/:id/delete", async (c) => {
    await deleteWebhook(c.var.viewer.scope, parameter(c, "id"));
    return c.redirect("/dashboard/webhooks?done=webhook-deleted", 303);
  });
}

async function showWebhooks(c: PageContext, state: WebhooksState): Promise<Response> {
  const { viewer } = c.var;
  const webhooks = await listWebhooks(viewer.scope);
  const status = state.error === undefined ? 200 : 422;
  return c.html(<WebhooksPage {...{ viewer, webhooks, ...state }} />, status);
}

async function addFrom(c: PageContext): Promise<Response> {
  const form = await formOf(c.req.raw);
  const outcome = await tryChange(() => addWebhook(c.var.viewer.scope, webhookFrom(form)));
  if (!outcome.ok) return await showWebhooks(c, { form, error: outcome.error });
  // Not a redirect: the secret is shown in this response only.
  const { id, secret, style } = outcome.value;
  return await showWebhooks(c, { added: { id, secret, style } });
}

async function showWebhook(c: PageContext, sent?: ShownDelivery): Promise<Response> {
  const { viewer } = c.var;
  const { scope } = viewer;
  const query = askedPage(c);
  const [webhook, deliveries, config] = await Promise.all([
    webhookOf(c),
    listDeliveries(scope, parameter(c, "id"), query),
    readConfig(scope),
  ]);
  return c.html(
    <WebhookPage
      {...{ viewer, webhook, deliveries, ...(sent !== undefined && { sent }) }}
      before={query.before}
      timezone={config.timezone ?? "UTC"}
    />,
  );
}

async function confirmDeleting(c: PageContext): Promise<Response> {
  const { url, id, waiting } = await webhookOf(c);
  const lost = waiting === 0 ? "" : ` ${waiting} waiting deliveries are lost.`;
  return c.html(
    <ConfirmPage
      viewer={c.var.viewer}
      title={`Delete the webhook to ${shortUrl(url)}?`}
      text={`It gets no more events, and its delivery log is deleted.${lost}`}
      action={`${webhookPath(id)}/delete`}
      button="Delete webhook"
      back={webhookPath(id)}
    />,
  );
}

async function webhookOf(c: PageContext): Promise<ShownWebhook> {
  const webhooks = await listWebhooks(c.var.viewer.scope);
  const found = webhooks.find(({ id }) => id === parameter(c, "id"));
  if (found === undefined) throw notFound("This webhook does not exist.");
  return found;
}
