/** Everything about the events of one workspace: the log of them, its webhooks, and what is on its way to them. */
import { type Env, variantOf } from "../../store/env.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import { publicOrigin } from "../../store/public-origin.ts";
import type { Actor, AuditEvent } from "../contract/audit.ts";
import type { Delivery, DeliveryPage } from "../contract/events.ts";
import { webhookBackoff } from "../rules/events/backoff.ts";
import { findDelivery, pageDeliveries } from "../storage/tables/deliveries.ts";
import { keyEventData } from "../rules/audit/key-facts.ts";
import { signInOfKey } from "../rules/sign-in-keys.ts";
import { EventLog } from "./event-log.ts";
import { KeyExpiry } from "./key-expiry.ts";
import { Outbox } from "./outbox.ts";
import { senderOf } from "./send.ts";
import { SpendWatch, type SpendWatchContext } from "./spend-watch.ts";
import { Told } from "./told.ts";
import { EventWatch, type WatchContext } from "./event-watch.ts";
import { Webhooks } from "./webhooks.ts";

/** Who wakes the object, as far as events need it. */
export interface Waker {
  want(name: string, time: number | null, slack?: number): void;
  takes(name: string, now: number): boolean;
}

/** What events read and write. */
export interface WorkspaceEventsContext extends Pick<WatchContext, "state" | "withBatch"> {
  storage: DurableObjectStorage;
  env: Env;
  sums: SpendWatchContext["sums"];
  alarm: Waker;
  audit: {
    note(by: Actor | undefined, deed: Omit<AuditEvent, "actor">): void;
    emailOf(person: string): string | undefined;
  };
}

const outboxWish = "outbox";
const expiryWish = "keys";
/** Milliseconds by which keys may be told of late. */
const expirySlack = 5000;

/** The events of a workspace. */
export class WorkspaceEvents {
  readonly webhooks: Webhooks;
  readonly watch: EventWatch;
  readonly #context: WorkspaceEventsContext;
  readonly #outbox: Outbox;
  readonly #log: EventLog;
  readonly #expiry: KeyExpiry;
  readonly #spend: SpendWatch;

  constructor(context: WorkspaceEventsContext) {
    const { state, storage, env, alarm, audit, withBatch, sums } = context;
    const { workspace } = state.snapshot;
    const now = Date.now;
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
      now,
      random: Math.random,
      arm: (time) => alarm.want(outboxWish, time),
    });
    const log = new EventLog({ workspace, sql: storage.sql, outbox: this.#outbox });
    this.#log = log;
    const told = new Told(storage.sql);
    const emailOf = (person: string): string | undefined => audit.emailOf(person);
    this.watch = new EventWatch({ state, told, log, emailOf, withBatch });
    const arm = (time: number | null): void => alarm.want(expiryWish, time, expirySlack);
    this.#expiry = new KeyExpiry({ storage, state, told, log, now, arm });
    this.#spend = new SpendWatch({ storage, state, told, log, now, sums });
  }

  /** Continues with what an earlier instance left. */
  begin(): void {
    this.#outbox.wake();
    this.#expiry.look();
  }

  /** The alarm rang. Whether it was for events. */
  ring(now: number): boolean {
    const { alarm } = this.#context;
    const wishes = [outboxWish, expiryWish].filter((name) => alarm.takes(name, now));
    this.#outbox.wake();
    this.#expiry.ring();
    return wishes.length > 0;
  }

  /** A batch was written. */
  written(): void {
    this.#spend.remind();
  }

  /** The document, keys or persons changed. */
  changed(): void {
    this.watch.changed();
    this.#expiry.look();
  }

  /** Call it in the transaction of the change. Keys of sign-ins are replaced every hour, so they are not reported. */
  tellOfKey(type: "key.created" | "key.revoked", key: KeyRecord): void {
    if (signInOfKey(key.id) !== undefined) return;
    this.#log.add({ type, time: Date.now(), data: keyEventData(key) });
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
