/** Candidates that failed lately are asked last. */
import type { Failure } from "../core/failure.ts";
import type { Clock } from "../lib/clock.ts";
import type { ListedModel } from "../providers/connection/connection.ts";
import { longestPause } from "./retry.ts";
import type { Layer } from "./upstream.ts";

/** Longest time for which a provider's own wish keeps a candidate last, in seconds. */
const longestCoolDown = 60;

export function coolDown(now: Clock): Layer {
  return (next) => (ask) => {
    if (ask.candidates.length === 1) return next(ask);
    const candidates = coolingLast(ask.candidates, ask.cooling, now());
    return next(candidates === ask.candidates ? ask : { ...ask, candidates });
  };
}

/** The same models in the same order, those that are cooling down behind the others. */
export function coolingLast<Models extends readonly ListedModel[]>(
  models: Models,
  cooling: Readonly<Record<string, number>>,
  now: number,
): Models {
  const isCooling = ({ id }: ListedModel): boolean => (cooling[id] ?? 0) > now;
  if (!models.some(isCooling)) return models;
  // As many as before, so a list that was not empty stays so.
  return [
    ...models.filter((model) => !isCooling(model)),
    ...models.filter(isCooling),
  ] as unknown as Models;
}

/** Epoch ms until which a provider that asked for a long pause is asked last; undefined where it did not. */
export function coolUntil({ status, retryAfter }: Failure, now: number): number | undefined {
  const asksToWait = status === 429 || status === 503;
  return asksToWait && retryAfter !== undefined && retryAfter > longestPause
    ? now + Math.min(longestCoolDown, retryAfter) * 1000
    : undefined;
}
