/**
 * The response to a request under way. It begins with the answer; where the provider is silent for long, before it: a
 * client that closed its connection is noticed by writing alone. What is written then means nothing in the client's
 * format, so that candidates may still fail and others answer behind it.
 */
import type { AnswerFraming, ClientFormat } from "../core/format.ts";
import type { Failure } from "../core/failure.ts";
import type { Prepared, NoAnswer, SilentCall, Started } from "../upstream/upstream.ts";
import { answerWith } from "./answer-head.ts";
import { routedTo } from "./attempt.ts";
import {
  answerHeaders,
  deliver,
  echoOf,
  jsonForm,
  pumpInput,
  settledWhole,
  type AnswerDelivery,
} from "./deliver.ts";
import { describeFailure, type DescribedFailure } from "./failure-answer.ts";
import { type Outlet, outletTo } from "./outlet.ts";
import { loggedProblem } from "./problems.ts";
import { errorDetails } from "./refuse.ts";
import type { Silence } from "./silence.ts";
import { streamHeaders, wholeStream } from "./stream-form.ts";
import { pump } from "./stream.ts";
import { heartbeat, lookInterval } from "./watchdog.ts";

/** The answer's response, or one that is committed before it. Throws what the attempt throws before that. */
export async function respond(
  attempting: Promise<Started>,
  silence: Silence | undefined,
  delivery: AnswerDelivery,
): Promise<Response> {
  const silent = await silence?.before(attempting);
  if (silent === undefined) return await deliver(await attempting, delivery);
  return new Committed(silent, delivery).response(attempting);
}

const encoder = new TextEncoder();
/** The next look would be too late for a word every `heartbeat`. */
const mostIdle = heartbeat - lookInterval;

/** A response that has begun without an answer. */
class Committed {
  readonly #silent: SilentCall;
  readonly #delivery: AnswerDelivery;
  readonly #writer: WritableStreamDefaultWriter;
  readonly #readable: ReadableStream;
  readonly #out: Outlet;

  constructor(silent: SilentCall, delivery: AnswerDelivery) {
    this.#silent = silent;
    this.#delivery = delivery;
    const { readable, writable } = new IdentityTransformStream();
    this.#readable = readable;
    this.#writer = writable.getWriter();
    const { departure } = delivery.decided;
    this.#out = outletTo(this.#writer, { abort: () => departure.happen() });
    departure.whenever(() => this.#out.giveUp());
  }

  /** With the headers of the candidate that is silent. */
  response(attempting: Promise<Started>): Response {
    const { decided, exchange, services } = this.#delivery;
    const { prepared, headers } = this.#silent;
    if (this.#streams) exchange.holds(services.inFlight.stream());
    exchange.routed(routedTo(prepared.model, decided));
    decided.waitUntil(this.#finish(attempting));
    return answerWith(this.#readable, {
      facts: exchange.headerFacts,
      form: this.#streams ? streamHeaders(this.#framing) : jsonForm,
      own: answerHeaders({ prepared, headers: headers() }, decided),
    });
  }

  get #streams(): boolean {
    return this.#delivery.decided.request.description.stream;
  }

  get #client(): ClientFormat {
    return this.#delivery.decided.client;
  }

  get #framing(): AnswerFraming | undefined {
    return this.#client.framing?.(this.#delivery.decided.address);
  }

  /** Settles the request however it ends; never throws. */
  async #finish(attempting: Promise<Started>): Promise<void> {
    const cut = await this.#keptAlive(attempting);
    try {
      if (cut !== undefined) await this.#cutShort(cut, attempting);
      else await this.#passOn(await attempting);
    } catch (error) {
      const problem = loggedProblem(error);
      await this.#delivery.exchange.end({ kind: "refused", problem });
      const details = errorDetails(problem, this.#delivery.decided);
      const { status, type, message } = details;
      const failure: Failure = { cause: "stated", status, type, message, ours: true };
      await this.#tell({ details, failure });
    }
  }

  /** Writes what means nothing while the attempt runs. Why this process ends the response, where it does first. */
  #keptAlive(attempting: Promise<Started>): Promise<Failure | undefined> {
    const { decided, services } = this.#delivery;
    const filler = encoder.encode(this.#filler());
    const out = this.#out;
    out.keepAlive(() => filler);
    return new Promise((resolve) => {
      const look = (): void => {
        if (out.keepAliveBegun() || out.idleFor() >= mostIdle) out.keepAlive(() => filler);
        const cut = services.drain.cut(decided.time);
        if (cut !== undefined) over(cut);
      };
      const timer = setInterval(look, lookInterval);
      const over = (cut?: Failure): void => {
        clearInterval(timer);
        resolve(cut);
      };
      attempting.then(
        () => over(),
        () => over(),
      );
    });
  }

  #filler(): string {
    if (!this.#streams) return " ";
    return this.#framing?.keepAlive ?? this.#client.relayKeepAlive;
  }

  async #passOn(started: Started): Promise<void> {
    switch (started.kind) {
      case "stream": {
        let input;
        try {
          input = pumpInput(started, this.#delivery);
        } catch (error) {
          // A fault on the way to the pump ends the provider's call, which nobody would read.
          started.source.cancel();
          started.controller.abort();
          throw error;
        }
        await this.#write(this.#named(started));
        return await pump(input, this.#writer);
      }
      case "whole": {
        const body = await settledWhole(started, this.#delivery);
        await this.#write(this.#named(started));
        return await this.#close(body);
      }
      case "failed": {
        const described = describeFailure(started, this.#delivery.decided);
        await this.#endUnanswered(started, described);
        return await this.#tell(described);
      }
      default:
        return started satisfies never;
    }
  }

  /** Which model answers in place of the one that the headers name. */
  #named({ prepared: { model } }: { readonly prepared: Prepared }): string {
    const { id } = model;
    const isSame = id === this.#silent.prepared.model.id;
    if (isSame || !this.#streams || this.#framing !== undefined) return "";
    return this.#client.comment?.(`model ${id}`) ?? "";
  }

  /** The process is about to end: the client is told, then the provider's call is given up. */
  async #cutShort(cut: Failure, attempting: Promise<Started>): Promise<void> {
    const { decided } = this.#delivery;
    const { status, message } = cut;
    const type = this.#client.errorType(status, "server_error");
    const details = { status, message, type, code: decided.policy.code("overloaded", status) };
    await this.#tell({ details, failure: cut });
    decided.departure.happen();
    const started = await attempting;
    if (started.kind === "failed") await this.#endUnanswered(endedBy(started, cut), { details });
    else await this.#passOn(started);
  }

  async #endUnanswered(
    answer: NoAnswer,
    { details: { status, message } }: Pick<DescribedFailure, "details">,
  ): Promise<void> {
    const { decided, exchange } = this.#delivery;
    await exchange.end({ kind: "unanswered", decided, answer, status, message });
  }

  /** A failure by the error event of the format, or as the body where no stream was asked for. */
  async #tell({ details, failure }: Pick<DescribedFailure, "details" | "failure">): Promise<void> {
    const { decided, services } = this.#delivery;
    if (!this.#streams)
      return await this.#close(JSON.stringify(this.#client.writeError(details, decided.id)));
    const writer = this.#client.eventWriter(echoOf(this.#silent, decided, services));
    const told: Failure = { ...failure, beforeContent: true };
    await this.#close(wholeStream(writer.write([{ kind: "fail", failure: told }]), this.#framing));
  }

  /** The last of the response. */
  async #close(text: string | Uint8Array): Promise<void> {
    await this.#write(text);
    await this.#writer.close().catch(() => undefined);
  }

  /** A client that has gone is noticed by whoever writes next. */
  async #write(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? encoder.encode(text) : text;
    if (bytes.length > 0 || this.#out.keepAliveBegun())
      await this.#out.write(bytes).catch(() => undefined);
  }
}

/** The failure of a call that the gateway itself gave up. */
function endedBy({ failures: [first, ...others], ...answer }: NoAnswer, cut: Failure): NoAnswer {
  const ended = <Candidate extends typeof first>(candidate: Candidate): Candidate =>
    candidate.failure.cause === "left" ? { ...candidate, failure: cut } : candidate;
  return { ...answer, failures: [ended(first), ...others.map(ended)] };
}
