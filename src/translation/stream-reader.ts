/** The shell around the readers of streamed answers: it ends them once, and reports streams that cannot be parsed. */
import type { ReplyEvent } from "../core/events.ts";
import type { EventReader } from "../core/format.ts";

/** What one format does with the text of a stream. */
export interface StreamSteps {
  feed(text: string): void;
  /** The body ended. */
  end(): void;
  /** The answer cannot be read on: an event or object is too long. */
  fail(message: string): void;
  /** Whether nothing may follow. */
  ended(): boolean;
  /** The events since the last call. */
  drain(): ReplyEvent[];
}

/** An event reader over these steps: silent once the answer has ended, and a RangeError of the parser is a failure. */
export function streamReader(steps: StreamSteps): EventReader {
  const run = (step: () => void): ReplyEvent[] => {
    if (steps.ended()) return [];
    try {
      step();
    } catch (error) {
      // Parsers throw it for an endless event. Every other error is a fault of this program.
      if (!(error instanceof RangeError)) throw error;
      steps.fail(error.message);
    }
    return steps.drain();
  };
  return { feed: (text) => run(() => steps.feed(text)), end: () => run(() => steps.end()) };
}
