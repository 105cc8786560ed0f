/** Everything about the events of one workspace: the log of them, its webhooks, and what is on its way to them. */
import { type Env, variantOf } from "../../store/env.ts";
import { publicOrigin } from "../../store/public-origin.ts";
import type { Actor, AuditEvent } from "../contract/audit.ts";
import type { Delivery, DeliveryPage } from "../contract/events.ts";
import { webhookBackoff } from "../rules/backoff.ts";
import { findDelivery, pageDeliveries } from "../storage/deliveries.ts";
import { EventLog } from "./event-log.ts";
import { Outbox } from "./outbox.ts";
import { senderOf } from "./send.ts";
import { Webhooks } from "./webhooks.ts";

/** Who wakes the object, as far as events need it. */
export interface Waker {
  want(name: string, time: number | null, slack?: number): void;
  takes(name: string, now: number): boolean;
}

/** What events read and write. */
export interface WorkspaceEventsContext {
  workspace: string;
  storage: DurableObjectStorage;
  env: Env;
  alarm: Waker;
  audit: { note(by: Actor | undefined, deed: Omit<AuditEvent, "actor">): void };
}

const outboxWish = "outbox";

/** The events of a workspace. */
export class WorkspaceEvents {
  readonly log: EventLog;
  readonly webhooks: Webhooks;
  readonly #context: WorkspaceEventsContext;
  readonly #outbox: Outbox;

  constructor(context: WorkspaceEventsContext) {
    const { workspace, storage, env, alarm, audit } = context;
    this.#context = context;
    const note: WorkspaceEventsContext["audit"]["note"] = (by, deed) => audit.note(by, deed);
    this.webhooks = new Webhooks({ workspace, storage, note });
    const holder = variantOf(env) === "B" ? ("agent" as const) : ("harness" as const);
    const links = { origin: publicOrigin(env), holder };
    this.#outbox = new Outbox({
      workspace,
      storage,
      webhooks: this.webhooks,
      send: senderOf({ workspace, env, links }),
      backoff: webhookBackoff,
      now: Date.now,
      random: Math.random,
      arm: (time) => alarm.want(outboxWish, time),
    });
    this.log = new EventLog({ workspace, sql: storage.sql, outbox: this.#outbox });
  }

  /** Goes on with what an earlier instance left. */
  begin(): void {
    this.#outbox.wake();
  }

  /** The alarm rang. Whether it was for events. */
  ring(now: number): boolean {
    this.#outbox.wake();
    return this.#context.alarm.takes(outboxWish, now);
  }

  /** The workspace is being deleted: nothing is sent any more. */
  stop(): void {
    this.#outbox.stop();
  }

  /** See `WorkspaceObject.testWebhook`. */
  async test(id: string, by: Actor | undefined): Promise<Delivery | undefined> {
    const webhook = this.webhooks.get(id);
    if (webhook === undefined) return undefined;
    this.#note(by, { action: "webhook.tested", target: id });
    return await this.#outbox.test(webhook);
  }

  /** See `WorkspaceObject.retryDelivery`. */
  async retry(id: string, n: number, by: Actor | undefined): Promise<Delivery | undefined> {
    const webhook = this.webhooks.get(id);
    const { sql } = this.#context.storage;
    if (webhook === undefined || findDelivery(sql, id, n) === undefined) return undefined;
    this.#note(by, { action: "webhook.retried", target: id, after: { delivery: n } });
    return await this.#outbox.retry(webhook, n);
  }

  /** Newest first; undefined when there is no such webhook. */
  deliveries(id: string, page: { limit: number; before?: number }): DeliveryPage | undefined {
    if (this.webhooks.get(id) === undefined) return undefined;
    return pageDeliveries(this.#context.storage.sql, id, page);
  }

  #note(by: Actor | undefined, deed: Omit<AuditEvent, "actor">): void {
    this.#context.audit.note(by, deed);
  }
}
