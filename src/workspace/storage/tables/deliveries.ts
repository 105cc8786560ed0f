/** The table of deliveries: events on their way to webhooks, and how they arrived. */
import type { Delivery, DeliveryPage, WorkspaceEvent } from "../../contract/events.ts";
import { takeNumber, type WebhookCounts } from "./webhooks.ts";

/** Deliveries that ended are kept while so many newer ones of their webhook have not come. */
const keptDeliveries = 1000;
/** Deliveries that wait for one webhook; the oldest are given up where there are more. */
const mostWaiting = 10_000;
/** Numbers between two looks for what is to be forgotten. */
const trimStep = 50;

/** A delivery as it is stored. */
export interface StoredDelivery {
  webhook: string;
  n: number;
  event: WorkspaceEvent;
  /** When the event happened. All times are epoch ms. */
  time: number;
  state: Delivery["state"];
  /** When it is sent next; of one that ended, its `time`. */
  due: number;
  attempts: number;
  last_at: number | null;
  status: number | null;
  error: string | null;
}

/** What a new delivery begins with: it waits, unless it is sent by hand. */
export interface NewDelivery {
  webhook: string;
  event: WorkspaceEvent;
  state: Delivery["state"];
  now: number;
}

/** Adds a delivery, and how many that waited were given up for it. */
export function addDelivery(
  sql: SqlStorage,
  { webhook, event, state, now }: NewDelivery,
): { n: number; dropped: number } {
  const n = takeNumber(sql, webhook);
  sql.exec(
    "INSERT INTO deliveries (webhook, n, event, time, state, due, attempts) VALUES (?,?,?,?,?,?,0)",
    webhook,
    n,
    JSON.stringify(event),
    now,
    state,
    now,
  );
  if (n % trimStep === 0) forgetEnded(sql, webhook, n - keptDeliveries);
  return { n, dropped: n > mostWaiting ? giveUpOldest(sql, webhook) : 0 };
}

function forgetEnded(sql: SqlStorage, webhook: string, upTo: number): void {
  sql.exec(
    "DELETE FROM deliveries WHERE webhook = ? AND n <= ? AND state <> 'waiting'",
    webhook,
    upTo,
  );
}

function giveUpOldest(sql: SqlStorage, webhook: string): number {
  const many = countIn(sql, webhook, "waiting") - mostWaiting;
  if (many <= 0) return 0;
  sql.exec(
    `UPDATE deliveries SET state = 'failed', due = time, error = ?
     WHERE webhook = ? AND n IN
       (SELECT n FROM deliveries WHERE webhook = ? AND state = 'waiting' ORDER BY n LIMIT ?)`,
    `dropped: more than ${mostWaiting} deliveries were waiting`,
    webhook,
    webhook,
    many,
  );
  return many;
}

/** How many of the webhook's deliveries wait, and how many were given up. */
export function countDeliveries(sql: SqlStorage, webhook: string): WebhookCounts {
  return { waiting: countIn(sql, webhook, "waiting"), failed: countIn(sql, webhook, "failed") };
}

function countIn(sql: SqlStorage, webhook: string, state: Delivery["state"]): number {
  const query = "SELECT COUNT(*) AS many FROM deliveries WHERE webhook = ? AND state = ?";
  return Number(sql.exec(query, webhook, state).one()["many"]);
}

/** Newest first. */
export function pageDeliveries(
  sql: SqlStorage,
  webhook: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number },
): DeliveryPage {
  const query = "SELECT * FROM deliveries WHERE webhook = ? AND n < ? ORDER BY n DESC LIMIT ?";
  const rows = Array.from(sql.exec(query, webhook, before, limit + 1), storedOf);
  const page = rows.slice(0, limit).map(deliveryView);
  return { deliveries: page, next: rows.length > limit ? (page.at(-1)?.n ?? null) : null };
}

/** Undefined where there is none, or none any more. */
export function findDelivery(
  sql: SqlStorage,
  webhook: string,
  n: number,
): StoredDelivery | undefined {
  const query = "SELECT * FROM deliveries WHERE webhook = ? AND n = ?";
  const [row] = sql.exec(query, webhook, n).toArray();
  return row === undefined ? undefined : storedOf(row);
}

/** The webhook's delivery that is sent next; it may not be due yet. */
export function nextDelivery(sql: SqlStorage, webhook: string): StoredDelivery | undefined {
  const query = `SELECT * FROM deliveries WHERE webhook = ? AND state = 'waiting' ORDER BY due, n LIMIT 1`;
  const [row] = sql.exec(query, webhook).toArray();
  return row === undefined ? undefined : storedOf(row);
}

/** Writes what an attempt changed; nothing where the delivery is gone. */
export function rewriteDelivery(sql: SqlStorage, delivery: StoredDelivery): void {
  const { webhook, n, state, due, attempts, last_at, status, error } = delivery;
  sql.exec(
    `UPDATE deliveries SET state = ?, due = ?, attempts = ?, last_at = ?, status = ?, error = ?
     WHERE webhook = ? AND n = ?`,
    state,
    due,
    attempts,
    last_at,
    status,
    error,
    webhook,
    n,
  );
}

/** The receiver is back: everything that waits for it is due, in the order in which it happened. */
export function hurryDeliveries(sql: SqlStorage, webhook: string): void {
  sql.exec(
    "UPDATE deliveries SET due = time WHERE webhook = ? AND state = 'waiting' AND due <> time",
    webhook,
  );
}

/** As it is shown. */
export function deliveryView(delivery: StoredDelivery): Delivery {
  const { n, event, state, due, attempts, last_at, status, error } = delivery;
  return {
    n,
    event,
    state,
    attempts,
    last_at: last_at === null ? null : new Date(last_at).toISOString(),
    status,
    error,
    next_at: state === "waiting" ? new Date(due).toISOString() : null,
  };
}

function storedOf(row: Record<string, SqlStorageValue>): StoredDelivery {
  return {
    webhook: String(row["webhook"]),
    n: Number(row["n"]),
    // Both written by addDelivery above.
    event: JSON.parse(String(row["event"])) as WorkspaceEvent,
    state: String(row["state"]) as Delivery["state"],
    time: Number(row["time"]),
    due: Number(row["due"]),
    attempts: Number(row["attempts"]),
    last_at: row["last_at"] === null ? null : Number(row["last_at"]),
    status: row["status"] === null ? null : Number(row["status"]),
    error: row["error"] === null ? null : String(row["error"]),
  };
}
