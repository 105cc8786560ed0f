/** Whether a provider is down, as people are told it: rarely, and never back and forth. */
import type { AttemptRecord } from "../../contract/request-record.ts";

/** Milliseconds in which a provider is reported down at most once. A failure within them is reported later, if it lasts. */
const betweenDowns = 300_000;
/** Milliseconds after its last failure from which a success of any of its models shows that the provider is back. */
const quietAfter = 300_000;

/** A provider that has failed. Times are epoch ms. */
export interface ProviderHealth {
  readonly isDown: boolean;
  /** The model that showed it. */
  readonly model: string;
  /** HTTP status that its failure counts as. */
  readonly status: number;
  readonly since: number;
  readonly lastFailure: number;
  /** What people know. */
  readonly told: "down" | "up";
  readonly toldDown: number;
}

/** An attempt after it was recorded. */
export interface SeenAttempt extends Pick<AttemptRecord, "model" | "outcome" | "status"> {
  /** The model is cooling down because of failures. */
  readonly isFailing: boolean;
  readonly now: number;
}

/** What an attempt changes; `told` differs from before where people are to be told. */
export function healthAfter(
  before: ProviderHealth | undefined,
  attempt: SeenAttempt,
): ProviderHealth | undefined {
  const { outcome, isFailing } = attempt;
  if (outcome === "ok") return before?.isDown === true ? afterSuccess(before, attempt) : before;
  return outcome === "failed" && isFailing ? afterFailure(before, attempt) : before;
}

function afterFailure(
  before: ProviderHealth | undefined,
  { model, status, now }: SeenAttempt,
): ProviderHealth {
  const wasDown = before?.isDown === true;
  const health: ProviderHealth = wasDown
    ? { ...before, lastFailure: now }
    : {
        isDown: true,
        model,
        status,
        since: now,
        lastFailure: now,
        told: before?.told ?? "up",
        toldDown: before?.toldDown ?? 0,
      };
  if (health.told === "down" || now - health.toldDown < betweenDowns) return health;
  return { ...health, told: "down", toldDown: now };
}

function afterSuccess(before: ProviderHealth, { model, now }: SeenAttempt): ProviderHealth {
  const isBack = model === before.model || now - before.lastFailure >= quietAfter;
  return isBack ? { ...before, isDown: false, told: "up" } : before;
}
