/** Everything about the events of one workspace: the log of them, its webhooks, and what is on its way to them. */
import { type Env, variantOf } from "../../store/env.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import { publicOrigin } from "../../store/public-origin.ts";
import type { Actor, AuditEvent } from "../contract/audit.ts";
import type { Delivery, DeliveryPage, WorkspaceEvent } from "../contract/events.ts";
import { webhookBackoff } from "../rules/events/backoff.ts";
import { findDelivery, pageDeliveries } from "../storage/tables/deliveries.ts";
import type { NewEvent } from "../storage/tables/events.ts";
import { keyEventData } from "../rules/audit/key-facts.ts";
import { signInOfKey } from "../rules/sign-in-keys.ts";
import { EventLog } from "./event-log.ts";
import { KeyExpiry } from "./key-expiry.ts";
import { Outbox } from "./outbox.ts";
import { senderOf } from "./send.ts";
import { SpendWatch, type SpendWatchContext } from "./spend-watch.ts";
import { Told } from "./told.ts";
import type { WriteBehind } from "../storage/write-behind.ts";
import { EventWatch, type WatchContext } from "./event-watch.ts";
import { Webhooks } from "./webhooks.ts";

/** Who wakes the object, as far as events need it. */
export interface Waker {
  want(name: string, time: number | null, slack?: number): void;
  takes(name: string, now: number): boolean;
}

/** What events read and write. */
export interface WorkspaceEventsContext extends Pick<WatchContext, "state"> {
  writes: Pick<WriteBehind, "batch" | "tell">;
  storage: DurableObjectStorage;
  env: Env;
  sums: SpendWatchContext["sums"];
  alarm: Waker;
  audit: {
    note(by: Actor | undefined, deed: Omit<AuditEvent, "actor">): void;
    emailOf(person: string): string | undefined;
  };
}

/** By which name it is noted when people were told last that the disk fails. */
const storageMark = "storage";
/** Milliseconds. */
const betweenStorageEvents = 300_000;
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
  readonly #told: Told;

  constructor(context: WorkspaceEventsContext) {
    const { state, storage, env, alarm, audit, writes, sums } = context;
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
    const told = new Told(storage.sql, writes.batch.told);
    this.#told = told;
    const emailOf = (person: string): string | undefined => audit.emailOf(person);
    this.watch = new EventWatch({ state, told, emailOf, tell: (change) => writes.tell(change) });
    const arm = (time: number | null): void => alarm.want(expiryWish, time, expirySlack);
    this.#expiry = new KeyExpiry({ storage, state, told, log, now, arm });
    this.#spend = new SpendWatch({ storage, state, told, log, now, sums });
  }

  /** Continues with what an earlier instance left. */
  begin(): void {
    this.#outbox.wake();
    this.#expiry.look();
  }

  /** Adds an event, in the transaction of the batch that it waited in. */
  add(event: NewEvent): void {
    this.#log.add(event);
  }

  /** Those that wait for the disk, oldest first, as they will be. */
  waiting(): WorkspaceEvent[] {
    return this.#log.foreseen(this.#context.writes.batch.events);
  }

  /**
   * Tells that the disk fails, once in a while. The event waits for the disk like everything, so webhooks are called at
   * once besides; a receiver that gets it again knows its id.
   */
  tellOfStorage(): void {
    const { writes } = this.#context;
    const time = Date.now();
    if (time - Number(this.#told.get(storageMark) ?? 0) < betweenStorageEvents) return;
    this.#told.note(storageMark, String(time));
    const data = { since: new Date(time).toISOString() };
    const event = { type: "storage.failing", time, data } as const;
    writes.tell({ name: storageMark, value: String(time), event });
    const told = this.waiting().at(-1);
    if (told !== undefined) this.#outbox.announce(told);
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
