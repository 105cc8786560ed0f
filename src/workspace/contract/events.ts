/** What people are told of a workspace, by notices on its pages and by webhooks. */

/** What can happen. The names are part of the admin API. */
export const eventTypes = [
  "limit.near",
  "limit.reached",
  "quota.near",
  "quota.reached",
  "provider.down",
  "provider.up",
  "key.created",
  "key.revoked",
  "key.expiring",
  "spend.unusual",
  "storage.failing",
] as const;

/** A kind of event. */
export type EventType = (typeof eventTypes)[number];

/** An event as it is kept, shown and sent. Its data holds no secret and no text of a request or an answer. */
export interface WorkspaceEvent {
  /** Its place: 1 for the first, growing. */
  seq: number;
  /** `evt_…`: the same in every delivery of it, by which receivers leave out what they have already. */
  id: string;
  type: EventType | "test";
  /** ISO 8601 UTC. */
  time: string;
  /** Facts by name, `workspace` first: numbers in the unit of what they count, USD for costs. */
  data: Record<string, string | number | boolean | null>;
}

/** How bodies are written: as Standard Webhooks say, or so that Slack or Discord show them as a message. */
export const webhookStyles = ["standard", "slack", "discord"] as const;

/** Where events are sent. */
export interface Webhook {
  id: string;
  url: string;
  /** The events that it gets. */
  events: EventType[];
  style: (typeof webhookStyles)[number];
  /** ISO 8601 UTC. */
  created_at: string;
  /** The signing secret, sealed. Never leaves the object. */
  sealed_secret: string;
}

/** A webhook as administrators see it. */
export interface WebhookView extends Omit<Webhook, "sealed_secret"> {
  /** Deliveries that wait to be sent, and those that were given up. */
  waiting: number;
  failed: number;
  /** The newest attempt; null before the first. */
  last: { time: string; status: number | null; ok: boolean } | null;
}

/** One event on its way to one webhook. */
export interface Delivery {
  /** Its number within the webhook, growing. */
  n: number;
  event: WorkspaceEvent;
  /** `waiting`: it is sent, or sent again, at `next_at`; `failed`: given up, after a day or because it was refused. */
  state: "waiting" | "delivered" | "failed";
  attempts: number;
  /** Of the newest attempt: ISO 8601 UTC; the receiver's status, null where none came. */
  last_at: string | null;
  status: number | null;
  /** Why it did not arrive: our own words, nothing of what the receiver said. */
  error: string | null;
  /** ISO 8601 UTC; null where nothing more is tried. */
  next_at: string | null;
}

/** Deliveries, newest first. */
export interface DeliveryPage {
  deliveries: Delivery[];
  /** For `before`; null at the end. */
  next: number | null;
}

/** Events, newest first. */
export interface EventPage {
  events: WorkspaceEvent[];
  /** For `before`; null at the end. */
  next: number | null;
}
