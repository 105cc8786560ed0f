/** A place outside the workspace that learns of finished requests: standard output, metrics, a collector. */
import type { FinishedRequest } from "./finished-request.ts";

/** Keeps work running after the response. */
export type Background = (work: Promise<unknown>) => void;

/** To add a sink: its folder or file here, and one entry in `src/sinks.ts`. */
export interface Sink {
  /** Takes note of it and returns at once: what takes longer goes to the background. Never throws. */
  tell(finished: FinishedRequest, background: Background): void;
  /** Whether it has nothing to do for it; missing: it is told of every request. */
  ignores?(finished: FinishedRequest): boolean;
  /** What became of what it was told, one entry a queue; for `GET /metrics`. */
  stats?(): readonly SinkStats[];
  /** The process ends soon: sends what waits, if that can be done in a moment. */
  flush?(): Promise<void>;
}

/** What became of what a sink took, since its isolate started. */
export interface SinkStats {
  /** The queue's name in metrics, in lower case with underscores: `stdout`, `otlp_traces` … */
  readonly name: string;
  /** What waits to be sent. */
  readonly queued: number;
  readonly sent: number;
  /** What was given up: it did not fit, or nobody took it. */
  readonly dropped: number;
}
