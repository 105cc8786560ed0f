/**
 * The one thing of a request that has a life: how far it came, its lease, the facts of its headers, and its end.
 * Whatever happens, `end` settles it exactly once.
 */
import { renewInterval } from "../workspace/client/client.ts";
import type { RateState } from "../workspace/contract/admission.ts";
import type { RequestRecord } from "../workspace/contract/request-record.ts";
import type { SealedReasoning } from "../workspace/contract/sealed-reasoning.ts";
import type { Admission } from "./admit.ts";
import { baseHeaders, type HeaderFacts, type HeaderRecord, type RoutingFacts } from "./headers.ts";
import type { Identified } from "./identify.ts";
import type { HeldPlace } from "./isolate/in-flight.ts";
import type { ExchangeOutcome } from "./outcome.ts";
import type { Parsed } from "./parse.ts";
import type { Planned } from "./plan.ts";
import { letGo, type Received } from "./received.ts";
import { sealedReasoning } from "./reasoning-keeper.ts";
import { requestRecordOf } from "./record.ts";
import type { Services } from "./services.ts";
import type { FinishedRequest } from "../telemetry/finished-request.ts";
import { finishedIdentified, finishedUnidentified, stageTimes } from "./finished.ts";
import { bookRequest } from "./booking.ts";

/** What later stages add is in their own types. */
type Stage = Received | Identified | Parsed | Planned;

/** Made outside of any request, so that all may await it. */
const nothingToWaitFor = Promise.resolve();

export class Exchange {
  readonly #services: Services;
  #stage: Stage;
  #rate: RateState | null = null;
  #routing: RoutingFacts | undefined;
  /** It was admitted with a lease. */
  #leased = false;
  readonly #held: HeldPlace[] = [];
  #ended: Promise<void> | undefined;
  /** Told when it has ended. */
  #onEnd: ((ended: Promise<void>) => void) | undefined;
  /** When the stages after the arrival were reached, in order; epoch ms. */
  readonly #reachedAt: number[] = [];

  constructor(received: Received, services: Services) {
    this.#stage = received;
    this.#services = services;
  }

  /** Where the client leaves, the work goes on to the exchange's end: the runtime would stop it in the middle. */
  survivesDeparture(): void {
    const { departure, waitUntil } = this.#stage;
    departure.whenever(() => waitUntil(this.#untilEnded()));
  }

  #untilEnded(): Promise<void> {
    return this.#ended ?? new Promise((resolve) => (this.#onEnd = resolve));
  }

  /** The stage that the request has reached: its end knows what is known there. */
  get stage(): Stage {
    return this.#stage;
  }

  /** Notes the stage, with the time, and hands it on. */
  reached<S extends Stage>(stage: S): S {
    this.#stage = stage;
    this.#reachedAt.push(this.#services.now());
    return stage;
  }

  /** The state of the request's window, for the rate headers. */
  counted(rate: RateState | null): void {
    this.#rate = rate;
  }

  /** The request has a slot and a share of the budget: from now on its lease is renewed until the end. */
  admitted({ rate, lease }: Pick<Admission, "rate" | "lease">): void {
    this.#rate = rate;
    const stage = this.#stage;
    if (lease === null || !("holder" in stage)) return;
    this.#leased = true;
    const { workspace } = stage.holder;
    const { now, workspaces } = this.#services;
    const renewal = stage.timer.at(now() + renewInterval, () => {
      renewal.move(now() + renewInterval);
      for (const place of this.#held) place.renew();
      // A lease that cannot be renewed now is renewed next time.
      workspaces.renew(workspace, lease.id).catch(() => undefined);
    });
  }

  /** What is given back at the end: its place among the requests in flight, and among the streams. */
  holds(place: HeldPlace): void {
    this.#held.push(place);
  }

  /** Which model answers, or would have. */
  routed(routing: RoutingFacts): void {
    this.#routing = routing;
  }

  /** What the headers of its answer tell. */
  get headerFacts(): HeaderFacts {
    return { received: this.#stage, rate: this.#rate, routing: this.#routing };
  }

  /** Headers that every answer carries. `refusedWith`: the code of a refusal. */
  headers(refusedWith?: string): HeaderRecord {
    const facts = this.headerFacts;
    return baseHeaders(refusedWith === undefined ? facts : { ...facts, refusedWith });
  }

  /** Settles the request: the first outcome counts. Done when the answer may end. */
  end(outcome: ExchangeOutcome): Promise<void> {
    this.#ended ??= this.#settle(outcome) ?? nothingToWaitFor;
    this.#onEnd?.(this.#ended);
    return this.#ended;
  }

  #settle(outcome: ExchangeOutcome): Promise<void> | undefined {
    for (const place of this.#held) place.release();
    const stage = this.#stage;
    if (!stage.generates) {
      letGo(stage);
      return undefined;
    }
    const now = this.#services.now();
    // Asked before the timer is let go.
    const clockStep = now < stage.time || stage.timer.clockStepped;
    letGo(stage);
    const times = stageTimes(stage.time, this.#reachedAt, now);
    if (!("holder" in stage)) {
      this.#tellSinks(finishedUnidentified(stage, outcome, times));
      return undefined;
    }
    const record = requestRecordOf(outcome, {
      stage,
      routing: this.#routing,
      now,
      clockStep,
    });
    this.#tellSinks(finishedIdentified(stage, outcome, { record, times }));
    if (!this.#leased) return bookRequest({ kind: "refused", record }, stage, this.#services);
    const keeps = outcome.kind === "answered" && outcome.totals.reasoning !== undefined;
    if (keeps) return this.#settleWithReasoning(outcome, stage, record);
    return bookRequest({ kind: "settled", record }, stage, this.#services);
  }

  /** The next request may come back for the reasoning at once. */
  async #settleWithReasoning(
    outcome: ExchangeOutcome,
    stage: Identified,
    record: RequestRecord,
  ): Promise<void> {
    const reasoning = await this.#reasoning(outcome);
    const kept = reasoning !== undefined && { reasoning };
    await bookRequest({ kind: "settled", record, ...kept }, stage, this.#services);
  }

  /** If reasoning can't be encrypted, the response is settled without it. */
  async #reasoning(outcome: ExchangeOutcome): Promise<SealedReasoning | undefined> {
    try {
      return await sealedReasoning(outcome, this.#services);
    } catch (error) {
      console.error("reasoning could not be kept:", String(error));
      return undefined;
    }
  }

  /** Their errors must not affect anything else. */
  #tellSinks(finished: FinishedRequest): void {
    for (const sink of this.#services.sinks) {
      try {
        sink.tell(finished, this.#stage.waitUntil);
      } catch (error) {
        console.error("a sink could not be told of a request:", String(error));
      }
    }
  }
}
