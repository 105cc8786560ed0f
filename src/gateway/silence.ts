/** The silence in which a client waits for an answer that has not begun: when it is so long that the response begins before it. */
import type { Clock } from "../lib/clock.ts";
import type { RequestTimer } from "../lib/request-timer.ts";
import type { Ask, SilentCall, Started } from "../upstream/upstream.ts";
import type { Decided } from "./choose.ts";
import type { Services } from "./services.ts";

/** How long a whole answer of a harness with `whole_keep_alive` is waited for in silence, in ms. */
const wholePatience = 10_000;

/** The silence of this request; undefined where its response begins with its answer. */
export function silenceOf(
  { request, socket, plan, timer }: Decided,
  { keepAliveAfter, now }: Services,
): Silence | undefined {
  // A socket has a keep-alive of its own, and tells when it closes.
  if (socket !== undefined) return undefined;
  if (request.description.stream) {
    if (keepAliveAfter === 0) return undefined;
    return new Silence(timer, () => now() + keepAliveAfter * 1000);
  }
  if (plan.harness.whole_keep_alive !== true) return undefined;
  const due = now() + wholePatience;
  return new Silence(timer, () => due);
}

export class Silence {
  readonly #timer: RequestTimer;
  readonly #dueOf: Clock;
  #lasts: ((call: SilentCall) => void) | undefined;

  /** `dueOf`: epoch ms until which a call that begins its silence now may be silent. */
  constructor(timer: RequestTimer, dueOf: Clock) {
    this.#timer = timer;
    this.#dueOf = dueOf;
  }

  readonly awaits: NonNullable<Ask["awaits"]> = (call) => {
    const wake = this.#timer.at(this.#dueOf(), () => this.#lasts?.(call));
    return () => wake.cancel();
  };

  /** The call that is silent for too long before the attempt is over; undefined where none is. Throws what the attempt throws. */
  before(attempting: Promise<Started>): Promise<SilentCall | undefined> {
    return new Promise((resolve, reject) => {
      this.#lasts = resolve;
      attempting.then(() => resolve(undefined), reject);
    });
  }
}
