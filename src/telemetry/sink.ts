/** A place outside the workspace that learns of finished requests: standard output, metrics, a collector. */
import type { FinishedRequest } from "./finished-request.ts";

/** Keeps work going behind the answer. */
export type Background = (work: Promise<unknown>) => void;

/** To add a sink: its folder or file here, and one entry in `sinks.ts`. */
export interface Sink {
  /** Takes note of it and returns at once: what takes longer goes to the background. Never throws. */
  tell(finished: FinishedRequest, background: Background): void;
}
