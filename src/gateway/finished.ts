/** What sinks are told of a request that ended. Pure. */
import type { ProblemCode } from "../core/problem.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { serverOf } from "../providers/connection/server-address.ts";
import type {
  AnswerFacts,
  CallTarget,
  FinishedIdentified,
  FinishedUnidentified,
  StageTimes,
} from "../telemetry/finished-request.ts";
import type { AttemptRecord, RequestRecord } from "../workspace/contract/request-record.ts";
import type { Identified } from "./identify.ts";
import { isModelNamed, ownNameOf } from "./candidates/model-names.ts";
import type { Answered, ExchangeOutcome } from "./outcome.ts";
import type { Parsed } from "./parse.ts";
import type { Planned } from "./plan.ts";
import type { Received } from "./received.ts";
import { keptText } from "./kept-texts.ts";
import { tracedText } from "./traced-text.ts";

/** The names of the times at which a request reached its stages, in the order of `handle.ts`; no later one has an earlier time, even where the clock was set back. */
export function stageTimes(arrived: number, reached: readonly number[], ended: number): StageTimes {
  let latest = arrived;
  const [identified, parsed, planned, admitted] = reached.map(
    (time) => (latest = Math.max(latest, time)),
  );
  return { arrived, identified, parsed, planned, admitted, ended: Math.max(latest, ended) };
}

/** A request without a known key. */
export function finishedUnidentified(
  received: Received,
  outcome: ExchangeOutcome,
  times: StageTimes,
): FinishedUnidentified {
  const { id, client, operation, http, trace } = received;
  return {
    identified: false,
    id,
    format: operation ?? client.name,
    status: outcome.kind === "refused" ? outcome.problem.status : 500,
    times,
    refusedWith: refusedWith(outcome),
    method: methodOf(http),
    scheme: schemeOf(http),
    trace: trace?.span,
  };
}

/** The end of a request with a known key. */
interface End {
  readonly stage: Identified | Parsed | Planned;
  readonly outcome: ExchangeOutcome;
  readonly record: RequestRecord;
  readonly times: StageTimes;
}

/** A request of a known key. */
export function finishedIdentified(
  stage: Identified | Parsed | Planned,
  outcome: ExchangeOutcome,
  { record, times }: { record: RequestRecord; times: StageTimes },
): FinishedIdentified {
  return new IdentifiedEnd({ stage, outcome, record, times });
}

/** Most sinks need few of these facts, and most facts cost something to compute: they are computed on demand. */
class IdentifiedEnd implements FinishedIdentified {
  readonly identified = true;
  readonly record: RequestRecord;
  readonly times: StageTimes;
  readonly #stage: End["stage"];
  readonly #outcome: ExchangeOutcome;

  constructor({ stage, outcome, record, times }: End) {
    this.#stage = stage;
    this.#outcome = outcome;
    this.record = record;
    this.times = times;
  }

  get id(): string {
    return this.#stage.id;
  }

  get format(): FinishedIdentified["format"] {
    return this.record.format;
  }

  get status(): number {
    return this.record.status;
  }

  get workspace(): string {
    return this.#stage.holder.workspace;
  }

  get method(): string {
    return methodOf(this.#stage.http);
  }

  get scheme(): FinishedIdentified["scheme"] {
    return schemeOf(this.#stage.http);
  }

  get trace(): FinishedIdentified["trace"] {
    return this.#stage.trace?.span;
  }

  get refusedWith(): ProblemCode | undefined {
    return refusedWith(this.#outcome);
  }

  /** Before the plan nothing is known of any model. */
  readonly namesModel = (id: string): boolean =>
    "plan" in this.#stage && isModelNamed(id, this.#stage.plan);

  get requestedModel(): string | undefined {
    if (!("plan" in this.#stage)) return undefined;
    const { request, plan } = this.#stage;
    return ownNameOf(request.description.model, plan);
  }

  calls(): readonly CallTarget[] {
    const outcome = this.#outcome;
    if (outcome.kind === "refused") return [];
    const { candidates } = outcome.decided.chosen;
    return this.record.attempts.map((attempt) => callOf(attempt, candidates));
  }

  get answer(): AnswerFacts | undefined {
    return this.#outcome.kind === "answered" ? answerFacts(this.#outcome) : undefined;
  }

  get text(): FinishedIdentified["text"] {
    const outcome = this.#outcome;
    if (outcome.kind !== "answered") return undefined;
    const { plan, operation } = outcome.decided;
    if (plan.harness.trace_text !== true || operation !== undefined) return undefined;
    return () => tracedText(outcome, (text) => keptText(text, plan.harness));
  }
}

function methodOf({ method }: Request): string {
  return methods.has(method) ? method : "_OTHER";
}

function schemeOf({ url }: Request): "http" | "https" {
  return url.startsWith("https:") ? "https" : "http";
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH"]);

function callOf(
  { model: id, providerFormat }: AttemptRecord,
  candidates: readonly ListedModel[],
): CallTarget {
  const connection = candidates.find((candidate) => candidate.id === id)?.connection;
  if (connection === undefined) return { kind: "custom" };
  const server = providerFormat && serverOf(connection, providerFormat);
  return { kind: connection.kind, ...(server && { server }) };
}

/** Characters of what a provider calls its answer and its model. */
const longestName = 200;

function answerFacts({ totals, firstByte }: Answered): AnswerFacts {
  const { id, model, stop, chunks } = totals;
  return {
    ...(id !== undefined && { id: id.slice(0, longestName) }),
    ...(model !== undefined && { model: model.slice(0, longestName) }),
    ...(stop !== undefined && { stop }),
    chunks,
    firstByte,
  };
}

function refusedWith(outcome: ExchangeOutcome): ProblemCode | undefined {
  return outcome.kind === "refused" ? outcome.problem.marker : undefined;
}
