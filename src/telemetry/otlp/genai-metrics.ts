/** What a finished request adds to the metrics. No attribute holds a client's text. */
import { elapsed } from "../../lib/clock.ts";
import type { AttemptRecord } from "../../workspace/contract/request-record.ts";
import type {
  AnswerFacts,
  CallTarget,
  FinishedIdentified,
  FinishedRequest,
} from "../finished-request.ts";
import { operationNameOf, providerNameOf } from "../trace/conventions.ts";
import { finishedOutcome } from "../outcome.ts";
import { attemptError, calledModel } from "../trace/spans.ts";
import type { Meter, SeriesName } from "./meter.ts";
import type { Instrument } from "./metric.ts";

/** 1, 4, 16 … : the conventions' advice for tokens. */
const tokenBounds = Array.from({ length: 14 }, (_, power) => 4 ** power);
/** 0.01, 0.02, 0.04 … : their advice for seconds. */
const secondBounds = Array.from({ length: 14 }, (_, power) => 2 ** power / 100);
const seconds = { unit: "s", bounds: secondBounds };

const tokenUsage: Instrument = {
  name: "gen_ai.client.token.usage",
  unit: "{token}",
  description: "Number of input and output tokens used.",
  bounds: tokenBounds,
};
const duration: Instrument = {
  name: "gen_ai.client.operation.duration",
  description: "GenAI operation duration.",
  ...seconds,
};
const firstChunk: Instrument = {
  name: "gen_ai.client.operation.time_to_first_chunk",
  description: "Time to receive the first chunk of a streamed response.",
  ...seconds,
};
const perChunk: Instrument = {
  name: "gen_ai.client.operation.time_per_output_chunk",
  description: "Time per output chunk of a streamed response after the first one.",
  ...seconds,
};
const requests: Instrument = {
  name: "gateway.requests",
  unit: "{request}",
  description: "Requests that ended.",
};
const cost: Instrument = { name: "gateway.cost", unit: "USD", description: "What requests cost." };
/** What an exporter gave up. */
export const sinkDropped: Instrument = {
  name: "gateway.sink.dropped",
  unit: "{item}",
  description: "Spans and points that could not be sent.",
};

/** Names of models and of servers that this isolate tells; one more is told as `other`. */
const mostNames = 200;
const other = "other";

export class GenAiMetrics {
  readonly #meter: Meter;
  readonly #models = new Set<string>();
  readonly #servers = new Set<string>();

  constructor(meter: Meter) {
    this.#meter = meter;
  }

  /** Adds the request and its calls. */
  count(finished: FinishedRequest): void {
    this.#meter.add(requests, 1, { to: requestSeries(finished) });
    if (!finished.identified) return;
    const targets = finished.calls();
    for (const [index, attempt] of finished.record.attempts.entries()) {
      const target = targets[index];
      if (target !== undefined) this.#countCall(attempt, target, finished);
    }
  }

  #countCall(attempt: AttemptRecord, target: CallTarget, finished: FinishedIdentified): void {
    const call = this.#callSeries(attempt, target, finished);
    const { usage } = attempt;
    const failed = attribute(call, "error.type", attemptError(attempt));
    this.#meter.add(duration, attempt.ms / 1000, { to: failed });
    if (attempt.cost !== undefined) this.#meter.add(cost, attempt.cost, { to: call });
    // An estimate is no count: the conventions want none of it.
    if (usage !== undefined && !usage.estimated) {
      const typed = (type: string): SeriesName => attribute(call, "gen_ai.token.type", type);
      this.#meter.add(tokenUsage, usage.input_tokens, { to: typed("input") });
      this.#meter.add(tokenUsage, usage.output_tokens, { to: typed("output") });
    }
    const { answer, record } = finished;
    if (answer !== undefined && record.stream && attempt === record.attempts.at(-1))
      this.#countChunks(attempt, answer, call);
  }

  /** Chunks are not timed one by one: each but the first counts with the mean. */
  #countChunks(
    { begun, ms }: AttemptRecord,
    { firstByte, chunks }: AnswerFacts,
    to: SeriesName,
  ): void {
    if (begun === undefined) return;
    this.#meter.add(firstChunk, elapsed(begun, firstByte) / 1000, { to });
    const times = chunks - 1;
    const rest = elapsed(firstByte, begun + ms);
    if (times > 0) this.#meter.add(perChunk, rest / times / 1000, { to, times });
  }

  #callSeries(
    attempt: AttemptRecord,
    { kind, server }: CallTarget,
    { namesModel, format }: FinishedIdentified,
  ): SeriesName {
    const operation = operationNameOf(format);
    const host = server && told(this.#servers, `${server.address}:${server.port}`);
    const model = namesModel(attempt.model) ? told(this.#models, calledModel(attempt)) : other;
    return {
      key: `${operation} ${kind} ${host} ${model}`,
      attributes: () => [
        ["gen_ai.operation.name", operation],
        ["gen_ai.provider.name", providerNameOf(kind)],
        ["gen_ai.request.model", model],
        ["server.address", host === other ? other : server?.address],
        ["server.port", host === other ? undefined : server?.port],
      ],
    };
  }
}

/** The same series with one attribute more. */
function attribute(
  { key, attributes }: SeriesName,
  name: string,
  value: string | undefined,
): SeriesName {
  return { key: `${key} ${value}`, attributes: () => [...attributes(), [name, value]] };
}

/** The name, or `other` where there are too many already. */
function told(names: Set<string>, name: string): string {
  if (names.has(name)) return name;
  if (names.size >= mostNames) return other;
  names.add(name);
  return name;
}

function requestSeries(finished: FinishedRequest): SeriesName {
  const { format, status, refusedWith } = finished;
  const outcome = finishedOutcome(finished);
  return {
    key: `${format} ${status} ${outcome} ${refusedWith}`,
    attributes: () => [
      ["gateway.format", format],
      ["http.response.status_code", status],
      ["gateway.outcome", outcome],
      ["gateway.refusal", refusedWith],
    ],
  };
}
