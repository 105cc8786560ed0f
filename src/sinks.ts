/** What a deployment tells the outside of finished requests, by its settings. To add a sink: one entry here. */
import { version } from "./admin/shared/health/version.ts";
import { serverIn } from "./providers/connection/server-address.ts";
import { type Env, modeOf } from "./store/env.ts";
import { logLevelOf } from "./store/log-settings.ts";
import { type OtelSettings, otelSettingsOf } from "./store/otel-settings.ts";
import { BehindAnswers } from "./telemetry/behind-answers.ts";
import { RequestMetrics } from "./telemetry/metrics/request-metrics.ts";
import { RequestLines } from "./telemetry/request-line.ts";
import { otlpSink } from "./telemetry/otlp/otlp-sink.ts";
import type { Sink } from "./telemetry/sink.ts";
import { passTraces, type TraceRequest, tracingWith } from "./telemetry/trace/request-trace.ts";

/** Every sink, and the one among them that is asked. */
interface Telemetry {
  readonly sinks: readonly Sink[];
  /** For `GET /metrics`; undefined in cloud mode, where many isolates serve and each would know its own requests alone. */
  readonly metrics: RequestMetrics | undefined;
  /** The trace of a request for an answer. */
  readonly traceGeneration: TraceRequest;
}

/** Every sink that the settings switch on. Throws SettingsError. */
export function telemetryOf(env: Env, now: () => number): Telemetry {
  const metrics = modeOf(env) === "cloud" ? undefined : new RequestMetrics(now());
  const otel = otelSettingsOf(env);
  const behind = [...linesOf(env, now), ...collectorOf(otel, env, now)];
  return {
    // Counting costs less than leaving it for later.
    sinks: [
      ...(metrics === undefined ? [] : [metrics]),
      ...(behind.length === 0 ? [] : [new BehindAnswers(behind, now)]),
    ],
    metrics,
    traceGeneration: isTraced(otel) ? tracingWith(otel.sampler) : passTraces,
  };
}

function isTraced(otel: OtelSettings | null): otel is OtelSettings {
  return otel !== null && otel.traces !== null;
}

function linesOf(env: Env, now: () => number): readonly Sink[] {
  const level = logLevelOf(env);
  return level === "off" ? [] : [new RequestLines(level, { write: console.log, now })];
}

function collectorOf(
  otel: OtelSettings | null,
  { PUBLIC_URL }: Env,
  now: () => number,
): readonly Sink[] {
  return otel === null ? [] : [otlpSink(otel, { now, version, own: serverIn(PUBLIC_URL ?? "") })];
}
