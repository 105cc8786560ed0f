/** The table of webhooks, each with its newest attempt. */
import type { Webhook, WebhookView } from "../../contract/events.ts";

/** What is added up of a webhook's deliveries. */
export interface WebhookCounts {
  waiting: number;
  failed: number;
}

/** Adds a webhook. */
export function writeWebhook(sql: SqlStorage, webhook: Webhook): void {
  const { id, url, events, style, created_at, sealed_secret } = webhook;
  sql.exec(
    "INSERT INTO webhooks (id, made, url, events, style, sealed_secret) VALUES (?,?,?,?,?,?)",
    id,
    Date.parse(created_at),
    url,
    JSON.stringify(events),
    style,
    sealed_secret,
  );
}

/** Takes it away with its deliveries. */
export function removeWebhook(sql: SqlStorage, id: string): void {
  sql.exec("DELETE FROM webhooks WHERE id = ?", id);
  sql.exec("DELETE FROM deliveries WHERE webhook = ?", id);
}

/** Oldest first. */
export function readWebhooks(sql: SqlStorage): Webhook[] {
  return Array.from(sql.exec("SELECT * FROM webhooks ORDER BY made, id"), (row) => ({
    id: String(row["id"]),
    url: String(row["url"]),
    // Both written by writeWebhook above.
    events: JSON.parse(String(row["events"])) as Webhook["events"],
    style: String(row["style"]) as Webhook["style"],
    created_at: new Date(Number(row["made"])).toISOString(),
    sealed_secret: String(row["sealed_secret"]),
  }));
}

/** The newest attempt; null before the first. */
export function readLastAttempt(sql: SqlStorage, id: string): WebhookView["last"] {
  const query = "SELECT last_at, last_status, last_ok FROM webhooks WHERE id = ?";
  const [row] = sql.exec(query, id).toArray();
  if (row === undefined || row["last_at"] === null) return null;
  return {
    time: new Date(Number(row["last_at"])).toISOString(),
    status: row["last_status"] === null ? null : Number(row["last_status"]),
    ok: row["last_ok"] === 1,
  };
}

/** Notes how the newest attempt ended; `at`: epoch ms. */
export function writeLastAttempt(
  sql: SqlStorage,
  id: string,
  { at, status, ok }: { at: number; status: number | null; ok: boolean },
): void {
  sql.exec(
    "UPDATE webhooks SET last_at = ?, last_status = ?, last_ok = ? WHERE id = ?",
    at,
    status,
    ok ? 1 : 0,
    id,
  );
}

/** Replaces the secret by the same, sealed anew. */
export function rewriteSecret(sql: SqlStorage, id: string, sealed: string): void {
  sql.exec("UPDATE webhooks SET sealed_secret = ? WHERE id = ?", sealed, id);
}

/** The number of the webhook's next delivery. */
export function takeNumber(sql: SqlStorage, id: string): number {
  const query = "UPDATE webhooks SET sent = sent + 1 WHERE id = ? RETURNING sent";
  return Number(sql.exec(query, id).one()["sent"]);
}
