/** How the answers to questions about sums cut time. */
import type { SumQuestion } from "../../contract/reports.ts";
import type { Calendar, PeriodSpan } from "./period.ts";
import { bucketLength } from "./rollup.ts";
import { hourLength } from "./sum-levels.ts";

/** The bucket of the answer that holds the time; one that is as long as the question begins with it. */
export function bucketSpan(
  { by, from }: Pick<SumQuestion, "by" | "from">,
  calendar: Calendar,
  time: number,
): PeriodSpan {
  if (by === "span") return { start: from, end: Infinity };
  if (by === "day") return calendar.span("day", time);
  const length = by === "hour" ? hourLength : bucketLength;
  const start = Math.floor(time / length) * length;
  return { start, end: start + length };
}
