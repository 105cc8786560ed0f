/** Usage rows as the columns of a chart. */
import type { UsageRow } from "../../admin/routes/usage/usage.ts";

/** One line, or one part of every bar. */
export interface ChartSeries {
  name: string;
  /** One a bucket; null where nothing is known. */
  values: (number | null)[];
  /** A variable of the style sheet; missing: by the series' place. */
  colour?: string;
}

/** Stacked bars, or lines, over time. */
export interface UsageChart {
  kind: "bars" | "lines";
  /** Epoch seconds, one a bucket, without gaps. */
  times: number[];
  series: ChartSeries[];
}

/** Which time a chart shows, epoch ms, and how long its buckets are. */
export interface ChartSpan {
  from: number;
  to: number;
  by: "quarter" | "hour" | "day";
}

interface StackOptions extends ChartSpan {
  value: "requests" | "cost";
  /** What a group is called. */
  nameOf: (group: string) => string;
}

/** Groups with a colour of their own; the others are drawn together. */
const maxSeries = 6;
const quarter = 900_000;
const hour = 3600_000;

/** What a stacked chart shows of a row. */
type StackedRow = Pick<UsageRow, "time" | "group" | "requests" | "cost">;

/** Usage rows summed by bucket and group; small groups are drawn together as "others". */
export function stackedChart(rows: readonly StackedRow[], options: StackOptions): UsageChart {
  const times = bucketsOf(rows, options);
  const places = new Map(times.map((time, index) => [time, index]));
  const names = groupsBySize(rows);
  const own = names.slice(0, names.length > maxSeries ? maxSeries - 1 : maxSeries);
  const columns = own.map((name) => ({ name: options.nameOf(name), values: zeros(times) }));
  if (names.length > own.length) columns.push({ name: "others", values: zeros(times) });
  for (const row of rows) {
    const index = own.indexOf(row.group);
    const values = (index < 0 ? columns.at(-1) : columns[index])?.values;
    const place = places.get(Date.parse(row.time));
    if (values !== undefined && place !== undefined)
      values[place] = (values[place] ?? 0) + row[options.value];
  }
  return { kind: "bars", times: times.map((time) => time / 1000), series: columns };
}

/** By requests whatever is drawn, so that a group has one colour in every chart. */
function groupsBySize(rows: readonly StackedRow[]): string[] {
  const totals = new Map<string, number>();
  for (const row of rows) totals.set(row.group, (totals.get(row.group) ?? 0) + row.requests);
  return [...totals].sort((a, b) => b[1] - a[1]).map(([name]) => name);
}

/** All groups of one bucket together. */
export type UsageTime = Omit<UsageRow, "group" | "name">;

/** One series of a chart, and what it shows of a bucket. */
export interface SeriesOf extends Pick<ChartSeries, "name" | "colour"> {
  of: (row: UsageTime) => number | null;
  /** For a bucket without requests. */
  none: number | null;
}

/** A chart with the given series. */
export function seriesChart(
  rows: readonly UsageTime[],
  { kind, series, ...span }: ChartSpan & Pick<UsageChart, "kind"> & { series: readonly SeriesOf[] },
): UsageChart {
  const times = bucketsOf(rows, span);
  const found = new Map(rows.map((row) => [Date.parse(row.time), row]));
  const columns = series.map(({ of, none, ...named }) => ({
    ...named,
    values: times.map((time) => {
      const row = found.get(time);
      return row === undefined ? none : of(row);
    }),
  }));
  return { kind, times: times.map((time) => time / 1000), series: columns };
}

function zeros(times: readonly number[]): number[] {
  return times.map(() => 0);
}

/** Every bucket of the time range: hours by the clock; days by the rows, whose starts follow the time zone. */
function bucketsOf(rows: readonly { time: string }[], { from, to, by }: ChartSpan): number[] {
  const found = new Set(rows.map((row) => Date.parse(row.time)));
  if (by !== "day") {
    const length = by === "hour" ? hour : quarter;
    for (let time = Math.ceil(from / length) * length; time < to; time += length) found.add(time);
  } else {
    const [first = from] = [...found].sort((a, b) => a - b);
    const near = (time: number) => [...found].some((other) => Math.abs(other - time) < 3 * hour);
    const start = first - Math.floor((first - from) / (24 * hour)) * 24 * hour;
    for (let time = start; time < to; time += 24 * hour) if (!near(time)) found.add(time);
  }
  return [...found].sort((a, b) => a - b);
}
