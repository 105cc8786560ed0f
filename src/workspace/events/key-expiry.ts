/** Tells of keys that are about to expire, by the alarm: also where nobody calls. */
import type { Clock } from "../../lib/clock.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import { expiryNotice } from "../rules/key-expiry.ts";
import { keyEventData } from "../rules/key-facts.ts";
import type { WorkspaceState } from "../rules/state.ts";
import type { EventLog } from "./event-log.ts";
import type { Told } from "./told.ts";

/** Keys that are told of in one transaction. */
const mostAtOnce = 200;

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

/** Each expiry is told once; another expiry of the same key is another. */
export class KeyExpiry {
  readonly #context: KeyExpiryContext;

  constructor(context: KeyExpiryContext) {
    this.#context = context;
  }

  /** Tells what is due, and sets the alarm for what comes next. To be called when keys changed, too. */
  look(): void {
    const { storage, now, arm } = this.#context;
    const time = now();
    const coming = this.#untold(time);
    const due = coming.filter(({ from }) => from <= time).slice(0, mostAtOnce);
    if (due.length > 0) {
      storage.transactionSync(() => {
        for (const { key } of due) this.#tell(key, time);
      });
    }
    const rest = coming.filter((each) => !due.includes(each));
    arm(rest.length === 0 ? null : Math.min(...rest.map(({ from }) => from)));
    if (due.length > 0) this.#forgetGone();
  }

  #untold(time: number): { key: KeyRecord; from: number }[] {
    const { state, told } = this.#context;
    return Array.from(state.keysById.values()).flatMap((key) => {
      const notice = expiryNotice(key);
      if (notice === undefined || notice.to <= time) return [];
      if (told.get(nameOf(key)) === key.expires_at) return [];
      return [{ key, from: notice.from }];
    });
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
