import { describe, expect, it } from "vitest";
import type { EventWriter } from "../../src/core/format.ts";
import { noNames } from "../../src/translation/tool-names.ts";
import { targetIn } from "../../src/providers/connection/target.ts";
import { chat } from "../../src/formats/chat/index.ts";
import type { AnswerEnd } from "../../src/gateway/outcome.ts";
import { pumped } from "../../src/gateway/stream.ts";
import type { Decided } from "../../src/gateway/choose.ts";
import { deliver } from "../../src/gateway/deliver.ts";
import type { Exchange } from "../../src/gateway/exchange.ts";
import { InFlight } from "../../src/gateway/isolate/in-flight.ts";
import type { Services } from "../../src/gateway/services.ts";
import { clientRequest } from "../../src/upstream/client-request.ts";
import { noPiece, type Source } from "../../src/upstream/source.ts";
import type { StreamAnswer } from "../../src/upstream/upstream.ts";
import { newTotals } from "../../src/gateway/totals.ts";
import { connectionOf } from "../../src/providers/connection/connection.ts";
import { guessedModel } from "../../src/providers/models/models.ts";

const lab = "http://127.0.0.1:9/v1";

const source: Source = {
  read: () => Promise.resolve({ ...noPiece, events: [{ kind: "delta", key: 0, text: "b" }] }),
  cancel: () => undefined,
  mapFailures: () => undefined,
};

const entry = { id: "lab", kind: "custom", format: "chat", base_url: lab } as const;
const model = guessedModel(connectionOf(entry), "m", Date.now());

/** A translated answer that has begun. */
function answerOf(from: Source): StreamAnswer {
  return {
    kind: "stream",
    prepared: {
      model,
      target: targetIn(model, "chat", true),
      format: chat.provider,
      relay: false,
      body: {},
      context: { origin: "lab", names: noNames },
      dropped: [],
      quiet: [],
      hidesUsage: false,
    },
    headers: {},
    attempts: [],
    begun: Date.now(),
    source: from,
    held: { ...noPiece, events: [{ kind: "delta", key: 0, text: "a" }] },
    controller: new AbortController(),
  };
}

/** What a client reads, and how the request was booked, when the writer fails at its second piece. */
async function broken(): Promise<{ text: string; ends: AnswerEnd[] }> {
  let writes = 0;
  const writer: EventWriter = {
    write(events) {
      if (events.some(({ kind }) => kind === "fail")) return "data: error\n\n";
      writes += 1;
      if (writes > 1) throw new TypeError("a fault of the writer's own");
      return "data: a\n\n";
    },
    keepAlive: () => "",
  };
  const ends: AnswerEnd[] = [];
  const body = pumped(
    {
      answer: answerOf(source),
      client: chat.client,
      writer,
      filter: undefined,
      framing: undefined,
      frame: undefined,
      ending: undefined,
      totals: newTotals(),
      deadline: undefined,
      cut: () => undefined,
      end: (end) => {
        ends.push(end);
        return Promise.resolve();
      },
    },
    () => undefined,
  );
  return { text: await new Response(body).text(), ends };
}

describe("a fault of the gateway's own in mid-stream", () => {
  it("is told as an error event, not as a client that left", async () => {
    const { text, ends } = await broken();
    expect(text).toBe("data: a\n\ndata: error\n\n");
    // The first end is the one that is booked.
    expect(ends[0]).toMatchObject({ kind: "failed", failure: { status: 500 } });
  });
});

describe("a fault between the first content and the pump", () => {
  it("ends the provider's call, which nobody would read", async () => {
    let cancelled = false;
    const answer = answerOf({ ...source, cancel: () => (cancelled = true) });
    const client = {
      ...chat.client,
      eventWriter: () => {
        throw new TypeError("a fault of the writer's own");
      },
    };
    const decided = {
      client,
      time: Date.now(),
      waitUntil: () => undefined,
      request: clientRequest(chat.client, { body: {}, text: "{}" }),
      plan: { estimates: [] },
      chosen: { candidates: [model] },
      admission: {},
    } as unknown as Decided;
    // The few members that are needed to begin an answer.
    const exchange = { headers: () => ({}), holds: () => undefined } as unknown as Exchange;
    const services = { now: Date.now, inFlight: new InFlight(1, Date.now) } as unknown as Services;
    await expect(deliver(answer, { decided, exchange, services })).rejects.toThrow("writer");
    expect(answer.controller.signal.aborted).toBe(true);
    expect(cancelled).toBe(true);
  });
});
