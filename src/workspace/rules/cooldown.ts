/**
 * Candidates that fail are left alone for a while: three failures in ten seconds, or a provider that asks
 * for it. They move to the end of the chain, and one success clears them.
 */
import type { AttemptRecord } from "../contract/request-record.ts";

const failures = 3;
const within = 10_000;
const rest = 10_000;
const longestRest = 60_000;
/** Candidates whose failures are remembered: clients may name any model of a provider without a list. */
const mostCandidates = 1000;

interface Health {
  /** Times of the last failures, newest last, three at most. */
  failed: number[];
  until: number;
}

/** Health of the candidates that failed lately, by id. */
export type Cooling = Map<string, Health>;

/** Records how an attempt on the candidate ended. `neutral` (a departure, a fault of the request) changes nothing. */
export function recordAttempt(
  cooling: Cooling,
  model: string,
  attempt: Pick<AttemptRecord, "outcome" | "coolUntil"> & { now: number },
): void {
  const { outcome, coolUntil, now } = attempt;
  if (outcome === "neutral") return;
  if (outcome === "ok") {
    cooling.delete(model);
    return;
  }
  const health = cooling.get(model) ?? { failed: [], until: 0 };
  health.failed = [...health.failed.filter((time) => now - time < within), now].slice(-failures);
  if (health.failed.length >= failures) health.until = Math.max(health.until, now + rest);
  if (coolUntil !== undefined && coolUntil > now) {
    health.until = Math.max(health.until, Math.min(coolUntil, now + longestRest));
  }
  // The one that failed last stands last, so that the oldest goes where there are too many.
  cooling.delete(model);
  cooling.set(model, health);
  const oldest = cooling.keys().next().value;
  if (cooling.size > mostCandidates && oldest !== undefined) cooling.delete(oldest);
}

/** Until when the candidate is left alone, or undefined. */
export function coolingUntil(cooling: Cooling, model: string, now: number): number | undefined {
  const until = cooling.get(model)?.until;
  return until !== undefined && isResting(until, now) ? until : undefined;
}

/** None rests longer but by a clock that was set back. */
function isResting(until: number, now: number): boolean {
  return until > now && until - now <= longestRest;
}

/** Whether it is left alone because of its own failures, and not only because the provider asked for a pause. */
export function hasFailedOften(cooling: Cooling, model: string): boolean {
  return (cooling.get(model)?.failed.length ?? 0) >= failures;
}

/** All candidates that are left alone at the moment; forgets the ones whose failures are long past. */
export function coolingNow(cooling: Cooling, now: number): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [model, health] of cooling) {
    if (isResting(health.until, now)) found[model] = health.until;
    else if (now - (health.failed.at(-1) ?? 0) >= within) cooling.delete(model);
  }
  return found;
}
