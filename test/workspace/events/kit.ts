/** Short names for events and webhooks in tests that run in workerd. */
import { runInDurableObject } from "cloudflare:test";
import { expect } from "vitest";
import { keyringOf } from "../../../src/store/keyring.ts";
import { newWebhookSecret, sealWebhookSecret } from "../../../src/store/webhook-secrets.ts";
import {
  type EventType,
  eventTypes,
  type Webhook,
  type WorkspaceEvent,
} from "../../../src/workspace/contract/events.ts";
import { env, object } from "../workers-kit.ts";

export interface TestWebhook {
  id: string;
  secret: string;
  record: Webhook;
}

/** A webhook that is told of everything, sealed as the admin API does it. */
export async function madeWebhook(
  workspace: string,
  url: string,
  more: Partial<Webhook> = {},
): Promise<TestWebhook> {
  const id = `wh_${crypto.randomUUID().slice(0, 8)}`;
  const secret = newWebhookSecret();
  const ring = await keyringOf(env.ENCRYPTION_KEY);
  const record: Webhook = {
    id,
    url,
    events: [...eventTypes],
    style: "standard",
    created_at: new Date().toISOString(),
    sealed_secret: await sealWebhookSecret(secret, { workspace, id }, ring),
    ...more,
  };
  return { id, secret, record };
}

export async function addedWebhook(
  workspace: string,
  url: string,
  more: Partial<Webhook> = {},
): Promise<TestWebhook> {
  const made = await madeWebhook(workspace, url, more);
  expect(await object(workspace).addWebhook(made.record)).toBe(true);
  return made;
}

/** Oldest first. */
export async function eventsOf(workspace: string, type?: EventType): Promise<WorkspaceEvent[]> {
  const { events } = await object(workspace).events({ limit: 500 });
  const found = type === undefined ? events : events.filter((event) => event.type === type);
  return found.reverse();
}

export async function typesOf(workspace: string): Promise<string[]> {
  return (await eventsOf(workspace)).map(({ type }) => type);
}

/** Runs in the object, with its storage. */
export async function inObject<Result>(
  workspace: string,
  work: (storage: DurableObjectStorage) => Promise<Result> | Result,
): Promise<Result> {
  const stub = env.WORKSPACE.get(env.WORKSPACE.idFromName(workspace));
  return await runInDurableObject(stub, (_instance, { storage }) => work(storage));
}
