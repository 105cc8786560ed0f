/** Clients that leave: on a runtime that says nothing of it, their slots and the provider's calls still come back. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  clients,
  openLane,
  provider,
  request,
  type Client,
  type WireFormat,
} from "../kit/asking.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";
import { endpoints } from "../kit/wire/index.ts";
import { ask, inFlight, world, type World } from "../smoke/gateway.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";

const space = scratch();
let upstream: Upstream;
let host: Host;

beforeAll(async () => {
  upstream = await startUpstream();
  host = await npmStart({
    state: space.folder,
    environment: { TRUSTED_IP_HEADER: "x-test-address" },
  });
}, 120_000);

afterAll(async () => {
  await host.stop();
  await upstream.close();
  space.remove();
}, 120_000);

const formats: WireFormat[] = ["chat", "responses", "messages", "gemini"];
const pairs = clients.flatMap((client) => formats.map((format) => ({ client, format })));
const text = "words of an answer that stops in the middle";
const sse = { "content-type": "text/event-stream" };

/** The events up to the first that holds words of the answer. */
function head(format: WireFormat): string[] {
  const events = endpoints[format].events({ text }, "m");
  return events.slice(0, events.findIndex((event) => event.includes("words")) + 1);
}

/** Asks for a stream, reads until its first content, leaves. */
async function leave(where: World, client: Client): Promise<void> {
  const leaving = new AbortController();
  const body = request(client, { model: "p/m", stream: true });
  const answer = await ask(where, { client, body, signal: leaving.signal });
  expect(answer.status).toBe(200);
  await answer.body?.getReader().read();
  leaving.abort();
}

describe("ten clients that leave a stream while its provider is silent", () => {
  it.concurrent.each(pairs)(
    "$client over $format: every call is cancelled and every slot is free, long before a time-out",
    async ({ client, format }) => {
      const lane = openLane(upstream.url);
      await lane.answer({ headers: sse, body: head(format), end: "hang" });
      // Longer than the test may take: what frees the slots is the departure.
      const timeouts = { idle: 600 };
      const where = await world(host, {
        providers: [provider({ id: "p", format, lane, timeouts })],
      });
      await Promise.all(Array.from({ length: 10 }, () => leave(where, client)));
      while ((await inFlight(where)) > 0) await sleep(50);
      for (let n = 0; n < 10; n++) await lane.left(n, 5000);
    },
    60_000,
  );
});
