/** Forgets events and deliveries that are too old. How many there are at most, their tables see to themselves. */
import { dayLength } from "../rules/sums/sum-levels.ts";
import type { LogRetention } from "./log-age.ts";

/** Deliveries that ended are kept for this time at most, in ms. */
const longestDelivery = 30 * dayLength;
const ended = ["delivered", "failed"];

/** The age of events, as long as rows of the log are kept. Each slice runs in a transaction of the caller's. */
export class EventAge {
  readonly #sql: SqlStorage;
  readonly #retention: () => Pick<LogRetention, "rows">;

  constructor(sql: SqlStorage, retention: () => Pick<LogRetention, "rows">) {
    this.#sql = sql;
    this.#retention = retention;
  }

  /** What is due; false when nothing was. The newest event stays: it holds the number of the next. */
  forget(now: number): boolean {
    const { rows } = this.#retention();
    const events = this.#sql.exec(
      "DELETE FROM events WHERE time <= ? AND seq < (SELECT MAX(seq) FROM events)",
      now - rows,
    );
    let forgotten = events.rowsWritten;
    const before = now - this.#keptDeliveries();
    for (const [webhook, state] of this.#groups()) {
      const query = "DELETE FROM deliveries WHERE webhook = ? AND state = ? AND due <= ?";
      forgotten += this.#sql.exec(query, webhook, state, before).rowsWritten;
    }
    return forgotten > 0;
  }

  /** Epoch ms when the next one is too old; undefined where there is none. */
  next(): number | undefined {
    const [event, second] = this.#sql
      .exec("SELECT time FROM events ORDER BY seq LIMIT 2")
      .toArray();
    const due = second === undefined ? [] : [Number(event?.["time"]) + this.#retention().rows];
    for (const [webhook, state] of this.#groups()) {
      const query = `SELECT due FROM deliveries WHERE webhook = ? AND state = ? ORDER BY due LIMIT 1`;
      const [oldest] = this.#sql.exec(query, webhook, state).toArray();
      if (oldest !== undefined) due.push(Number(oldest["due"]) + this.#keptDeliveries());
    }
    return due.length === 0 ? undefined : Math.min(...due);
  }

  #keptDeliveries(): number {
    return Math.min(longestDelivery, this.#retention().rows);
  }

  /** Webhooks with the states of deliveries that ended. */
  #groups(): [webhook: string, state: string][] {
    const ids = Array.from(this.#sql.exec("SELECT id FROM webhooks"), ({ id }) => String(id));
    return ids.flatMap((id) => ended.map((state): [string, string] => [id, state]));
  }
}
