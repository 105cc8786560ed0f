/** The object that counts the requests of one client address, before their keys are looked at. */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "../../store/env.ts";
import { limitsOn } from "../../policy/build.ts";
import {
  giveBack,
  isFull,
  newWindow,
  retryAfter,
  slide,
  take,
  type Window,
} from "../rules/window.ts";

const addressLimit = 500;
const minute = 60_000;
const batchInterval = 500;

/** The token is what `giveBack` takes. `retryAfter`: whole seconds, 1 to 60. */
export type AddressAnswer =
  | { ok: true; token: number }
  | { ok: false; retryAfter: number; limit: number };

export class IpObject extends DurableObject<Env> {
  readonly #window: Window;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#window = newWindow(addressLimit, minute, savedTimes(ctx.storage.sql));
  }

  /** Counts one request, or refuses it and counts nothing. */
  hit(): AddressAnswer {
    const now = Date.now();
    if (!limitsOn) return { ok: true, token: now };
    slide(this.#window, now);
    if (isFull(this.#window)) {
      return { ok: false, retryAfter: retryAfter(this.#window, now), limit: addressLimit };
    }
    take(this.#window, now);
    this.#schedule();
    return { ok: true, token: now };
  }

  /** The request was refused elsewhere and counts nowhere. */
  giveBack(token: number): void {
    giveBack(this.#window, token);
    this.#schedule();
  }

  /** An address that has gone quiet leaves nothing behind. */
  override async alarm(): Promise<void> {
    slide(this.#window, Date.now());
    if (this.#window.times.length > 0) await this.ctx.storage.setAlarm(Date.now() + 2 * minute);
    else await this.ctx.storage.deleteAll();
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.ctx.waitUntil(this.#flush()), batchInterval);
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const times = JSON.stringify(this.#window.times);
    const { sql } = this.ctx.storage;
    // Made here and not at the start: a quiet address has no table.
    sql.exec("CREATE TABLE IF NOT EXISTS log (id INTEGER PRIMARY KEY, times TEXT NOT NULL)");
    sql.exec("INSERT OR REPLACE INTO log (id, times) VALUES (1, ?)", times);
    if ((await this.ctx.storage.getAlarm()) === null) {
      await this.ctx.storage.setAlarm(Date.now() + 2 * minute);
    }
  }
}

function savedTimes(sql: SqlStorage): number[] {
  const tables = sql
    .exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'log'")
    .toArray();
  if (tables.length === 0) return [];
  const [row] = sql.exec("SELECT times FROM log WHERE id = 1").toArray();
  // Written by #flush alone.
  return row === undefined ? [] : (JSON.parse(String(row["times"])) as number[]);
}
