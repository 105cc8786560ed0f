/** The sink that tells an OpenTelemetry collector of finished requests. */
import type { Clock } from "../../lib/clock.ts";
import type { ServerAddress } from "../../providers/connection/server-address.ts";
import type { OtelSettings } from "../../store/otel-settings.ts";
import type { FinishedIdentified, FinishedRequest } from "../finished-request.ts";
import type { Sink } from "../sink.ts";
import type { Span } from "../trace/span.ts";
import { spansOf, withText } from "../trace/spans.ts";
import { Exporter } from "./exporter.ts";
import { GenAiMetrics } from "./genai-metrics.ts";

/** What the sink needs to know of its deployment. */
export interface OtlpSinkContext {
  readonly now: Clock;
  /** The program's version. */
  readonly version: string;
  /** Where users reach the gateway, where that is set. */
  readonly own: ServerAddress | undefined;
}

/** Milliseconds that the end of the process waits for the collector. */
const flushTime = 2000;

/** A sink that sends what the settings name. Many isolates run beside each other: each names itself. */
export function otlpSink(settings: OtelSettings, { now, version, own }: OtlpSinkContext): Sink {
  const instance = crypto.randomUUID();
  const resource = {
    "service.version": version,
    "service.instance.id": instance,
    ...settings.resource,
  };
  const exporter = new Exporter(settings, { origin: { resource, version }, now });
  const metrics = settings.metrics === null ? undefined : new GenAiMetrics(exporter.meter);
  const queueWithText = async (
    spans: readonly Span[],
    said: NonNullable<FinishedIdentified["text"]>,
  ): Promise<void> => {
    // Texts are read when the answer has gone on.
    await new Promise((resolve) => setTimeout(resolve, 0));
    const text = said();
    exporter.queue(withText(spans, text), text.input.length + text.output.length);
  };
  return {
    tell(finished, background) {
      metrics?.count(finished);
      const spans = settings.traces === null ? [] : spansOf(finished, own);
      const said = spans.length > 0 ? textOf(finished) : undefined;
      if (said === undefined) {
        exporter.queue(spans);
        exporter.wake(background);
      } else background(queueWithText(spans, said).then(() => exporter.wake(background)));
    },
    stats: () => exporter.stats(),
    flush: () => exporter.flush(flushTime),
  };
}

function textOf(finished: FinishedRequest): FinishedIdentified["text"] {
  return finished.identified ? finished.text : undefined;
}
