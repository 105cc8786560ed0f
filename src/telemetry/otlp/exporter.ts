/**
 * Sends spans and metrics behind the answers of requests. One request at a time keeps the work going, because nothing
 * runs outside of requests here; what requests share is plain data, because none may await what another began.
 */
import type { Clock } from "../../lib/clock.ts";
import type { OtelSettings } from "../../store/otel-settings.ts";
import type { Background, SinkStats } from "../sink.ts";
import type { Span } from "../trace/span.ts";
import {
  metricsRequest,
  type Origin,
  type OtlpMessage,
  type OtlpValue,
  spanMessage,
  traceRequestWith,
} from "./messages.ts";
import { Meter } from "./meter.ts";
import type { Metric } from "./metric.ts";
import { sinkDropped } from "./genai-metrics.ts";
import { spanBytes } from "./protobuf.ts";
import { sendExport } from "./send-export.ts";
import { batchSize, SpanQueue } from "./span-queue.ts";

/** Milliseconds for which spans wait for others, between two looks at the queue, and with only metrics waiting. */
const batchWait = 1000;
const spanPause = 100;
const metricPause = 1000;
/** After so long without a request nobody may come soon who would send the metrics: they are sent before their time. */
const quiet = 5000;
/** After so long the next request takes the work over, and so long it goes on without one: work has 30 s here. */
const handOver = 15_000;
const longestRun = 24_000;
/** Spans that are written without a pause, which takes as long as one call of the gateway. */
const spansAtOnce = 16;
/** Milliseconds before a collector that took nothing is tried again: twice as long each time. */
const firstRest = 1000;
const longestRest = 15_000;
/** Metrics that were not taken for so long are given up, in ms: those that follow them wait for them. */
const longestOutage = 900_000;
/** Milliseconds between two lines about what was lost. */
const lossInterval = 60_000;
/** The process ends soon after its end was announced; one that does not goes on as before after this long. */
const hurry = 60_000;

type Signal = "traces" | "metrics";
interface Counts {
  sent: number;
  dropped: number;
}

/** Metrics on their way. They are sent again as they are: who has them already knows them by their times. */
interface UnsentMetrics {
  readonly metrics: readonly Metric[];
  readonly points: number;
  /** Epoch ms. */
  readonly since: number;
}

export class Exporter {
  readonly meter: Meter;
  readonly #settings: OtelSettings;
  readonly #origin: Origin;
  readonly #now: Clock;
  readonly #spans: SpanQueue;
  readonly #counts: Readonly<Record<Signal, Counts>> = {
    traces: { sent: 0, dropped: 0 },
    metrics: { sent: 0, dropped: 0 },
  };
  #unsent: UnsentMetrics | undefined;
  /** Epoch ms: when the oldest span came, the last request, the last export of metrics. */
  #oldest = 0;
  #heard = 0;
  #measured: number;
  /** When the request came that keeps the work going; 0: none does. */
  #keeper = 0;
  /** Until when an export may be under way: its request may have been ended by the runtime. */
  #busyUntil = 0;
  #hurryUntil = 0;
  /** How long the collector is left alone after it took nothing, ms, and until when. */
  #rest = 0;
  #restUntil = 0;
  #toldLoss = 0;

  constructor(settings: OtelSettings, { origin, now }: { origin: Origin; now: Clock }) {
    this.#settings = settings;
    this.#origin = origin;
    this.#now = now;
    this.#spans = new SpanQueue(settings.queue);
    this.meter = new Meter(now());
    this.#measured = now();
  }

  /** Takes the spans of one request, or counts them as dropped. `texts`: characters of the messages on them. */
  queue(spans: readonly Span[], texts = 0): void {
    if (spans.length === 0) return;
    if (this.#spans.length === 0) this.#oldest = this.#now();
    if (this.#spans.add(spans, texts)) return;
    this.#lose("traces", spans.length, "the queue is full");
  }

  /** A request has ended: unless another one does, its background keeps the work going. */
  wake(background: Background): void {
    const now = this.#now();
    this.#heard = now;
    if (now - this.#keeper < handOver) return;
    this.#keeper = now;
    background(this.#keepSending(now));
  }

  /** Sends what there is, as far as the time allows, because the process ends. */
  async flush(patience: number): Promise<void> {
    const end = this.#now() + patience;
    this.#hurryUntil = this.#now() + hurry;
    const time = new Promise((resolve) => setTimeout(resolve, patience));
    while (!this.#isEmpty() && this.#now() < end) {
      await Promise.race([this.#sendDue(), time]);
      await new Promise((resolve) => setTimeout(resolve, this.#isEmpty() ? 0 : 50));
    }
  }

  stats(): SinkStats[] {
    const { length, taken } = this.#spans;
    return [
      this.#statsOf("traces", length + taken),
      this.#statsOf("metrics", this.#unsent?.points ?? 0),
    ];
  }

  #statsOf(signal: Signal, queued: number): SinkStats {
    return { name: `otlp_${signal}`, queued, ...this.#counts[signal] };
  }

  #isEmpty(): boolean {
    const { length, taken } = this.#spans;
    return length + taken === 0 && this.#unsent === undefined && this.meter.isEmpty;
  }

  async #keepSending(since: number): Promise<void> {
    const end = since + longestRun;
    while (this.#keeper === since && !this.#isEmpty() && this.#now() < end) {
      await new Promise((resolve) => setTimeout(resolve, this.#pause()));
      await this.#sendDue();
    }
    if (this.#keeper === since) this.#keeper = 0;
  }

  #pause(): number {
    if (this.#now() < this.#hurryUntil) return 0;
    return this.#spans.length > 0 ? spanPause : metricPause;
  }

  /** Sends what is due, one export at a time. */
  async #sendDue(): Promise<void> {
    if (this.#now() < this.#busyUntil) return;
    // Of an export whose request the runtime ended nothing more is heard.
    this.#spans.putBack();
    if (this.#rests()) return;
    while (this.#spansDue()) {
      const spans = this.#spans.take();
      this.#oldest = this.#now();
      const sent = await this.#export("traces", { written: this.#write(spans), of: spans.length });
      if (!sent) return this.#spans.putBack();
      this.#spans.settle();
    }
    if (this.#metricsDue()) await this.#sendMetrics();
  }

  async #sendMetrics(): Promise<void> {
    const { metrics, points, since } = (this.#unsent ??= this.#takeMetrics());
    const written = Promise.resolve(metricsRequest(metrics, this.#origin));
    const sent = await this.#export("metrics", { written, of: points });
    if (!sent && this.#now() - since < longestOutage) return;
    this.#unsent = undefined;
    if (!sent) this.#lose("metrics", points, "for too long");
  }

  #takeMetrics(): UnsentMetrics {
    this.#measured = this.#now();
    const metrics = this.meter.take(this.#measured);
    const points = metrics.reduce((sum, metric) => sum + metric.points.length, 0);
    return { metrics, points, since: this.#measured };
  }

  #rests(): boolean {
    const now = this.#now();
    return now < this.#restUntil && now >= this.#hurryUntil;
  }

  /** The message of those spans. Some are written at a time: answers go on between them. */
  async #write(spans: readonly Span[]): Promise<OtlpMessage> {
    const written: OtlpValue[] = [];
    for (const [index, span] of spans.entries()) {
      if (index > 0 && index % spansAtOnce === 0)
        await new Promise((resolve) => setTimeout(resolve, 0));
      const message = spanMessage(span);
      written.push(this.#settings.encoding === "json" ? message : spanBytes(message));
    }
    return traceRequestWith(written, this.#origin);
  }

  #spansDue(): boolean {
    const waits = this.#spans.length;
    const now = this.#now();
    const late = now - this.#oldest >= batchWait || now < this.#hurryUntil;
    return waits >= batchSize || (waits > 0 && late);
  }

  #metricsDue(): boolean {
    if (this.#unsent !== undefined) return true;
    if (this.meter.isEmpty) return false;
    const now = this.#now();
    const due = now - this.#measured >= this.#settings.interval;
    return due || now - this.#heard >= quiet || now < this.#hurryUntil;
  }

  /** `of`: how many spans or points the message holds. False: it is to be sent again. */
  async #export(
    signal: Signal,
    { written, of }: { written: Promise<OtlpMessage>; of: number },
  ): Promise<boolean> {
    const address = this.#settings[signal];
    if (address === null) return true;
    this.#busyUntil = this.#now() + longestRun;
    const exported = await sendExport(address, await written, this.#settings);
    this.#busyUntil = 0;
    if (exported.kind === "later") {
      this.#rest = Math.min(longestRest, Math.max(firstRest, 2 * this.#rest));
      this.#restUntil = this.#now() + this.#rest;
      return false;
    }
    this.#rest = 0;
    const lost = exported.kind === "taken" ? Math.min(of, exported.rejected) : of;
    this.#counts[signal].sent += of - lost;
    if (lost > 0) this.#lose(signal, lost, exported.kind === "taken" ? "rejected" : exported.why);
    return true;
  }

  #lose(signal: Signal, count: number, why: string): void {
    this.#drop(signal, count);
    this.#tellLoss(signal, why);
  }

  #drop(signal: Signal, count: number): void {
    this.#counts[signal].dropped += count;
    if (this.#settings.metrics !== null)
      this.meter.add(sinkDropped, count, {
        to: { key: signal, attributes: () => [["gateway.sink", `otlp_${signal}`]] },
      });
  }

  #tellLoss(signal: Signal, why: string): void {
    const now = this.#now();
    if (now - this.#toldLoss < lossInterval) return;
    this.#toldLoss = now;
    const { dropped } = this.#counts[signal];
    console.error(`The collector did not take ${signal} (${why}); ${dropped} were lost so far.`);
  }
}
