/** Keeps a record of every failed call, for the log and for the candidate's health. */
import { tellsUse } from "../core/usage.ts";
import { type Clock, elapsed } from "../lib/clock.ts";
import { bodyFaults } from "../policy/policy.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { coolUntil } from "./cool-down.ts";
import type { FailedCandidate, Layer } from "./upstream.ts";

/** Characters of an error that go into a record, which keeps fewer: it is cut when it is redacted. */
const longestError = 5_000;

export function recordAttempts(now: Clock): Layer {
  return (next) => async (ask) => {
    const begun = now();
    const attempt = ask.trace?.attempt();
    const started = await next(attempt === undefined ? ask : { ...ask, attempt });
    const span = attempt?.span;
    if (started.kind !== "failed") return span === undefined ? started : { ...started, span };
    const [failed] = started.failures;
    const record = recordOf(failed, { begun, now: now() });
    return { ...started, attempts: [span === undefined ? record : { ...record, span }] };
  };
}

function recordOf(
  { model, failure, format }: FailedCandidate,
  { begun, now }: { begun: number; now: number },
): AttemptRecord {
  const until = coolUntil(failure, now);
  return {
    model,
    status: failure.status,
    ms: elapsed(begun, now),
    begun,
    cause: failure.cause,
    ...(format !== undefined && { providerFormat: format }),
    outcome: failure.cause === "left" || bodyFaults.has(failure.status) ? "neutral" : "failed",
    error: failure.message.slice(0, longestError),
    ...(until !== undefined && { coolUntil: until }),
    ...(failure.usage && tellsUse(failure.usage) && { reported: failure.usage }),
    ...(failure.mayBill === true && { unreported: true }),
  };
}
