/**
 * One workspace's requests that ended in this isolate and are not booked yet. Each waits, is under way with a call of the
 * object, or is booked. Booking one twice changes nothing, so whatever is in doubt is sent again.
 */
import type { RequestEnd, SentRequest } from "../contract/request-end.ts";

interface Queued {
  readonly ended: RequestEnd;
  state: "waiting" | "under way" | "booked";
  /** It was sent before. */
  again: boolean;
}

/** Requests that one call brings to the object. */
export interface EndedBatch {
  readonly requests: readonly Queued[];
  /** When they were sent, epoch ms. */
  readonly since: number;
}

/** Requests that one call brings. */
const mostSent = 200;

/** In the order in which they ended. */
export class EndedBacklog {
  #waiting: Queued[] = [];
  readonly #underWay = new Set<EndedBatch>();
  readonly #forget: (ended: RequestEnd) => void;

  /** `forget`: called for each request that no longer has to be booked from this memory. */
  constructor(forget: (ended: RequestEnd) => void) {
    this.#forget = forget;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Nothing waits, and nothing is under way. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#underWay.size === 0;
  }

  /** How many wait or are under way. */
  get size(): number {
    let size = this.#waiting.length;
    for (const { requests } of this.#underWay) size += requests.length;
    return size;
  }

  /** More waits than one call brings. */
  get exceedsOneCall(): boolean {
    return this.#waiting.length > mostSent;
  }

  add(ended: RequestEnd): void {
    this.#waiting.push({ ended, state: "waiting", again: false });
  }

  /** What one call brings now; undefined where nothing waits. */
  take(now: number): EndedBatch | undefined {
    if (this.#waiting.length === 0) return undefined;
    const requests = this.#waiting;
    this.#waiting = requests.splice(mostSent);
    for (const one of requests) one.state = "under way";
    const batch = { requests, since: now };
    this.#underWay.add(batch);
    return batch;
  }

  /** Calls that began until then (epoch ms) count as lost: what they brought waits once more. */
  recall(until: number): void {
    for (const batch of this.#underWay) {
      if (batch.since > until) return;
      this.failed(batch);
    }
  }

  /** The object has booked them, or has nothing to book for. A call that counted as lost may say so too. */
  booked(batch: EndedBatch): void {
    const wasRecalled = !this.#underWay.delete(batch);
    for (const one of batch.requests) {
      if (one.state !== "booked") this.#forget(one.ended);
      one.state = "booked";
    }
    if (wasRecalled) this.#waiting = this.#waiting.filter(({ state }) => state === "waiting");
  }

  /** The call failed, or may have: what it brought is the first to be sent again. */
  failed(batch: EndedBatch): void {
    // One that counted as lost before is under way with another call, or booked.
    if (!this.#underWay.delete(batch)) return;
    const unbooked = batch.requests.filter(({ state }) => state === "under way");
    for (const one of unbooked) Object.assign(one, { state: "waiting", again: true });
    this.#waiting.unshift(...unbooked);
  }

  /** Forgets what waits; how many there were. */
  clear(): number {
    const forgotten = this.#waiting;
    this.#waiting = [];
    for (const { ended } of forgotten) this.#forget(ended);
    return forgotten.length;
  }
}

/** The requests as they cross to the object. */
export function sentOf({ requests }: EndedBatch): SentRequest[] {
  return requests.map(({ ended, again }) => (again ? { ended, again } : { ended }));
}
