/** Clients of WebSockets that send garbage, read nothing, or vanish: the gateway stays, and holds nothing for them. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSocket, type SocketClient } from "../../scripts/bench/socket-client.ts";
import { openLane, provider, replyScript, type Json, type Lane } from "../kit/asking.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";
import { endpoints } from "../kit/wire/index.ts";
import { inFlight, world, type World } from "../smoke/gateway.ts";
import { npmStart, scratch, type Host } from "../smoke/host.ts";

const space = scratch();
let upstream: Upstream;
let host: Host;

beforeAll(async () => {
  upstream = await startUpstream();
  host = await npmStart({ state: space.folder });
}, 120_000);

afterAll(async () => {
  if (host.child.exitCode === null) await host.stop();
  await upstream.close();
  space.remove();
}, 120_000);

const sse = { "content-type": "text/event-stream" };

interface Scene {
  where: World;
  lane: Lane;
  open(): Promise<SocketClient>;
}

async function scene(): Promise<Scene> {
  const lane = openLane(upstream.url);
  await lane.answer(replyScript("responses", { text: "GOOD" }, { stream: true }));
  const where = await world(host, {
    providers: [provider({ id: "lab", format: "responses", lane })],
  });
  const port = Number(new URL(host.base).port);
  const open = () => openSocket({ port, headers: { authorization: `Bearer ${where.key}` } });
  return { where, lane, open };
}

const create = (more: Json = {}): string =>
  JSON.stringify({ type: "response.create", model: "lab/m", store: false, input: "hi", ...more });

async function expectServed(client: SocketClient): Promise<void> {
  client.send(create());
  expect((await client.until("response.completed", "error"))?.type).toBe("response.completed");
  client.connection.destroy();
}

describe("a client that", () => {
  it("sends ninety messages of garbage gets as many refusals, and is served then", async () => {
    const { open } = await scene();
    const client = await open();
    const kinds = ["{", "garbage", "[".repeat(10_000), `{"type":"${"x".repeat(2000)}"}`];
    for (let n = 0; n < 90; n++) client.send(kinds[n % kinds.length] ?? "");
    for (let n = 0; n < 90; n++)
      expect(await client.next()).toMatchObject({ type: "error", status: 400 });
    await expectServed(client);
  });

  it("sends a frame that is too large, unknown or endless is closed, and others are served", async () => {
    const { open } = await scene();
    const huge = Buffer.from([0x81, 0xff, 0x7f, ...Array<number>(7).fill(255), 0, 0, 0, 0]);
    for (const bytes of [huge, Buffer.from([0x83, 0x80, 0, 0, 0, 0]), randomBytes(1000)]) {
      const client = await open();
      client.connection.write(bytes);
      client.connection.end();
      while ((await client.next()) !== undefined);
    }
    await expectServed(await open());
  });

  it("sends a small message of millions of values, or one nested without end, costs no process", async () => {
    const { open, lane } = await scene();
    const client = await open();
    const start = `{"type":"response.create","model":"lab/m","input":[`;
    client.send(`${start}${"{},".repeat(8_000_000)}{}]}`);
    expect(await client.next()).toMatchObject({ type: "error", status: 400 });
    client.send("[".repeat(5_000_000));
    expect(await client.next()).toMatchObject({ type: "error", status: 400 });
    expect(await lane.received()).toEqual([]);
    await expectServed(client);
  });

  it("floods lanes is refused beyond their bounds, and its cut ends every call at once", async () => {
    const { where, lane, open } = await scene();
    await lane.answer({ mute: true, end: "hang" });
    const client = await open();
    for (let n = 0; n < 100; n++) client.send(create({ stream_id: `lane ${n}` }));
    for (let n = 0; n < 84; n++)
      expect(await client.until("error")).toMatchObject({
        status: 429,
        headers: { "retry-after": expect.stringMatching(/^\d+$/) },
      });
    while ((await lane.received()).length < 10) await sleep(20);
    client.connection.resetAndDestroy();
    for (let n = 0; n < 10; n++) await lane.left(n, 2000);
    while ((await inFlight(where)) > 0) await sleep(20);
  });

  it("reads nothing is cut, and so is its provider's call, before it fills the memory", async () => {
    const { where, lane, open } = await scene();
    const [created = "", ...events] = endpoints.responses.events({ text: "words" }, "m");
    const delta = events.find((event) => event.includes("output_text.delta")) ?? "";
    const large = delta.replace(/"delta":"[^"]*"/, `"delta":"${"x".repeat(1_000_000)}"`);
    const before = events.slice(0, events.indexOf(delta));
    const body = [created, ...before, ...Array<string>(150).fill(large)];
    await lane.answer({ headers: sse, body, end: "hang" });
    const client = await open();
    client.connection.pause();
    client.send(create());
    while ((await lane.received()).length === 0) await sleep(20);
    await lane.left(0, 60_000);
    while ((await inFlight(where)) > 0) await sleep(20);
    client.connection.destroy();
  });
});

it("the end of the process is told to idle sockets, which are closed, so that it waits for none", async () => {
  const { open } = await scene();
  const idle = await open();
  const other = await open();
  other.send(create());
  await other.until("response.completed");
  const stopped = host.stop();
  for (const client of [idle, other]) {
    const told = await client.until("error");
    expect(told).toMatchObject({ error: { code: "websocket_connection_limit_reached" } });
    expect(await client.next()).toBeUndefined();
    expect(client.code()).toBe(1000);
    client.connection.end();
  }
  await stopped;
});
