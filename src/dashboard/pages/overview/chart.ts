/** Usage rows as the columns of a stacked chart. */
import type { UsageRow } from "../../../admin/routes/usage.ts";

/** Columns of a stacked bar chart. */
export interface StackedChart {
  /** Epoch seconds, one a bucket, without gaps. */
  times: number[];
  series: { name: string; values: number[] }[];
}

interface ChartOptions {
  from: number;
  to: number;
  by: "hour" | "day";
  value: "requests" | "cost";
  /** The name of the group without one. */
  unnamed: string;
}

/** Groups with a colour of their own; the others are drawn together. */
const maxSeries = 6;
const hour = 3600_000;

/** The chart as JSON for an attribute; the browser's script draws it. */
export function chartJson(rows: readonly UsageRow[], options: ChartOptions): string {
  return JSON.stringify(stackedChart(rows, options));
}

/** Usage rows summed by bucket and group; small groups are drawn together as "others". */
export function stackedChart(rows: readonly UsageRow[], options: ChartOptions): StackedChart {
  const times = bucketsOf(rows, options);
  const places = new Map(times.map((time, index) => [time, index]));
  const totals = new Map<string, number>();
  // By requests whatever is drawn, so that a group has one colour in every chart.
  for (const row of rows) totals.set(row.group, (totals.get(row.group) ?? 0) + row.requests);
  const names = [...totals].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const own = names.slice(0, names.length > maxSeries ? maxSeries - 1 : maxSeries);
  const series = own.map((name) => ({
    name: name === "" ? options.unnamed : name,
    values: zeros(times),
  }));
  if (names.length > own.length) series.push({ name: "others", values: zeros(times) });
  for (const row of rows) {
    const index = own.indexOf(row.group);
    const values = (index < 0 ? series.at(-1) : series[index])?.values;
    const place = places.get(Date.parse(row.time));
    if (values !== undefined && place !== undefined)
      values[place] = (values[place] ?? 0) + row[options.value];
  }
  return { times: times.map((time) => time / 1000), series };
}

function zeros(times: readonly number[]): number[] {
  return times.map(() => 0);
}

/** Every bucket of the time range: hours by the clock; days by the rows, whose starts follow the time zone. */
function bucketsOf(rows: readonly UsageRow[], { from, to, by }: ChartOptions): number[] {
  const found = new Set(rows.map((row) => Date.parse(row.time)));
  if (by === "hour") {
    for (let time = Math.ceil(from / hour) * hour; time <= to; time += hour) found.add(time);
  } else {
    const [first = from] = [...found].sort((a, b) => a - b);
    const near = (time: number) => [...found].some((other) => Math.abs(other - time) < 3 * hour);
    const start = first - Math.floor((first - from) / (24 * hour)) * 24 * hour;
    for (let time = start; time <= to; time += 24 * hour) if (!near(time)) found.add(time);
  }
  return [...found].sort((a, b) => a - b);
}
