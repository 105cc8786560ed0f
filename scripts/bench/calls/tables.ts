/** Tables of a benchmark's figures, in Markdown. */
import type { Account } from "../profile/run.ts";
import { stages } from "../profile/stages.ts";
import { median, type Sample } from "./measure.ts";

type Samples = Readonly<Record<string, readonly Sample[]>>;

const measures: readonly (readonly [keyof Sample, string])[] = [
  ["p50", "1 KB, one at a time: p50"],
  ["p99", "p99"],
  ["large", "100 KB"],
  ["throughput", "requests a second, 16 at once"],
  ["cpu", "CPU a request then"],
  ["firstByte", "first byte of 8 streams"],
  ["eventDelay", "delay of an event"],
  ["bulk", "events a second, as fast as they can"],
];

/** Medians of rounds. */
export function sampleTable(samples: Samples): string {
  const names = Object.keys(samples);
  const rows = measures.map(([measure, label]) => [
    label,
    ...names.map((name) => shown(middle(samples[name], measure))),
  ]);
  return tableOf(["", ...names], rows);
}

function middle(list: readonly Sample[] = [], measure: keyof Sample): number | undefined {
  const known = list.flatMap((sample) => sample[measure] ?? []);
  return known.length === 0 ? undefined : median(known);
}

/** What each target takes beside another, by rounds. */
export function ratioTable(samples: Samples): string {
  const rows = ["gateway", "limits", "watched"].map((name) => [
    name,
    ratio(addedBy(samples, name, "p50"), addedBy(samples, "bare", "p50")),
    ratio(of(samples, name, "p99"), of(samples, "bare", "p99")),
    ratio(addedBy(samples, name, "large"), addedBy(samples, "bare", "large")),
    ratio(of(samples, name, "throughput"), of(samples, "two calls", "throughput")),
    ratio(of(samples, name, "throughput"), of(samples, "bare", "throughput")),
    ratio(of(samples, name, "eventDelay"), of(samples, "bare", "eventDelay")),
    ratio(of(samples, name, "bulk"), of(samples, "bare", "bulk")),
  ]);
  const head = [
    "",
    "added latency / bare",
    "p99 / bare",
    "added at 100 KB / bare",
    "throughput / two calls",
    "throughput / bare",
    "event delay / bare",
    "bulk events / bare",
  ];
  return tableOf(head, rows);
}

type Figure = Exclude<keyof Sample, "cpu">;

function of(samples: Samples, name: string, measure: Figure): readonly number[] {
  return (samples[name] ?? []).map((sample) => sample[measure]);
}

/** Above a direct call in the same round. */
function addedBy(samples: Samples, name: string, measure: Figure): readonly number[] {
  const direct = of(samples, "direct", measure);
  return of(samples, name, measure).map((value, round) => value - (direct[round] ?? 0));
}

/** The median of what the rounds say. */
function ratio(one: readonly number[], other: readonly number[]): string {
  return median(one.map((value, round) => value / (other[round] ?? Number.NaN))).toFixed(2);
}

/** CPU and wall time by stage. */
export function profileTable(accounts: readonly Account[]): string {
  const head = ["stage", ...accounts.flatMap(({ kind }) => [`${kind}: CPU`, "wall"])];
  const rows = stages.map((stage, index) => [
    stage,
    ...accounts.flatMap(({ stages: times }) => {
      const time = times[index];
      return [shown(time?.cpu), shown(time?.wall)];
    }),
  ]);
  const sums = accounts.flatMap(({ stages: times }) => [
    shown(times.reduce((sum, { cpu }) => sum + cpu, 0)),
    shown(times.reduce((sum, { wall }) => sum + wall, 0)),
  ]);
  return tableOf(head, [...rows, ["**together**", ...sums]]);
}

function shown(value: number | undefined): string {
  return value === undefined ? "" : Math.round(value).toLocaleString("en-US");
}

/** A table in Markdown. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
