/** Keeps a record of every failed call, for the log and for the candidate's health. */
import type { Failure } from "../core/failure.ts";
import type { Clock } from "../lib/clock.ts";
import { bodyFaults } from "../policy/policy.ts";
import type { AttemptRecord } from "../workspace/contract/request-record.ts";
import { coolUntil } from "./cool-down.ts";
import type { Layer } from "./upstream.ts";

/** Characters of an error that go into a record, which keeps fewer: it is cut when it is redacted. */
const longestError = 5_000;

export function recordAttempts(now: Clock): Layer {
  return (next) => async (ask) => {
    const begun = now();
    const started = await next(ask);
    if (started.kind !== "failed") return started;
    const [{ model, failure }] = started.failures;
    return { ...started, attempts: [recordOf(model, failure, { begun, now: now() })] };
  };
}

function recordOf(
  model: string,
  failure: Failure,
  { begun, now }: { begun: number; now: number },
): AttemptRecord {
  const until = coolUntil(failure, now);
  return {
    model,
    status: failure.status,
    ms: now - begun,
    outcome: bodyFaults.has(failure.status) ? "neutral" : "failed",
    error: failure.message.slice(0, longestError),
    ...(until !== undefined && { coolUntil: until }),
    ...(failure.mayBill === true && { unreported: true }),
  };
}
