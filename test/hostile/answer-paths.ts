/** Every way through the code that a provider's answer takes. */
import type { FormatName } from "../../src/core/format-name.ts";
import type { ReplyEvent } from "../../src/core/events.ts";
import { Problem } from "../../src/core/problem.ts";
import { collect, replay } from "../../src/core/reply.ts";
import { clientFormats, providerFormats } from "../../src/formats/index.ts";
import { accumulate, newTotals } from "../../src/gateway/totals.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { context, echo } from "../kit/neutral.ts";
import { clientFormatNames } from "../kit/providers.ts";

/** Reads a stream in the pieces in which it arrives. */
export function readPieces(format: FormatName, pieces: readonly string[]): ReplyEvent[] {
  const reader = providerFormats[format].eventReader(context());
  return [...pieces.flatMap((piece) => reader.feed(piece)), ...reader.end()];
}

/** Reads a whole answer. */
export function readWhole(format: FormatName, body: JsonObject): ReplyEvent[] {
  return providerFormats[format].readReply(body, context());
}

export interface EventPath {
  readonly name: string;
  readonly run: (events: readonly ReplyEvent[]) => void;
}

/** What is done with the events of an answer. */
export const eventPaths: readonly EventPath[] = [
  { name: "total", run: (events) => accumulate(newTotals(), events) },
  {
    name: "replay",
    run(events) {
      const reply = collect(events);
      if (!("failure" in reply)) replay(reply);
    },
  },
  ...clientFormatNames.flatMap((name): EventPath[] => [
    {
      name: `stream ${name}`,
      run(events) {
        const writer = clientFormats[name].eventWriter(echo());
        for (const event of events) writer.write([event]);
      },
    },
    {
      name: `stream ${name} at once`,
      run: (events) => void clientFormats[name].eventWriter(echo()).write(events),
    },
    { name: `whole ${name}`, run: (events) => writeWhole(name, events) },
  ]),
];

function writeWhole(name: keyof typeof clientFormats, events: readonly ReplyEvent[]): void {
  const reply = collect(events);
  if ("failure" in reply) return;
  try {
    JSON.stringify(clientFormats[name].writeReply(reply, echo()));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}

/** The filter of relayed streams. */
export function filterPieces(pieces: readonly string[]): void {
  const filter = clientFormats.chat.usageFilter?.();
  for (const piece of pieces) filter?.feed(piece);
  filter?.end();
}
