/** What `GET /metrics` answers. Pure. */
import type { SinkStats } from "../sink.ts";
import { type Family, gauges } from "./families.ts";
import type { RequestMetrics } from "./request-metrics.ts";
import { headText, labelText } from "./text.ts";

/** What is read off at the moment of a scrape. */
export interface ScrapedState {
  readonly version: string;
  /** Epoch ms. */
  readonly now: number;
  readonly inFlight: { readonly requests: number; readonly streams: number };
  /** Bytes. */
  readonly memory: { readonly used: number; readonly size: number };
  readonly sinks: readonly SinkStats[];
  /** Batches of workspaces that could not be saved. */
  readonly storageFailures: number;
}

/** One line. */
interface Sample {
  readonly labels?: readonly string[];
  readonly value: number;
}

/** All metrics in Prometheus's text format. */
export function metricsPage(metrics: RequestMetrics, state: ScrapedState): string {
  const lines: string[] = [];
  metrics.registry.writeTo(lines);
  const samples = samplesOf(metrics, state);
  for (const [name, family] of Object.entries(gauges))
    // The samples have a member for each gauge.
    writeSamples(family, samples[name as keyof typeof gauges], lines);
  return `${lines.join("\n")}\n`;
}

function samplesOf(
  { cooling, registry, since }: RequestMetrics,
  { version, now, inFlight, memory, sinks, storageFailures }: ScrapedState,
): Record<keyof typeof gauges, readonly Sample[]> {
  const bySink = (value: (stats: SinkStats) => number): Sample[] =>
    sinks.map((stats) => ({ labels: [stats.name], value: value(stats) }));
  return {
    inFlight: [{ value: inFlight.requests }],
    streams: [{ value: inFlight.streams }],
    memoryUsed: [{ value: memory.used }],
    memoryBudget: [{ value: memory.size }],
    cooling: cooling.count(now),
    sinkQueue: bySink(({ queued }) => queued),
    sinkSent: bySink(({ sent }) => sent),
    sinkDropped: bySink(({ dropped }) => dropped),
    storageFailures: [{ value: storageFailures }],
    series: [{ value: registry.size }],
    startTime: [{ value: since / 1000 }],
    buildInfo: [{ labels: [version], value: 1 }],
  };
}

function writeSamples(family: Family, samples: readonly Sample[], lines: string[]): void {
  lines.push(headText(family));
  for (const { labels = [], value } of samples)
    lines.push(`${family.name}${labelText(family.labels, labels)} ${value}`);
}
