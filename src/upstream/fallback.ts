/** Asks the candidates in order, until one answers. */
import type { Failure } from "../core/failure.ts";
import { Problem, problemCodes } from "../core/problem.ts";
import type { Policy } from "../policy/policy.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { mostCalls } from "./retry.ts";
import {
  after,
  type Ask,
  type FailedCandidate,
  type Layer,
  type NoAnswer,
  type Started,
  type Upstream,
} from "./upstream.ts";

/** A wait in vain for a whole answer behind which no other candidate is asked, in ms. */
const longWait = 60_000;

/** Throws the first candidate's Problem when none of them could be called at all. */
export function fallback(policy: Policy): Layer {
  const askInTurn = askingInTurn(policy);
  return (next) => async (ask) => {
    // The first one answers nearly always, and is asked as the request stands.
    const first = await askOne(next, ask);
    return hasAnswered(first) ? first : await askInTurn(ask, first, next);
  };
}

/** What came of one candidate: the Problem is why it could not be called. */
type Tried = Started | Problem;

function hasAnswered(tried: Tried): tried is Exclude<Started, NoAnswer> {
  return !(tried instanceof Problem) && tried.kind !== "failed";
}

/** Goes on behind the first candidate, of which `tried` came. */
function askingInTurn(
  policy: Policy,
): (ask: Ask, tried: NoAnswer | Problem, next: Upstream) => Promise<Started> {
  return async (ask, tried, next) => {
    const failures: FailedCandidate[] = [];
    const attempts: AttemptRecord[] = [];
    let problem: Problem | undefined;
    for (const [index, model] of ask.candidates.entries()) {
      if (ask.attempted.length + attempts.length >= mostCalls) break;
      if (policy.overflowNeedsLarger && isTooSmall(model, failures, ask.candidates)) continue;
      const later = ask.candidates.slice(index + 1);
      const attempted = [...ask.attempted, ...attempts];
      if (index > 0 && ask.mayCall?.(model, attempted) === false) continue;
      const result =
        index === 0
          ? tried
          : await askOne(next, { ...ask, candidates: [model, ...later], attempted });
      if (result instanceof Problem) {
        problem ??= result;
        failures.push(uncalled(model, result, policy));
        continue;
      }
      if (result.kind !== "failed") return after(attempts, result);
      attempts.push(...result.attempts);
      failures.push(...result.failures);
      if (result.failures[0].failure.cause === "left") break;
      if (!policy.fallsBack(result.failures[0].failure, hasLarger(model, later))) break;
      if (isLongWait(ask, result)) break;
    }
    const [first, ...others] = failures;
    if (first === undefined || attempts.length === 0)
      throw problem ?? new Problem(problemCodes.noProvider, "No provider is connected.");
    return { kind: "failed", failures: [first, ...others], attempts };
  };
}

/**
 * Whether so much time went by for a whole answer that its client has most likely left: nothing shows whether it did,
 * and another call would hold its slot as long again.
 */
function isLongWait({ request }: Ask, { failures, attempts }: NoAnswer): boolean {
  if (request.description.stream || failures[0].failure.cause !== "timeout") return false;
  return attempts.reduce((sum, { ms }) => sum + ms, 0) >= longWait;
}

async function askOne(next: Upstream, ask: Ask): Promise<Tried> {
  try {
    return await next(ask);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** A candidate that could not be called, with the gateway's own reason. */
function uncalled(model: ListedModel, problem: Problem, policy: Policy): FailedCandidate {
  const { status, type, code } = problem;
  const failure: Failure = {
    cause: "status",
    status,
    type,
    code,
    message: policy.message(problem),
    problem,
  };
  return { model: model.id, failure, native: false };
}

/** After an overflow only models with a larger window are worth a call. */
function isTooSmall(
  model: ListedModel,
  failures: readonly FailedCandidate[],
  candidates: readonly ListedModel[],
): boolean {
  return failures.some(({ model: id, failure }) => {
    if (failure.overflow !== true) return false;
    const tried = candidates.find((candidate) => candidate.id === id);
    return tried !== undefined && !(windowOf(model) > windowOf(tried));
  });
}

function hasLarger(model: ListedModel, later: readonly ListedModel[]): boolean {
  return later.some((other) => windowOf(other) > windowOf(model));
}

const windowOf = (model: ListedModel): number => model.info.contextWindow ?? 0;
