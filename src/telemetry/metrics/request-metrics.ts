/** Counts finished requests in this isolate's memory, for `GET /metrics`. */
import { elapsed } from "../../lib/clock.ts";
import type { AttemptRecord, BookedUsage } from "../../workspace/contract/request-record.ts";
import type { FinishedIdentified, FinishedRequest, StageTimes } from "../finished-request.ts";
import { finishedOutcome } from "../outcome.ts";
import type { Sink } from "../sink.ts";
import { CoolingModels } from "./cooling.ts";
import { counters, histograms } from "./families.ts";
import { type ModelLabels, ModelLabelTable, noModel, none } from "./labels.ts";
import { Registry } from "./registry.ts";

/** The metrics of requests. */
export class RequestMetrics implements Sink {
  readonly registry = new Registry();
  readonly cooling = new CoolingModels();
  /** Epoch ms at which it began with nothing. */
  readonly since: number;
  readonly #labels = new ModelLabelTable();
  readonly #requests = this.registry.counter(counters.requests);
  readonly #failures = this.registry.counter(counters.failures);
  readonly #blocks = this.registry.counter(counters.blocks);
  readonly #attempts = this.registry.counter(counters.attempts);
  readonly #fallbacks = this.registry.counter(counters.fallbacks);
  readonly #tokens = this.registry.counter(counters.tokens);
  readonly #cost = this.registry.counter(counters.cost);
  readonly #duration = this.registry.histogram(histograms.duration);
  readonly #firstContent = this.registry.histogram(histograms.firstContent);
  readonly #overhead = this.registry.histogram(histograms.overhead);
  readonly #admission = this.registry.histogram(histograms.admission);

  constructor(since: number) {
    this.since = since;
  }

  tell(finished: FinishedRequest): void {
    const { times } = finished;
    const labels = this.#labelsOf(finished);
    this.#countEnd(finished, labels);
    this.#duration.observe(labels.pair, times.ended - times.arrived);
    if (!finished.identified) return;
    this.#timeStages(finished);
    this.#countAnswer(finished, labels);
  }

  /** Of the model that answered, or that was tried last. */
  #labelsOf(finished: FinishedRequest): ModelLabels {
    if (!finished.identified) return noModel;
    const { record, namesModel } = finished;
    const id = record.model ?? record.attempts.at(-1)?.model;
    return id === undefined ? noModel : this.#labels.of(id, namesModel);
  }

  #countEnd(finished: FinishedRequest, labels: ModelLabels): void {
    const { format, status, refusedWith } = finished;
    const outcome = finishedOutcome(finished);
    this.#requests.add(labels.ended(format, classOf(status), outcome), 1);
    const record = finished.identified ? finished.record : undefined;
    if (outcome === "fallback") this.#fallbacks.add(labels.pair, 1);
    if (outcome === "blocked")
      this.#blocks.add([refusedWith ?? none, record?.blocked_by ?? none], 1);
    if (outcome !== "failed") return;
    const cause = refusedWith ?? record?.attempts.at(-1)?.cause ?? none;
    this.#failures.add([format, labels.provider, cause], 1);
  }

  #timeStages({ times, record }: FinishedIdentified): void {
    const { planned, admitted } = times;
    if (planned === undefined || admitted === undefined) return;
    this.#admission.observe(noLabels, admitted - planned);
    const called = record.attempts.find(({ side }) => side !== true)?.begun;
    const overhead = called === undefined ? undefined : overheadOf(times, called);
    if (overhead !== undefined) this.#overhead.observe(noLabels, overhead);
  }

  #countAnswer(finished: FinishedIdentified, { pair }: ModelLabels): void {
    const { record } = finished;
    if (record.stream && record.first_byte_ms !== null)
      this.#firstContent.observe(pair, record.first_byte_ms);
    for (const attempt of record.attempts) this.#countAttempt(finished, attempt);
  }

  #countAttempt(finished: FinishedIdentified, attempt: AttemptRecord): void {
    const { workspace, times, namesModel } = finished;
    const labels = this.#labels.of(attempt.model, namesModel);
    this.#attempts.add(labels.with(attempt.outcome), 1);
    if (attempt.usage !== undefined) this.#countTokens(labels, attempt.usage);
    if (attempt.cost !== undefined) this.#cost.add(labels.pair, attempt.cost);
    this.cooling.note(attempt, { workspace, labels, now: times.ended });
  }

  #countTokens(labels: ModelLabels, usage: BookedUsage): void {
    for (const [kind, member] of tokenKinds) {
      const amount = usage[member];
      // What never happens at a model needs no line.
      if (amount > 0) this.#tokens.add(labels.with(kind), amount);
    }
  }
}

const noLabels: readonly string[] = [];

const tokenKinds = [
  ["input", "input_tokens"],
  ["cached", "cached_tokens"],
  ["cache_write", "cache_write_tokens"],
  ["output", "output_tokens"],
  ["reasoning", "reasoning_tokens"],
] as const;

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}

/** Milliseconds between the arrival and the first call, without the reading of the body and without admission. */
function overheadOf(times: StageTimes, called: number): number | undefined {
  const { arrived, identified, parsed, planned, admitted } = times;
  if (identified === undefined || parsed === undefined) return undefined;
  if (planned === undefined || admitted === undefined) return undefined;
  return identified - arrived + (planned - parsed) + elapsed(admitted, called);
}
