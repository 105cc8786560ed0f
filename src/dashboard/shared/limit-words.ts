/** Limits in words. */
import type { LimitEntry } from "../../store/config.ts";
import { count, dollars } from "./readable-values.ts";

type Metric = LimitEntry["metric"];

/** A number in a limit's unit: `$5.00`, `3 requests`. */
export function limitAmount(metric: Metric, value: number): string {
  if (metric === "cost") return dollars(value);
  return `${count(value)} ${value === 1 ? metric.slice(0, -1) : metric}`;
}

/** What is used of a limit: `1 of 3 requests used`. */
export function limitUse(metric: Metric, { used, max }: { used: number; max: number }): string {
  const figure = metric === "cost" ? dollars(used) : count(used);
  return `${figure} of ${limitAmount(metric, max)} used`;
}

/** `$5.00 per day`. */
export function limitWords({ metric, max, period }: Pick<LimitEntry, "metric" | "max" | "period">) {
  return `${limitAmount(metric, max)} per ${period}`;
}

/** `$5.00 per day, record only`. */
export function fullLimitWords(limit: LimitEntry): string {
  const kind = limit.action === "block" ? "" : ", record only";
  return `${limitWords(limit)}${kind}${strictWords(limit)}`;
}

function strictWords({ strict }: LimitEntry): string {
  if (strict === "bound") return ", upper bounds";
  return strict === true ? ", strict" : "";
}

/** What a change of a list of limits did: `$5.00 per day → $10.00 per day`. */
export function limitChangeWords(
  before: readonly LimitEntry[],
  after: readonly LimitEntry[],
): string {
  const [gone, come] = [without(before, after), without(after, before)];
  const pairs = Array.from({ length: Math.max(gone.length, come.length) }, (_, at) => {
    const [old, young] = [gone[at], come[at]];
    if (old === undefined) return `${young ?? ""} added`;
    return young === undefined ? `${old} removed` : `${old} → ${young}`;
  });
  return pairs.length === 0 ? "in another order" : pairs.join("; ");
}

/** Words of the limits of one list that the other has not. */
function without(limits: readonly LimitEntry[], others: readonly LimitEntry[]): string[] {
  const known = new Set(others.map(fullLimitWords));
  return limits.map(fullLimitWords).filter((words) => !known.has(words));
}
