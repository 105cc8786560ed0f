/** Reports keys that are about to expire. It uses the alarm, so it works in idle workspaces too. */
import type { Clock } from "../../lib/clock.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import { expiryNotice } from "../rules/key-expiry.ts";
import { keyEventData } from "../rules/audit/key-facts.ts";
import type { WorkspaceState } from "../rules/state.ts";
import type { EventLog } from "./event-log.ts";
import type { Told } from "./told.ts";

/** Keys that are told of in one transaction. */
const mostAtOnce = 200;

type Notice = ReturnType<typeof expiryNotice>;

/** What it reads and writes. */
export interface KeyExpiryContext {
  storage: DurableObjectStorage;
  state: WorkspaceState;
  told: Told;
  log: EventLog;
  now: Clock;
  /** Has `look` called at that time, epoch ms; null: at none. */
  arm: (time: number | null) => void;
}

/** Each expiry is reported once; a new expiry date of the same key counts as another. */
export class KeyExpiry {
  readonly #context: KeyExpiryContext;
  /** Of keys as they are: reading their times is most of the work, and there may be thousands. */
  readonly #notices = new WeakMap<KeyRecord, Notice>();
  /** When something comes next; epoch ms. */
  #next = -Infinity;

  constructor(context: KeyExpiryContext) {
    this.#context = context;
  }

  /** The alarm fired, perhaps for another purpose. */
  ring(): void {
    if (this.#next <= this.#context.now()) this.look();
  }

  /** Reports what is due, and sets the alarm for the next. Also call it when keys have changed. */
  look(): void {
    const { storage, now, arm } = this.#context;
    const time = now();
    const { due, next } = this.#untold(time);
    if (due.length > 0) {
      storage.transactionSync(() => {
        for (const key of due) this.#tell(key, time);
      });
      this.#forgetGone();
    }
    this.#next = next;
    arm(next === Infinity ? null : next);
  }

  /** Those that are due, as many as are told of at once, and when the next one is. */
  #untold(time: number): { due: KeyRecord[]; next: number } {
    const { state, told } = this.#context;
    const due: KeyRecord[] = [];
    let next = Infinity;
    for (const key of state.keysById.values()) {
      const notice = this.#noticeOf(key);
      if (notice === undefined || notice.to <= time) continue;
      if (told.get(nameOf(key)) === key.expires_at) continue;
      if (notice.from <= time && due.length < mostAtOnce) due.push(key);
      else next = Math.min(next, notice.from);
    }
    return { due, next };
  }

  #noticeOf(key: KeyRecord): Notice {
    if (!this.#notices.has(key)) this.#notices.set(key, expiryNotice(key));
    return this.#notices.get(key);
  }

  #tell(key: KeyRecord, time: number): void {
    const { storage, told, log } = this.#context;
    told.set(nameOf(key), key.expires_at ?? undefined)(storage.sql);
    log.add({ type: "key.expiring", time, data: keyEventData(key) });
  }

  #forgetGone(): void {
    const { storage, state, told } = this.#context;
    const known = new Set(Array.from(state.keysById.values(), nameOf));
    for (const name of told.names("key "))
      if (!known.has(name)) told.set(name, undefined)(storage.sql);
  }
}

function nameOf({ id }: KeyRecord): string {
  return `key ${id}`;
}
