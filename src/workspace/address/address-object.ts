/** The object that counts the requests of client addresses while their keys are looked up. */
import { DurableObject } from "cloudflare:workers";
import { policyOf } from "../../policy/choose.ts";
import { minute, type RateLimit } from "../../policy/limits.ts";
import type { Env } from "../../store/env.ts";
import type { AddressAnswer, Caller } from "../contract/address.ts";
import { knownVersion, migrate } from "../storage/sql/schema-version.ts";
import { AddressWindows } from "./address-windows.ts";
import { addressMigrations, readSavedWindows, saveWindows } from "./saved-windows.ts";
import { keepWindowsHere } from "./windows-here.ts";

/** Milliseconds between two times of saving, a row each. */
const saveInterval = 5000;
/** How long windows are left alone before it is looked at whether they have gone quiet. */
const quietTime = 2 * minute;

/** Who calls a Worker of the version before, which does not say: its requests of an address are all counted as one. */
const unsaid: Caller = { address: "", standing: "stranger" };

/** The windows of one or more addresses. The class name is part of the stored state: it never changes. */
export class IpObject extends DurableObject<Env> {
  /** Null: addresses are not counted. */
  readonly #windows: AddressWindows | null;
  #timer: ReturnType<typeof setTimeout> | null = null;

  /** Throws NewerStateError; every call then fails with it, and nothing is written. */
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    knownVersion(sql, addressMigrations);
    const { address } = policyOf(env);
    const make = (limit: RateLimit): AddressWindows =>
      new AddressWindows(limit, readSavedWindows(sql));
    if (address === null) this.#windows = null;
    else if (env.BOOT_ID === undefined) this.#windows = make(address);
    else {
      this.#windows = keepWindowsHere(ctx.id.toString(), () => make(address));
      // An object before this one may have been told.
      this.#windows.isSaved = false;
    }
  }

  /**
   * Counts one request, or refuses it and counts nothing. This name and `giveBack` are those of the version
   * before: a roll-out runs it beside this one, and an address must be counted meanwhile.
   */
  hit(caller: Caller = unsaid): AddressAnswer {
    const now = Date.now();
    if (this.#windows === null) return { ok: true, token: now };
    const answer = this.#windows.count(caller, now);
    // A timer keeps the object in memory, and billed: few requests set none.
    if (answer.ok && this.#windows.isBusy(caller)) this.#schedule();
    return answer;
  }

  /** Requests were counted in its windows without a call, and are worth saving. */
  saveSoon(): void {
    this.#schedule();
  }

  /** The request was refused elsewhere and counts nowhere. */
  giveBack(token: number, caller: Caller = unsaid): void {
    this.#windows?.giveBack(caller, token);
  }

  /** Addresses that have gone quiet leave nothing behind. */
  override async alarm(): Promise<void> {
    const busy = this.#windows?.busy(Date.now()) ?? [];
    if (busy.length === 0) await this.ctx.storage.deleteAll();
    else await this.ctx.storage.setAlarm(Date.now() + quietTime);
  }

  #schedule(): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => this.ctx.waitUntil(this.#save()), saveInterval);
  }

  /** Writes nothing where no window is worth it. */
  async #save(): Promise<void> {
    this.#timer = null;
    if (this.#windows !== null) this.#windows.isSaved = false;
    const busy = this.#windows?.busy(Date.now()) ?? [];
    if (busy.length === 0) return;
    const { storage } = this.ctx;
    // Again where the alarm has deleted everything.
    migrate(storage, addressMigrations);
    saveWindows(storage.sql, busy);
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + quietTime);
  }
}
