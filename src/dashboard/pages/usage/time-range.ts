/** The time range of a page of charts, as its address says it. */
import { calendarOf, instantIn, wallTime } from "../../../workspace/rules/sums/period.ts";
import type { FieldError } from "../../shared/forms.ts";
import type { ChartSpan } from "../../shared/usage-chart.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** Sums are kept for thirteen months and a bit. */
const longest = 400 * day;

/** Ranges that end now, by the name that addresses have for them. */
const presets = {
  "1h": { label: "1 hour", length: hour },
  "24h": { label: "24 hours", length: day },
  "7d": { label: "7 days", length: 7 * day },
  "30d": { label: "30 days", length: 30 * day },
  month: { label: "This month", length: undefined },
} as const;
type PresetName = keyof typeof presets;

/** The names of the ranges that end now, with their labels. */
export const presetNames: readonly { name: PresetName; label: string }[] = Object.entries(
  presets,
).map(([name, { label }]) => ({
  // Entries of `presets`.
  name: name as PresetName,
  label,
}));

/** A span of time and how it is cut. */
export interface TimeRange extends ChartSpan {
  /** Name of a preset; `custom`: from and to were chosen. */
  name: PresetName | "custom";
  /** Whether it ends now, so that new requests belong to it. */
  live: boolean;
  /** From and to as clocks in the workspace's time zone show them. */
  walls: { from: string; to: string };
  /** What is wrong with the chosen times; the range is then the last day. */
  fault?: FieldError;
}

/** What the address says. */
interface RangeWish {
  range: string;
  from: string;
  to: string;
}

/** The range that the address asks for; the last day where it asks for none. */
export function timeRange(wish: RangeWish, timezone: string, now: number): TimeRange {
  if (wish.range === "custom") return customRange(wish, timezone, now);
  const name = presetNames.find((preset) => preset.name === wish.range)?.name ?? "24h";
  return presetRange(name, timezone, now);
}

function presetRange(name: PresetName, timezone: string, now: number): TimeRange {
  const { length } = presets[name];
  const from = length === undefined ? calendarOf(timezone).span("month", now).start : now - length;
  return { name, live: true, ...cut({ from, to: now }, timezone, now) };
}

function customRange(wish: RangeWish, timezone: string, now: number): TimeRange {
  const from = instantIn(timezone, wish.from);
  const to = instantIn(timezone, wish.to);
  const fault = faultOf(from, to);
  if (fault === undefined)
    return { name: "custom", live: to > now, ...cut({ from, to }, timezone, now) };
  const { from: wallFrom, to: wallTo } = wish;
  const walls = { from: wallFrom, to: wallTo };
  return { ...presetRange("24h", timezone, now), name: "custom", live: false, walls, fault };
}

function faultOf(from: number, to: number): FieldError | undefined {
  if (Number.isNaN(from)) return { field: "from", message: "Must be a date and a time." };
  if (Number.isNaN(to)) return { field: "to", message: "Must be a date and a time." };
  if (to <= from) return { field: "to", message: "Must be after the start." };
  if (to - from > longest) return { field: "from", message: "At most 400 days before the end." };
  return undefined;
}

/** Quarter-hours are kept for two hours only. */
function cut(
  { from, to }: { from: number; to: number },
  timezone: string,
  now: number,
): Pick<TimeRange, "from" | "to" | "by" | "walls"> {
  const fine = to - from <= 2 * hour && from >= now - 2 * hour;
  const by = fine ? "quarter" : to - from <= 4 * day ? "hour" : "day";
  return { from, to, by, walls: { from: wallTime(timezone, from), to: wallTime(timezone, to) } };
}
