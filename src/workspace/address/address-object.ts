/** The object that counts the requests of one client address, before their keys are looked at. */
import { DurableObject } from "cloudflare:workers";
import { policyOf } from "../../policy/choose.ts";
import { minute } from "../../policy/limits.ts";
import type { Env } from "../../store/env.ts";
import type { AddressAnswer } from "../contract/address.ts";
import {
  countRequest,
  isFull,
  newWindow,
  retryAfter,
  slide,
  uncountRequest,
  type Window,
} from "../rules/window.ts";
import { knownVersion, migrate } from "../storage/schema-version.ts";
import { addressMigrations, readTimes, writeTimes } from "./saved-times.ts";

const batchInterval = 500;
/** How long a window is left alone before it is looked at whether the address has gone quiet. */
const quietTime = 2 * minute;

/** The window of one address. The class name is part of the stored state: it never changes. */
export class IpObject extends DurableObject<Env> {
  /** Null: addresses are not counted. */
  readonly #window: Window | null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** Throws NewerStateError; every call then fails with it, and nothing is written. */
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    knownVersion(sql, addressMigrations);
    const { address } = policyOf(env);
    this.#window = address === null ? null : newWindow(address, readTimes(sql));
  }

  /**
   * Counts one request, or refuses it and counts nothing. This name and `giveBack` are those of the version
   * before: a roll-out runs it beside this one, and an address must be counted meanwhile.
   */
  hit(): AddressAnswer {
    const now = Date.now();
    const window = this.#window;
    if (window === null) return { ok: true, token: now };
    slide(window, now);
    if (isFull(window)) {
      return { ok: false, retryAfter: retryAfter(window, now), limit: window.limit };
    }
    countRequest(window, now);
    this.#schedule();
    return { ok: true, token: now };
  }

  /** The request was refused elsewhere and counts nowhere. */
  giveBack(token: number): void {
    if (this.#window === null) return;
    uncountRequest(this.#window, token);
    this.#schedule();
  }

  /** An address that has gone quiet leaves nothing behind. */
  override async alarm(): Promise<void> {
    if (this.#window !== null) slide(this.#window, Date.now());
    const isQuiet = this.#window === null || this.#window.times.length === 0;
    if (isQuiet) await this.ctx.storage.deleteAll();
    else await this.ctx.storage.setAlarm(Date.now() + quietTime);
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.ctx.waitUntil(this.#flush()), batchInterval);
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    const { storage } = this.ctx;
    // Again where the alarm has deleted everything.
    migrate(storage, addressMigrations);
    writeTimes(storage.sql, this.#window?.times ?? []);
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + quietTime);
  }
}
