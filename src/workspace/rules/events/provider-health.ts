/**
 * Whether a provider is down, as people are told it: rarely, and never back and forth. Where others of its models answer,
 * it is one model that is down.
 */
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
  /** Another of its models has answered meanwhile, or shortly before. */
  readonly othersAnswer?: true;
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
  /** When another model of the provider answered last, epoch ms; undefined: never, as far as is known. */
  readonly otherAnswered: number | undefined;
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
  { model, status, otherAnswered = -Infinity, now }: SeenAttempt,
): ProviderHealth {
  const wasDown = before?.isDown === true;
  const health: ProviderHealth = wasDown
    ? { ...before, lastFailure: now }
    : {
        ...(now - otherAnswered < quietAfter && { othersAnswer: true }),
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
  if (isBack) return { ...before, isDown: false, told: "up" };
  return before.othersAnswer === true ? before : { ...before, othersAnswer: true };
}
