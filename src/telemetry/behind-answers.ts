/** Sinks whose work is left for the moment behind the answer. */
import type { Clock } from "../lib/clock.ts";
import type { FinishedRequest } from "./finished-request.ts";
import type { Background, Sink, SinkStats } from "./sink.ts";

/** Milliseconds after which a planned turn counts as lost: the runtime may have ended its request. */
const lost = 1000;
/** Milliseconds that a turn is waited for at the end of the process. */
const turn = 50;

/** One sink for several: they are told in one turn of all requests that ended until then, with one timer for all. */
export class BehindAnswers implements Sink {
  readonly #sinks: readonly Sink[];
  readonly #now: Clock;
  #waiting: FinishedRequest[] = [];
  /** Epoch ms; 0: no turn is planned. */
  #planned = 0;

  constructor(sinks: readonly Sink[], now: Clock) {
    this.#sinks = sinks;
    this.#now = now;
  }

  tell(finished: FinishedRequest, background: Background): void {
    if (this.#sinks.every((sink) => sink.ignores?.(finished) === true)) return;
    this.#waiting.push(finished);
    const now = this.#now();
    if (this.#planned !== 0 && now - this.#planned < lost) return;
    this.#planned = now;
    background(this.#tellSoon(background));
  }

  stats(): readonly SinkStats[] {
    return this.#sinks.flatMap((sink) => sink.stats?.() ?? []);
  }

  async flush(): Promise<void> {
    // The planned turn comes at once, in a request of its own.
    if (this.#waiting.length > 0) await new Promise((resolve) => setTimeout(resolve, turn));
    await Promise.all(this.#sinks.map(async (sink) => await sink.flush?.()));
  }

  async #tellSoon(background: Background): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#tellAll(background);
  }

  #tellAll(background: Background): void {
    const finished = this.#waiting;
    this.#waiting = [];
    this.#planned = 0;
    for (const each of finished) for (const sink of this.#sinks) tellOne(sink, each, background);
  }
}

/** A fault of one sink is no other's. */
function tellOne(sink: Sink, finished: FinishedRequest, background: Background): void {
  try {
    sink.tell(finished, background);
  } catch (error) {
    console.error("a sink could not be told of a request:", String(error));
  }
}
