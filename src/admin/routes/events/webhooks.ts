/** Webhooks: where events of the workspace are sent, whether they arrive, and sending them again. */
import * as z from "zod";
import { invalid, type Problem } from "../../../core/problem.ts";
import { newId } from "../../../lib/ids.ts";
import { type Reach, reachOf } from "../../../store/env.ts";
import { keyringOf } from "../../../store/keyring.ts";
import { mayDo } from "../../../store/roles.ts";
import { newWebhookSecret, sealWebhookSecret } from "../../../store/webhook-secrets.ts";
import {
  type Delivery,
  eventTypes,
  type Webhook,
  type WebhookView,
  webhookStyles,
} from "../../../workspace/contract/events.ts";
import { checkWebhookUrl } from "../../../workspace/rules/events/webhook-url.ts";
import { writeCursor } from "../../shared/cursor.ts";
import { defineRoute } from "../../shared/define-route.ts";
import { notFound } from "../../shared/errors.ts";
import { type AdminScope, askNewMethod, askWorkspace } from "../../shared/scope.ts";
import {
  eventPageOf,
  type EventPageQuery,
  eventPageSchema,
  eventView,
  eventViewSchema,
} from "./events.ts";

const longestUrl = 2048;

const newWebhookSchema = z.strictObject({
  url: z.string().min(1).max(longestUrl),
  events: z
    .array(z.enum(eventTypes))
    .min(1)
    .max(eventTypes.length)
    .refine((events) => new Set(events).size === events.length, "must not name an event twice"),
  style: z.enum(webhookStyles).default("standard"),
});
/** What may be said of a webhook that is to be added. */
export type NewWebhook = z.infer<typeof newWebhookSchema>;

const webhookFields = {
  id: z.string(),
  /** For those who may not change it without its path, which is a secret at Slack and Discord. */
  url: z.string(),
  events: z.array(z.enum(eventTypes)),
  style: z.enum(webhookStyles),
  created_at: z.string(),
};

const createdWebhookSchema = z.strictObject({
  ...webhookFields,
  /** Verifies signatures: `whsec_…`, shown this once. */
  secret: z.string(),
});
type CreatedWebhook = z.infer<typeof createdWebhookSchema>;

const shownWebhookSchema = z.strictObject({
  ...webhookFields,
  /** Deliveries that wait to be sent, and those that were given up. */
  waiting: z.number(),
  failed: z.number(),
  /** The newest attempt; null before the first. */
  last: z
    .strictObject({ time: z.string(), status: z.number().nullable(), ok: z.boolean() })
    .nullable(),
});
/** A webhook as it is shown. */
export type ShownWebhook = z.infer<typeof shownWebhookSchema>;

const shownDeliverySchema = z.strictObject({
  n: z.number(),
  event: eventViewSchema,
  /** `waiting`: it is sent, or sent again, at `next_at`; `failed`: given up. */
  state: z.enum(["waiting", "delivered", "failed"]),
  attempts: z.number(),
  /** Of the newest attempt; the receiver's status is null where none came. */
  last_at: z.string().nullable(),
  status: z.number().nullable(),
  /** Why it did not arrive. */
  error: z.string().nullable(),
  /** Null where nothing more is tried. */
  next_at: z.string().nullable(),
});
/** A delivery as it is shown. */
export type ShownDelivery = z.infer<typeof shownDeliverySchema>;

const deliveryListSchema = z.strictObject({
  data: z.array(shownDeliverySchema),
  /** For `before`; missing at the end. */
  next: z.string().optional(),
});
/** Deliveries, newest first. */
export type DeliveryList = z.infer<typeof deliveryListSchema>;

/** Adds a webhook; 400 for an address that nothing may be sent to, and where there are 20 already. */
export async function addWebhook(
  scope: AdminScope,
  { url: text, events, style }: NewWebhook,
): Promise<CreatedWebhook> {
  const { env, workspace, caller } = scope;
  const url = webhookAddress(text, reachOf(env));
  const secret = newWebhookSecret();
  const id = newId("whk_");
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const sealed = await sealWebhookSecret(secret, { workspace, id }, ring);
  const created_at = new Date().toISOString();
  const webhook: Webhook = { id, url, events, style, created_at, sealed_secret: sealed };
  const added = await askWorkspace(scope, (stub) => stub.addWebhook(webhook, caller.actor));
  if (!added) throw invalid("webhooks", "at most 20 are allowed; delete one first");
  return { id, url, events, style, created_at, secret };
}

/** As it is stored. Throws M303 for a private one where providers may have none either, M300 for any other fault. */
function webhookAddress(text: string, reach: Reach): string {
  const { href } = checkWebhookUrl(text, reach);
  if (text.includes("#")) throw invalid("url", "must not have a fragment (#…)");
  if (href.length > longestUrl) throw invalid("url", `must have at most ${longestUrl} characters`);
  return href;
}

/** All of them, oldest first. */
export async function listWebhooks(scope: AdminScope): Promise<ShownWebhook[]> {
  const found = await askNewMethod<WebhookView[]>(
    scope,
    (stub) => stub.webhooks(),
    async () => [],
  );
  const seesAddress = mayDo(scope.caller.role, "write");
  return found.map((webhook) => shownWebhook(webhook, seesAddress));
}

function shownWebhook(webhook: WebhookView, seesAddress: boolean): ShownWebhook {
  const { id, url, events, style, created_at, waiting, failed, last } = webhook;
  const shown = { id, url: seesAddress ? url : maskedUrl(url), events: [...events] };
  return { ...shown, style, created_at, waiting, failed, last };
}

/** `https://hooks.slack.com/***`: who knows the path may post there. */
export function maskedUrl(url: string): string {
  return `${new URL(url).origin}/***`;
}

/** Deletes a webhook and what waits for it; 404 when there is none of that id. */
export async function deleteWebhook(scope: AdminScope, id: string): Promise<void> {
  const { actor } = scope.caller;
  const deleted = await askWorkspace(scope, (stub) => stub.deleteWebhook(id, actor));
  if (!deleted) throw noWebhook(id);
}

/** Sends a test event at once. The delivery says whether it arrived; 404 when there is no such webhook. */
export async function testWebhook(scope: AdminScope, id: string): Promise<ShownDelivery> {
  const { actor } = scope.caller;
  const delivery = await askWorkspace(scope, (stub) => stub.testWebhook(id, actor));
  if (delivery === undefined) throw noWebhook(id);
  return shownDelivery(delivery);
}

/** One page of deliveries; 404 when there is no such webhook. */
export async function listDeliveries(
  scope: AdminScope,
  id: string,
  query: EventPageQuery,
): Promise<DeliveryList> {
  const asked = eventPageOf(query);
  const page = await askWorkspace(scope, (stub) => stub.deliveries(id, asked));
  if (page === undefined) throw noWebhook(id);
  const { deliveries, next } = page;
  return {
    data: deliveries.map(shownDelivery),
    ...(next !== null && { next: writeCursor(next) }),
  };
}

/** Sends a delivery once more, at once; 404 when there is none of that number. */
export async function retryDelivery(
  scope: AdminScope,
  id: string,
  n: string,
): Promise<ShownDelivery> {
  const { actor } = scope.caller;
  const delivery = /^\d{1,15}$/.test(n)
    ? await askWorkspace(scope, (stub) => stub.retryDelivery(id, Number(n), actor))
    : undefined;
  if (delivery === undefined)
    throw notFound(`There is no delivery ${JSON.stringify(n)} of that webhook`);
  return shownDelivery(delivery);
}

function shownDelivery(delivery: Delivery): ShownDelivery {
  const { n, event, state, attempts, last_at, status, error, next_at } = delivery;
  return { n, event: eventView(event), state, attempts, last_at, status, error, next_at };
}

function noWebhook(id: string): Problem {
  return notFound(`There is no webhook ${JSON.stringify(id)}`);
}

/** The routes of webhooks. */
export const adminWebhookRoutes = [
  defineRoute(
    {
      method: "GET",
      path: "/api/webhooks",
      summary: "The workspace's webhooks and their deliveries",
      access: "read",
      status: 200,
      answer: z.strictObject({ data: z.array(shownWebhookSchema) }),
    },
    async (_input, { scope }) => ({ data: await listWebhooks(scope) }),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/webhooks",
      summary: "Add a webhook; its signing secret is shown only once",
      access: "write",
      body: { schema: newWebhookSchema },
      status: 201,
      answer: createdWebhookSchema,
    },
    ({ body }, { scope }) => addWebhook(scope, body),
  ),
  defineRoute(
    {
      method: "DELETE",
      path: "/api/webhooks/{id}",
      summary: "Delete a webhook and its waiting deliveries",
      access: "write",
      status: 204,
    },
    ({ params }, { scope }) => deleteWebhook(scope, params.id),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/webhooks/{id}/test",
      summary: "Send a test event now; the response says whether it arrived",
      access: "write",
      status: 200,
      answer: shownDeliverySchema,
    },
    ({ params }, { scope }) => testWebhook(scope, params.id),
  ),
  defineRoute(
    {
      method: "GET",
      path: "/api/webhooks/{id}/deliveries",
      summary: "Deliveries of a webhook, newest first",
      access: "read",
      query: eventPageSchema,
      status: 200,
      answer: deliveryListSchema,
    },
    ({ params, query }, { scope }) => listDeliveries(scope, params.id, query),
  ),
  defineRoute(
    {
      method: "POST",
      path: "/api/webhooks/{id}/deliveries/{n}/retry",
      summary: "Send a delivery again now; the response says whether it arrived",
      access: "write",
      status: 200,
      answer: shownDeliverySchema,
    },
    ({ params }, { scope }) => retryDelivery(scope, params.id, params.n),
  ),
] as const;
