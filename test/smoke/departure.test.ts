import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  clients,
  openLane as laneOn,
  provider,
  request,
  replyScript,
  type Client,
  type Json,
  type Lane,
  type Script,
  type WireFormat,
} from "../kit/asking.ts";
import { sampled } from "../kit/sample.ts";
import { endpoints } from "../kit/wire/index.ts";
import { ask, asked, inFlight, rowOf, world, type World } from "./gateway.ts";
import { admin, npmStart, scratch, type Host } from "./host.ts";

const space = scratch();
let host: Host;

beforeAll(async () => {
  host = await npmStart({ state: space.folder });
});

afterAll(async () => {
  await host.stop();
  space.remove();
});

const openLane = (): Lane => laneOn(inject("upstream"));
const text = "a long answer that its client will not wait for ".repeat(60);
const sse = { "content-type": "text/event-stream" };

/** How the provider goes on, and what the client does behind the headers. */
interface Leaving {
  name: string;
  script(format: WireFormat): Script;
  /** Milliseconds between the first bytes and the departure. */
  after: number;
  /** Milliseconds from the departure to the provider's next event. */
  silence: number;
}

const leavings: Leaving[] = [
  {
    name: "at the first bytes of a fast stream",
    script: (format) => ({ headers: sse, body: endpoints[format].events({ text }, "m"), pace: 20 }),
    after: 0,
    silence: 0,
  },
  {
    name: "between two events",
    script: (format) => ({
      headers: sse,
      body: endpoints[format].events({ text }, "m"),
      pace: 100,
    }),
    after: 350,
    silence: 0,
  },
  {
    name: "in a silence that events follow",
    script: (format) => ({
      headers: sse,
      body: endpoints[format].events({ text }, "m"),
      pace: 700,
    }),
    after: 100,
    silence: 700,
  },
];

const pairs: { client: Client; format: WireFormat }[] = [
  ...clients.map((client) => ({ client, format: client })),
  { client: "chat", format: "gemini" },
  { client: "responses", format: "chat" },
  { client: "messages", format: "responses" },
];
const rows = sampled(pairs.flatMap((pair) => leavings.map((leaving) => ({ ...pair, ...leaving }))));

async function sceneFor(
  format: WireFormat,
  more: Json = {},
): Promise<{ where: World; lane: Lane }> {
  const lane = openLane();
  return {
    where: await world(host, { providers: [provider({ id: "p", format, lane, ...more })] }),
    lane,
  };
}

/** Asks for a stream, reads until its first content, leaves. */
async function leave(where: World, client: Client, after = 0): Promise<string | null> {
  const leaving = new AbortController();
  const { signal } = leaving;
  const body = request(client, { model: "p/m", stream: true });
  const answer = await ask(where, { client, body, signal });
  await answer.body?.getReader().read();
  await sleep(after);
  leaving.abort();
  return answer.headers.get("x-gateway-request-id");
}

async function freed(where: World): Promise<number> {
  const begin = Date.now();
  while ((await inFlight(where)) > 0) await sleep(10);
  return Date.now() - begin;
}

describe("a client that leaves", () => {
  it.concurrent.each(rows)("$client over $format, $name", async (given) => {
    const { client, format, script, after, silence } = given;
    const { where, lane } = await sceneFor(format);
    await lane.answer(script(format));
    const id = await leave(where, client, after);
    const left = Date.now();
    const seen = await lane.left(0, 6000);
    expect((seen.leftAt ?? Number.POSITIVE_INFINITY) - left).toBeLessThan(silence + 2000);
    await freed(where);
    expect(Date.now() - left).toBeLessThan(silence + 2500);
    const row = await rowOf(where, id);
    expect(row).toMatchObject({ status: 499, model: "p/m", stream: true });
    expect(row["attempts"]).toMatchObject([{ model: "p/m", status: 499 }]);
    expect(row["usage"]).toMatchObject({ estimated: true });
  });

  it("is never counted as the provider's failure", async () => {
    const { where, lane } = await sceneFor("chat");
    await lane.answer({ headers: sse, body: endpoints.chat.events({ text }, "m"), pace: 20 });
    for (let n = 0; n < 4; n++) {
      await leave(where, "chat");
      await lane.left(n, 6000);
    }
    await freed(where);
    expect(await admin<Json>(where.host, "GET /api/status")).toMatchObject({ cooling: {} });
  });

  it("while the provider is silent for good gives its slot back at the time-out", async () => {
    const { where, lane } = await sceneFor("chat", { timeouts: { idle: 1 } });
    const head = endpoints.chat.events({ text }, "m").slice(0, 3);
    await lane.answer({ headers: sse, body: head, end: "hang" });
    await leave(where, "chat");
    expect(await freed(where)).toBeLessThan(3000);
    await lane.left(0, 1000);
  });

  it("before the headers gives its slot back when the attempt ends", async () => {
    const { where, lane } = await sceneFor("chat", { timeouts: { headers: 1 } });
    await lane.answer({ mute: true, end: "hang" });
    const leaving = new AbortController();
    const body = request("chat", { model: "p/m", stream: true });
    const waiting = ask(where, { client: "chat", body, signal: leaving.signal });
    while ((await inFlight(where)) === 0) await sleep(5);
    leaving.abort();
    await expect(waiting).rejects.toThrow();
    expect(await freed(where)).toBeLessThan(3000);
    await lane.left(0, 1000);
  });

  it("leaves exactly ten slots: after thirty departures ten requests run at once, the next is refused", async () => {
    const { where, lane } = await sceneFor("messages");
    const slow = { headers: sse, body: endpoints.messages.events({ text }, "m"), pace: 30 };
    await lane.answer(slow);
    for (let round = 0; round < 3; round++) {
      await Promise.all(Array.from({ length: 10 }, (_, n) => leave(where, "messages", n * 10)));
      await freed(where);
    }
    const body = request("messages", { model: "p/m", stream: true });
    const leaving = new AbortController();
    const { signal } = leaving;
    const ten = await Promise.all(
      Array.from({ length: 10 }, () => ask(where, { client: "messages", body, signal })),
    );
    expect(ten.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const over = await asked(where, { client: "messages", body });
    expect(over).toMatchObject({ status: 429, error: { code: "concurrency_limit" } });
    leaving.abort();
    await freed(where);
    await lane.answer(replyScript("messages", { text: "GOOD" }, { stream: true }));
    expect((await asked(where, { client: "messages", body })).status).toBe(200);
  });
});
