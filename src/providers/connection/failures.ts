/** What can go wrong with a connection, as a `Failure`, and how long a provider asks to be left alone. */
import type { Failure, FailureCause } from "../../core/failure.ts";

/** The reason with which a call is aborted when its time is over. */
export class TimedOut extends Error {
  constructor(what: string, limit: number) {
    super(`The provider did not send ${what} within ${limit} s.`);
  }
}

/** `fetch` threw. Runtimes word this differently; the code of the cause tells most, the text the rest. */
export function connectionFailure(error: unknown, signal: AbortSignal): Failure {
  // A signal's reason is whatever it was aborted with.
  const reason: unknown = signal.reason;
  if (reason instanceof TimedOut) return { cause: "timeout", status: 504, message: reason.message };
  const text = errorText(error);
  if (/timed? ?out|UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT/i.test(text)) {
    return { cause: "timeout", status: 504, message: "The connection to the provider timed out." };
  }
  const refused =
    /refused|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|dns|resolve|unreachable|certificate|CERT_/i;
  const cause: FailureCause = refused.test(text) ? "refused" : "reset";
  const message =
    cause === "refused"
      ? "The provider could not be reached."
      : "The connection to the provider failed before it answered.";
  return { cause, status: 502, message };
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return `${error.message} ${cause instanceof Error ? cause.message : ""} ${code}`;
}

/** Longest wait that is believed: a day. */
const longestWait = 86_400;

/** Whole seconds until the provider wants to be asked again: `retry-after-ms`, seconds or a date. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const ms = headers.get("retry-after-ms");
  if (ms !== null && /^\d+(\.\d+)?$/.test(ms.trim())) return seconds(Number(ms) / 1000);
  const text = headers.get("retry-after")?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return seconds(Number(text));
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : seconds((date - now) / 1000);
}

function seconds(value: number): number {
  return Math.min(longestWait, Math.max(0, Math.ceil(value)));
}
