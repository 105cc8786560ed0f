/** The candidates in order, until one speaks. */
import type { Failure } from "../core/failure.ts";
import { Problem } from "../core/problem.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { Credentials } from "../providers/models/fetch-list.ts";
import type { Policy } from "../policy/policy.ts";
import { bodyFaults } from "../policy/policy.ts";
import type { Mode } from "../store/env.ts";
import { attempt, type Prepared, type Started } from "./attempt.ts";

export interface ChainInput {
  candidates: readonly ListedModel[];
  policy: Policy;
  now: () => number;
  /** Writes the request for a candidate. Throws Problem where this candidate cannot be told. */
  prepare(model: ListedModel): Promise<{ prepared: Prepared; credentials: Credentials }>;
  mode: Mode;
  query: string;
  headers: Headers;
}

export type Spoken = Exclude<Started, { kind: "failed" }>;

export type ChainResult =
  | {
      ok: true;
      started: Spoken;
      prepared: Prepared;
      credentials: Credentials;
      controller: AbortController;
      records: AttemptRecord[];
      begun: number;
    }
  | {
      ok: false;
      failures: readonly [FailedCandidate, ...FailedCandidate[]];
      records: AttemptRecord[];
    };

export interface FailedCandidate {
  /** `<connection>/<model>`. */
  model: string;
  failure: Failure;
  /** The provider speaks the client's dialect: its error type is a word of that dialect. */
  native: boolean;
}

/** Calls of providers in one request, retries included. */
const mostCalls = 6;
/** Longest `Retry-After` that is waited for, in seconds. */
const patience = 5;

/** Throws the first candidate's Problem when none of them could be called at all. */
export async function runChain(input: ChainInput): Promise<ChainResult> {
  const { candidates, policy } = input;
  const state = { calls: 0, retried: new Set<string>(), records: [] as AttemptRecord[] };
  const failures: FailedCandidate[] = [];
  let problem: Problem | undefined;
  for (const [index, model] of candidates.entries()) {
    if (state.calls >= mostCalls) break;
    if (policy.overflowNeedsLarger && tooSmall(model, failures, candidates)) continue;
    try {
      const left = candidates.length - index - 1;
      const result = await tryCandidate(input, { model, left, state });
      if (result.ok) return result;
      failures.push({ model: model.id, failure: result.failure, native: result.native });
      if (!policy.fallsBack(result.failure, hasLarger(model, candidates.slice(index + 1)))) break;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem ??= error;
      failures.push({ model: model.id, failure: uncalled(error, policy), native: false });
    }
  }
  const [first, ...others] = failures;
  const called = state.calls > 0;
  if (first === undefined || !called)
    throw problem ?? new Problem("M101", "No provider is connected.");
  return { ok: false, failures: [first, ...others], records: state.records };
}

/** A candidate that could not be called, in the gateway's own words. */
function uncalled(problem: Problem, policy: Policy): Failure {
  const { status, type, code } = problem;
  return { cause: "status", status, type, code, message: policy.message(problem) };
}

interface Turnover {
  model: ListedModel;
  /** Candidates that were not tried yet. */
  left: number;
  state: { calls: number; retried: Set<string>; records: AttemptRecord[] };
}

async function tryCandidate(
  input: ChainInput,
  { model, left, state }: Turnover,
): Promise<Extract<ChainResult, { ok: true }> | { ok: false; failure: Failure; native: boolean }> {
  for (;;) {
    const { prepared, credentials } = await input.prepare(model);
    const controller = new AbortController();
    const begun = input.now();
    const started = await attempt({
      prepared,
      credentials,
      mode: input.mode,
      query: input.query,
      headers: input.headers,
      controller,
    });
    // A Problem thrown by the attempt is no call: nothing went out.
    state.calls++;
    if (started.kind !== "failed") {
      return {
        ok: true,
        started,
        prepared,
        credentials,
        controller,
        records: state.records,
        begun,
      };
    }
    const { failure } = started;
    state.records.push(failureRecord(model.id, failure, { begun, now: input.now() }));
    const wait = retryWait(failure, left);
    const roomLeft = state.calls + 1 + left <= mostCalls;
    if (wait === undefined || !roomLeft || state.retried.has(model.connection.id))
      return { ok: false, failure, native: prepared.relay };
    state.retried.add(model.connection.id);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait * 1000));
  }
}

/** Seconds to wait before asking the same provider again, or undefined when that makes no sense. */
function retryWait(failure: Failure, left: number): number | undefined {
  if (failure.cause === "refused" || failure.cause === "reset") return 0;
  const asksToWait =
    (failure.status === 429 || failure.status === 503) && failure.retryAfter !== undefined;
  // Another candidate answers sooner than a pause.
  return asksToWait &&
    left === 0 &&
    failure.retryAfter !== undefined &&
    failure.retryAfter <= patience
    ? failure.retryAfter
    : undefined;
}

/** After an overflow only models that read more are worth a call. */
function tooSmall(
  model: ListedModel,
  failures: readonly FailedCandidate[],
  candidates: readonly ListedModel[],
): boolean {
  return failures.some(({ model: id, failure }) => {
    if (failure.overflow !== true) return false;
    const failed = candidates.find((candidate) => candidate.id === id);
    return failed !== undefined && !(windowOf(model) > windowOf(failed));
  });
}

function hasLarger(model: ListedModel, later: readonly ListedModel[]): boolean {
  return later.some((other) => windowOf(other) > windowOf(model));
}

const windowOf = (model: ListedModel): number => model.info.contextWindow ?? 0;

/** An attempt that failed, for the log and for the candidate's health. */
export function failureRecord(
  model: string,
  failure: Failure,
  times: { begun: number; now: number },
): AttemptRecord {
  const longPause =
    (failure.status === 429 || failure.status === 503) && (failure.retryAfter ?? 0) > patience;
  return {
    model,
    status: failure.status,
    ms: times.now - times.begun,
    outcome: bodyFaults.has(failure.status) ? "neutral" : "failed",
    error: failure.message.slice(0, 500),
    ...(longPause && { coolUntil: times.now + Math.min(60, failure.retryAfter ?? 0) * 1000 }),
  };
}
