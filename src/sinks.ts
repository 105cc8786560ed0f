/** What a deployment tells the outside of finished requests, by its settings. To add a sink: one entry here. */
import { type Env, modeOf } from "./store/env.ts";
import { logLevelOf } from "./store/log-settings.ts";
import { RequestMetrics } from "./telemetry/metrics/request-metrics.ts";
import { RequestLines } from "./telemetry/request-line.ts";
import type { Sink } from "./telemetry/sink.ts";

/** Every sink, and the one among them that is asked. */
interface Telemetry {
  readonly sinks: readonly Sink[];
  /** For `GET /metrics`; undefined in cloud mode, where many isolates serve and each would know its own requests alone. */
  readonly metrics: RequestMetrics | undefined;
}

/** Every sink that the settings switch on. Throws SettingsError. */
export function telemetryOf(env: Env, now: () => number): Telemetry {
  const metrics = modeOf(env) === "cloud" ? undefined : new RequestMetrics(now());
  return { sinks: [...linesOf(env, now), ...(metrics === undefined ? [] : [metrics])], metrics };
}

function linesOf(env: Env, now: () => number): readonly Sink[] {
  const level = logLevelOf(env);
  return level === "off" ? [] : [new RequestLines(level, { write: console.log, now })];
}
