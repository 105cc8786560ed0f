/** The sinks of a deployment, by its settings. */
import type { Sink } from "./sink.ts";

/** Every sink that the settings switch on; none costs nothing. */
export const noSinks: readonly Sink[] = [];
