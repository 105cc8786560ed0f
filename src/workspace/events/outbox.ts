/**
 * Brings events to webhooks, each at least once: deliveries are on the disk with their event, and stay there until they
 * arrived or were tried for a day. A webhook gets one at a time; one that fails rests, so that it holds up nobody.
 */
import type { Clock } from "../../lib/clock.ts";
import { newId } from "../../lib/ids.ts";
import type { Delivery, EventType, Webhook, WorkspaceEvent } from "../contract/events.ts";
import { type Backoff, nextTry, restAfter } from "../rules/events/backoff.ts";
import {
  addDelivery,
  countDeliveries,
  deliveryView,
  findDelivery,
  hurryDeliveries,
  nextDelivery,
  rewriteDelivery,
  type StoredDelivery,
} from "../storage/tables/deliveries.ts";
import { writeLastAttempt } from "../storage/tables/webhooks.ts";
import type { Attempt, SendEvent } from "./send.ts";
import { countWebhooks, noteWaiting } from "./stats.ts";
import type { Webhooks } from "./webhooks.ts";

/** Deliveries of a workspace under way at the same time. */
const mostUnderWay = 4;
/** Of them, to webhooks that failed last: the others find a place. */
const mostFailing = 3;
/** The same of those by hand; more are not sent. */
const mostByHand = 4;
const tooMany: Attempt = { status: null, error: "not sent: too many manual deliveries at once" };
/** Milliseconds after which the alarm looks whether what was under way got lost with its process. */
const lostAfter = 20_000;
/** Milliseconds between two times that everything is due at once because a receiver came back. */
const betweenHurries = 300_000;
/** Milliseconds between two counts of what waits. */
const betweenCounts = 5000;
/** The receiver wants no more of it: https://www.standardwebhooks.com. */
const gone = 410;

/** What delivering needs. */
export interface OutboxContext {
  workspace: string;
  storage: DurableObjectStorage;
  webhooks: Webhooks;
  send: SendEvent;
  backoff: Backoff;
  now: Clock;
  /** From 0 to 1. */
  random: () => number;
  /** Has `wake` called at that time, epoch ms, also by a later instance; null: at none. */
  arm: (time: number | null) => void;
}

/** How a webhook has been lately. */
interface Health {
  /** In a row. */
  failures: number;
  /** Epoch ms. */
  restsUntil: number;
  hurried: number;
  /** When it had its last turn: the one that waited longest is next. */
  turn: number;
}

/** The deliveries of one workspace. */
export class Outbox {
  readonly #context: OutboxContext;
  readonly #health = new Map<string, Health>();
  readonly #underWay = new Set<string>();
  #stopped = false;
  #byHand = 0;
  #turns = 0;
  #counted = 0;
  #waking = false;

  constructor(context: OutboxContext) {
    this.#context = context;
  }

  /** Adds a delivery for every webhook that is told of the event. To be called in the transaction that adds the event. */
  add(event: WorkspaceEvent): void {
    const { storage, webhooks, now } = this.#context;
    for (const { id, events } of webhooks.all) {
      // Events of the type `test` are sent by hand alone.
      if (!events.includes(event.type as EventType)) continue;
      const added = { webhook: id, event, state: "waiting", now: now() } as const;
      countWebhooks("dropped", addDelivery(storage.sql, added).dropped);
      this.wake();
    }
  }

  /** Sends it once to every webhook that is told of such events, and notes nothing: for an event that cannot be saved. */
  announce(event: WorkspaceEvent): void {
    const { send, webhooks } = this.#context;
    for (const webhook of webhooks.all)
      if (webhook.events.includes(event.type as EventType)) void send(webhook, event);
  }

  /** Something may be due. Nobody waits: it is looked for when what is running now is done. */
  wake(): void {
    if (this.#waking || this.#stopped) return;
    this.#waking = true;
    setTimeout(() => {
      this.#waking = false;
      this.#start();
    }, 0);
  }

  /** Nothing is sent any more. */
  stop(): void {
    this.#stopped = true;
    noteWaiting(this.#context.workspace, 0);
  }

  /** Sends a new event to one webhook; the delivery as it ended. */
  async test(webhook: Webhook): Promise<Delivery | undefined> {
    const { workspace, storage, now } = this.#context;
    const time = now();
    const event: WorkspaceEvent = {
      seq: 0,
      id: newId("evt_"),
      type: "test",
      time: new Date(time).toISOString(),
      data: { workspace },
    };
    const { n } = addDelivery(storage.sql, {
      webhook: webhook.id,
      event,
      state: "failed",
      now: time,
    });
    return await this.retry(webhook, n);
  }

  /** Sends it now, whatever became of it before; undefined where there is no such delivery. */
  async retry(webhook: Webhook, n: number): Promise<Delivery | undefined> {
    const { sql } = this.#context.storage;
    const delivery = findDelivery(sql, webhook.id, n);
    if (delivery === undefined) return undefined;
    await this.#byHandOf(webhook, delivery);
    const after = findDelivery(sql, webhook.id, n);
    return after && deliveryView(after);
  }

  async #byHandOf(webhook: Webhook, delivery: StoredDelivery): Promise<void> {
    this.#byHand += 1;
    try {
      await this.#attempt(webhook, delivery, "hand");
    } finally {
      this.#byHand -= 1;
    }
  }

  #start(): void {
    if (this.#stopped) return;
    const now = this.#context.now();
    for (const webhook of this.#byTurn()) {
      if (!this.#hasPlace(webhook)) continue;
      const delivery = this.#nextOf(webhook);
      if (delivery !== undefined && this.#timeOf(delivery) <= now) this.#begin(webhook, delivery);
    }
    this.#arm(now);
  }

  #hasPlace({ id }: Webhook): boolean {
    const underWay = [...this.#underWay];
    if (underWay.length >= mostUnderWay || underWay.includes(id)) return false;
    return (
      !this.#isFailing(id) || underWay.filter((each) => this.#isFailing(each)).length < mostFailing
    );
  }

  #isFailing(id: string): boolean {
    return (this.#health.get(id)?.failures ?? 0) > 0;
  }

  /** Those that waited longest for their turn first. */
  #byTurn(): Webhook[] {
    const turn = ({ id }: Webhook): number => this.#health.get(id)?.turn ?? 0;
    return [...this.#context.webhooks.all].sort((left, right) => turn(left) - turn(right));
  }

  #nextOf({ id }: Webhook): StoredDelivery | undefined {
    return nextDelivery(this.#context.storage.sql, id);
  }

  #timeOf({ webhook, due }: StoredDelivery): number {
    return Math.max(due, this.#health.get(webhook)?.restsUntil ?? 0);
  }

  #begin(webhook: Webhook, delivery: StoredDelivery): void {
    this.#underWay.add(webhook.id);
    this.#healthOf(webhook.id).turn = this.#turns += 1;
    this.#attempt(webhook, delivery, "turn")
      .catch((error: unknown) => console.error(`a delivery was not noted: ${String(error)}`))
      .finally(() => {
        this.#underWay.delete(webhook.id);
        this.wake();
      });
  }

  /** What is due already waits for its turn, which the end of another one brings. */
  #arm(now: number): void {
    let next = Infinity;
    for (const webhook of this.#context.webhooks.all) {
      const delivery = this.#nextOf(webhook);
      if (delivery === undefined) continue;
      const time = this.#underWay.has(webhook.id) ? now : this.#timeOf(delivery);
      next = Math.min(next, time > now ? time : now + lostAfter);
    }
    this.#noteWaiting(now, next === Infinity);
    this.#context.arm(next === Infinity ? null : next);
  }

  /** Counted now and then: there may be thousands. */
  #noteWaiting(now: number, none: boolean): void {
    const { workspace, storage, webhooks } = this.#context;
    if (!none && now - this.#counted < betweenCounts) return;
    this.#counted = none ? 0 : now;
    let many = 0;
    for (const { id } of webhooks.all) many += countDeliveries(storage.sql, id).waiting;
    noteWaiting(workspace, many);
  }

  async #attempt(webhook: Webhook, delivery: StoredDelivery, by: "turn" | "hand"): Promise<void> {
    const { send, storage, now } = this.#context;
    const refused = by === "hand" && this.#byHand > mostByHand;
    const attempt = refused ? tooMany : await send(webhook, delivery.event);
    if (this.#stopped) return;
    const at = now();
    storage.transactionSync(() => {
      // It may have changed, or gone, meanwhile.
      const known = findDelivery(storage.sql, webhook.id, delivery.n);
      if (known === undefined) return;
      rewriteDelivery(storage.sql, this.#after(known, attempt, { at, by }));
      const ok = attempt.error === null;
      writeLastAttempt(storage.sql, webhook.id, { at, status: attempt.status, ok });
      this.#noteHealth(webhook.id, attempt, at);
    });
  }

  /** An attempt by hand changes when nothing about when the delivery is tried again, unless it arrived. */
  #after(
    before: StoredDelivery,
    { status, error, retryAfter }: Attempt,
    { at, by }: { at: number; by: "turn" | "hand" },
  ): StoredDelivery {
    const attempts = before.attempts + 1;
    const tried = { ...before, attempts, last_at: at, status, error };
    const ended = { ...tried, due: before.time };
    if (error === null) {
      countWebhooks("sent");
      return { ...ended, state: "delivered" };
    }
    if (by === "hand" || before.state !== "waiting") return tried;
    const { random, backoff } = this.#context;
    const failed = { attempts, begun: before.time, now: at, retryAfter, random: random() };
    const next = status === gone ? undefined : nextTry(failed, backoff);
    if (next !== undefined) return { ...tried, due: next };
    countWebhooks("dropped");
    return { ...ended, state: "failed" };
  }

  #noteHealth(id: string, { error, retryAfter = 0 }: Attempt, at: number): void {
    const health = this.#healthOf(id);
    if (error !== null) {
      health.failures += 1;
      const rest = Math.max(restAfter(health.failures), Math.min(retryAfter, betweenHurries));
      health.restsUntil = at + rest;
      return;
    }
    if (health.failures > 0 && at - health.hurried >= betweenHurries) {
      health.hurried = at;
      hurryDeliveries(this.#context.storage.sql, id);
    }
    Object.assign(health, { failures: 0, restsUntil: 0 });
    this.wake();
  }

  #healthOf(id: string): Health {
    let health = this.#health.get(id);
    if (health === undefined) {
      health = { failures: 0, restsUntil: 0, hurried: 0, turn: 0 };
      this.#health.set(id, health);
    }
    return health;
  }
}
