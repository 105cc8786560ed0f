import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import {
  faultKinds,
  ownCode,
  said,
  secretForms,
  secretPart,
  type FaultKind,
} from "../kit/fault-kinds.ts";
import { expectBaseHeaders } from "../kit/expectations.ts";
import {
  asks,
  at,
  openLane as laneOn,
  provider,
  request,
  replyScript,
  words,
  type Answer,
  type Client,
  type Json,
  type Lane,
  type WireFormat,
} from "../kit/asking.ts";
import { sampled } from "../kit/sample.ts";
import { asked, inFlight, world, type World } from "./gateway.ts";
import { npmRunBench, scratch, type Host } from "./host.ts";

const space = scratch();
let host: Host;

beforeAll(async () => {
  host = await npmRunBench(space.folder);
});

afterAll(async () => {
  await host.stop();
  space.remove();
});

const openLane = (): Lane => laneOn(inject("upstream"));

interface Scene {
  world: World;
  /** By provider id: one for each fault with a fallback, and one without. */
  lanes: Map<string, Lane>;
}

const slugOf = (kind: FaultKind): string => kind.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
const backed = (kind: FaultKind): string => `backed-${slugOf(kind)}`;
const alone = (kind: FaultKind): string => `alone-${slugOf(kind)}`;
const short = { headers: 0.25, first_content: 0.25, idle: 0.25, total: 0.4 };

/** One workspace with two providers for each fault, and one that answers. */
async function setUp(bad: WireFormat, good: WireFormat, stream: boolean): Promise<Scene> {
  const lanes = new Map<string, Lane>();
  const answering = openLane();
  await answering.answer(replyScript(good, { text: "GOOD" }, { stream }));
  const failing = faultKinds.flatMap((kind) =>
    [backed(kind), alone(kind)].map((id) => {
      const lane = openLane();
      lanes.set(id, lane);
      return provider({
        id,
        format: bad,
        lane,
        ...(kind.slow === true && { timeouts: short }),
      });
    }),
  );
  const fallbacks = Object.fromEntries(faultKinds.map((kind) => [`${backed(kind)}/m`, ["good/m"]]));
  const made = await world(host, {
    providers: [...failing, provider({ id: "good", format: good, lane: answering })],
    harnesses: [{ id: "h", name: "H", routing: { fallbacks } }],
  });
  return { world: made, lanes };
}

function laneOf(scene: Scene, id: string): Lane {
  const lane = scene.lanes.get(id);
  if (lane === undefined) throw new Error("no such provider");
  return lane;
}

function expectNoSecret(answer: Answer): void {
  const everything = answer.text + JSON.stringify([...answer.headers]);
  for (const form of [...secretForms, secretPart]) expect(everything).not.toContain(form);
}

const kindsFor = (stream: boolean): FaultKind[] =>
  sampled(faultKinds.filter(({ streamOnly }) => stream || streamOnly !== true));

describe.each(asks)("$client, stream $stream: before the first content", ({ client, stream }) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await setUp(client, client, stream);
  });
  const ask = (id: string): Promise<Answer> =>
    asked(scene.world, {
      client,
      body: request(client, { model: `${id}/m`, ...(stream && { stream }) }),
      headers: { accept: "text/event-stream" },
    });

  it.concurrent.each(kindsFor(stream))("$name: the fallback answers", async (kind) => {
    const lane = laneOf(scene, backed(kind));
    await lane.answer(kind.script(client, stream));
    const answer = await ask(backed(kind));
    expectFallback(answer, { kind, client });
    expect(await lane.received()).toHaveLength(kind.twice === true ? 2 : 1);
  });

  it.concurrent.each(kindsFor(stream))(
    "$name: told as it is where nobody else can",
    async (kind) => {
      await laneOf(scene, alone(kind)).answer(kind.script(client, stream));
      expectFailure(await ask(alone(kind)), { kind, client, provider: client });
    },
  );

  it("leaves no slot behind", async () => {
    expect(await inFlight(scene.world)).toBe(0);
  });
});

function expectFallback(
  answer: Answer,
  { kind, client }: { kind: FaultKind; client: Client },
): void {
  expect(answer.status, answer.text).toBe(200);
  expect(words(client, answer)).toBe("GOOD");
  expectNoSecret(answer);
  expectBaseHeaders(answer, client);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "x-gateway-model": "good/m",
    "x-gateway-provider": "good",
    "x-gateway-tier": "direct",
    "x-gateway-fallback-from": `${backed(kind)}/m`,
    "x-gateway-fallback-index": "0",
  });
  expect(answer.headers.get("x-gateway-fallback-exhausted")).toBeNull();
  expect(answer.headers.get("retry-after")).toBeNull();
}

interface Failed {
  kind: FaultKind;
  client: Client;
  provider: WireFormat;
}

/** The provider's failure in the envelope of the client's format, with the headers of a routed answer. */
function expectFailure(answer: Answer, { kind, client, provider: from }: Failed): void {
  const stated = kind.spoken === true && kind.alone === 502 && !kind.name.startsWith("status");
  if (stated) expect(answer.status).toBeGreaterThanOrEqual(400);
  else expect(answer.status, answer.text).toBe(kind.alone);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expectNoSecret(answer);
  expectBaseHeaders(answer, client);
  const { message, code, type } = answer.error;
  expect(message).toEqual(expect.stringMatching(/\S/));
  expect(message).not.toMatch(/^\[gateway/);
  if (client === "messages")
    expect(answer.json).toMatchObject({ type: "error", request_id: expect.any(String) });
  else expect(Object.keys(answer.json)).toEqual(["error"]);
  expect(type).toEqual(expect.stringMatching(/^[a-z_]+$/));
  if (kind.spoken === true && !stated) {
    expect(message).toContain(said);
    expect(code).toBe(ownCode[from]);
    if (from === client) expect(type).toBe("odd_error");
  } else if (kind.spoken === true) expect(message).toContain(said);
  else expect(code).toBe("provider_error");
  expect(answer.headers.get("x-gateway-fallback-exhausted")).toBeNull();
  expect(answer.headers.get("x-gateway-fallback-from")).toBeNull();
  expect(at(answer.error, "attempts")).toBeUndefined();
  expect(answer.headers.get("x-gateway-model")).toBe(`${alone(kind)}/m`);
  const permanent = [400, 401, 402, 403, 404, 413, 422].includes(answer.status);
  expect(answer.headers.get("x-should-retry")).toBe(permanent ? "false" : null);
  const pause = kind.retryAfter ?? (answer.status === 429 ? 5 : undefined);
  expect(answer.headers.get("retry-after")).toBe(pause === undefined ? null : String(pause));
}

/** Who asks, who fails, who answers instead: other formats than the client's own. */
const foreign: { client: Client; bad: WireFormat; good: WireFormat }[] = [
  { client: "chat", bad: "gemini", good: "messages" },
  { client: "responses", bad: "messages", good: "chat" },
  { client: "messages", bad: "responses", good: "gemini" },
  { client: "messages", bad: "chat", good: "chat" },
];
const crossed = foreign.flatMap((pair) => [true, false].map((stream) => ({ ...pair, stream })));

describe.each(crossed)("$client over $bad, then $good, stream $stream", (given) => {
  const { client, stream } = given;
  let scene: Scene;
  beforeAll(async () => {
    scene = await setUp(given.bad, given.good, stream);
  });
  // What is no stream of one format may be one of another.
  const kinds = kindsFor(stream).filter(({ name }) => name !== "only [DONE]");

  const ask = (id: string): Promise<Answer> => {
    const body: Json = request(client, { model: `${id}/m`, ...(stream && { stream }) });
    return asked(scene.world, { client, body });
  };

  it.concurrent.each(kinds)("$name", async (kind) => {
    await laneOf(scene, backed(kind)).answer(kind.script(given.bad, stream));
    expectFallback(await ask(backed(kind)), { kind, client });
    if (kind.slow === true) return;
    await laneOf(scene, alone(kind)).answer(kind.script(given.bad, stream));
    expectFailure(await ask(alone(kind)), { kind, client, provider: given.bad });
  });

  it("leaves no slot behind", async () => {
    expect(await inFlight(scene.world)).toBe(0);
  });
});

const chunked =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
const json = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** What comes out of a socket that speaks no HTTP, or a broken kind of it. */
const garbage: { name: string; text: string }[] = [
  { name: "noise", text: "\u0000\u0001 noise \r\n\r\n" },
  { name: "another protocol", text: "SSH-2.0-OpenSSH_9.0\r\n" },
  { name: "HTTP/2 frames", text: "\0\0\u0006\u0004\0\0\0\0\0\0\u0003\0\0\0d" },
  { name: "half a status line", text: "HTTP/1.1 2" },
  { name: "half the headers", text: "HTTP/1.1 200 OK\r\ncontent-ty" },
  { name: "a status that is none", text: "HTTP/1.1 999 Odd\r\ncontent-length: 2\r\n\r\n{}" },
  { name: "status 101", text: "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n" },
  { name: "a header without a name", text: "HTTP/1.1 200 OK\r\n: x\r\n\r\n{}" },
  { name: "a header too long", text: `HTTP/1.1 200 OK\r\nx-odd: ${"x".repeat(300_000)}\r\n\r\n{}` },
  { name: "two lengths", text: `${json}content-length: 2\r\ncontent-length: 5\r\n\r\n{}` },
  { name: "a negative length", text: `${json}content-length: -1\r\n\r\n{}` },
  { name: "a length that is no number", text: `${json}content-length: many\r\n\r\n{}` },
  { name: "a length too large", text: `${json}content-length: 500\r\n\r\n{}` },
  { name: "a chunk's size that is none", text: `${chunked}zz\r\ndata: x\r\n` },
  { name: "a chunk cut in two", text: `${chunked}50\r\ndata: ` },
  { name: "no last chunk", text: `${chunked}2\r\n: \r\n` },
];

describe("answers that are no HTTP", () => {
  const raw = createServer((socket) => {
    const path = new Promise<string>((resolve) => {
      socket.once("data", (part: Buffer) =>
        resolve(/^\S+ \/(\d+)/.exec(part.toString())?.[1] ?? ""),
      );
    });
    // A host that hangs up first is what some of them are for.
    socket.on("error", () => undefined);
    void path.then((index) => socket.end(garbage[Number(index)]?.text ?? ""));
  });
  let where: World;

  beforeAll(async () => {
    await new Promise<void>((resolve) => raw.listen(0, "127.0.0.1", resolve));
    // A listening TCP server has such an address.
    const { port } = raw.address() as AddressInfo;
    const good = openLane();
    await good.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
    const failing = garbage.flatMap((_, index) =>
      ["backed", "alone"].map((id) => ({
        ...provider({ id: `${id}-${index}`, format: "chat", lane: good }),
        base_url: `http://127.0.0.1:${port}/${index}`,
        timeouts: { headers: 2, total: 3 },
      })),
    );
    const fallbacks = Object.fromEntries(
      garbage.map((_, index) => [`backed-${index}/m`, ["good/m"]]),
    );
    where = await world(host, {
      providers: [...failing, provider({ id: "good", format: "chat", lane: good })],
      harnesses: [{ id: "h", name: "H", routing: { fallbacks } }],
    });
  });

  afterAll(() => void raw.close());

  const rows = garbage.map((row, index) => ({ ...row, index }));
  it.concurrent.each(rows)(
    "$name: the fallback answers, and alone it is a 502",
    async ({ index }) => {
      const answer = await asked(where, {
        client: "chat",
        body: request("chat", { model: `backed-${index}/m` }),
      });
      expect(answer.status, answer.text).toBe(200);
      expect(words("chat", answer)).toBe("GOOD");
      const told = await asked(where, {
        client: "chat",
        body: request("chat", { model: `alone-${index}/m` }),
      });
      expect([502, 504], told.text).toContain(told.status);
      expect(told.error["message"]).toMatch(/\S/);
    },
  );

  it("leave no slot behind", async () => {
    expect(await inFlight(where)).toBe(0);
  });
});
