import { describe, expect, it } from "vitest";
import type { EventWriter } from "../../src/core/format.ts";
import { noNames } from "../../src/translation/tool-names.ts";
import { chat } from "../../src/formats/chat/index.ts";
import { deliverStream, type End } from "../../src/gateway/deliver.ts";
import { noPiece, type Source } from "../../src/upstream/source.ts";
import { newTally } from "../../src/gateway/tally.ts";

const source: Source = {
  read: () => Promise.resolve({ ...noPiece, events: [{ kind: "delta", key: 0, text: "b" }] }),
  cancel: () => undefined,
};

/** What a client reads, and how the request was booked, when the writer fails at its second piece. */
async function broken(): Promise<{ text: string; ends: End[] }> {
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
  const ends: End[] = [];
  const body = deliverStream(
    {
      source,
      held: { ...noPiece, events: [{ kind: "delta", key: 0, text: "a" }] },
      relay: false,
      writer,
      filter: undefined,
      provider: chat,
      context: { origin: "lab", names: noNames },
      tally: newTally(),
      idle: 5,
      deadline: Date.now() + 5000,
      controller: new AbortController(),
      mask: (failure) => failure,
      renew: () => undefined,
      settle: (end) => {
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
    expect(ends).toMatchObject([{ kind: "failed", failure: { status: 500 } }]);
  });
});
