/** Responses over a WebSocket: what clients send and get, in front of providers of every format. */
import { afterEach, describe, expect, it } from "vitest";
import { openLane, provider, replyScript, type Json, type Lane } from "../kit/asking.ts";
import type { WireFormat } from "../kit/wire/said.ts";
import { admin, inFlight, knock, world, type World } from "./kit.ts";

const formats: WireFormat[] = ["responses", "chat", "messages", "gemini"];

interface Scene {
  where: World;
  lane: Lane;
}

async function scene(format: WireFormat, harness: Json = {}): Promise<Scene> {
  const lane = openLane();
  await lane.answer(replyScript(format, { text: "GOOD" }, { stream: true }));
  const providers = [provider({ id: "lab", format, lane })];
  return {
    where: await world({ providers, harnesses: [{ id: "h", name: "H", ...harness }] }),
    lane,
  };
}

const opened: WebSocket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

interface Client {
  send(message: Json | string | ArrayBuffer): void;
  /** Events up to the end of one response, or one that answers a message otherwise. */
  answer(): Promise<Json[]>;
  next(): Promise<Json>;
  closed: Promise<CloseEvent>;
  socket: WebSocket;
}

const last = /^(?:response\.(?:completed|failed|incomplete|steer\.failed)|error)$/;

async function open(key: string, more: { path?: string; headers?: Json } = {}): Promise<Client> {
  const response = await knock(more.path ?? "/v1/responses", {
    headers: {
      upgrade: "websocket",
      ...(key !== "" && { authorization: `Bearer ${key}` }),
      ...(more.headers as Record<string, string>),
    },
  });
  expect(response.status).toBe(101);
  expect(response.headers.has("openai-model")).toBe(false);
  const socket = response.webSocket;
  if (socket === null) throw new Error("no WebSocket came");
  const waiting: Json[] = [];
  let wake = (): void => undefined;
  socket.addEventListener("message", ({ data }) => {
    waiting.push(JSON.parse(String(data)) as Json);
    wake();
  });
  const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener("close", resolve));
  socket.accept();
  opened.push(socket);
  const next = async (): Promise<Json> => {
    while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    // It waits until there is one.
    return waiting.shift() as Json;
  };
  return {
    socket,
    closed,
    next,
    send: (message) =>
      socket.send(
        typeof message === "string" || message instanceof ArrayBuffer
          ? message
          : JSON.stringify(message),
      ),
    async answer() {
      for (const events: Json[] = []; ;) {
        const event = await next();
        events.push(event);
        if (last.test(String(event["type"]))) return events;
      }
    },
  };
}

const create = (more: Json = {}): Json => ({
  type: "response.create",
  model: "lab/m",
  store: false,
  input: [{ type: "message", role: "user", content: "hi" }],
  ...more,
});

function idOf(events: Json[]): string {
  const { response } = events.at(-1) as { response?: { id: string } };
  return response?.id ?? "";
}

async function bodies(lane: Lane): Promise<string[]> {
  return (await lane.received()).filter(({ method }) => method === "POST").map(({ text }) => text);
}

describe.each(formats)("a provider of %s", (format) => {
  it("answers messages with the events of the endpoint, and the conversation goes on by ids", async () => {
    const { where, lane } = await scene(format);
    const client = await open(where.key);
    client.send(create({ generate: false, input: [{ role: "developer", content: "FIRST" }] }));
    const warm = await client.answer();
    expect(warm.map(({ type }) => type)).toEqual(["response.created", "response.completed"]);
    expect(warm[1]).toMatchObject({
      response: { output: [], usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } },
    });
    expect(await bodies(lane)).toEqual([]);
    client.send(create({ previous_response_id: idOf(warm), input: "SECOND" }));
    const second = await client.answer();
    expect(second[0]?.["type"]).toBe("response.created");
    expect(second.some(({ type }) => type === "response.output_item.done")).toBe(true);
    client.send(
      create({ previous_response_id: idOf(second), input: [{ role: "user", content: "THIRD" }] }),
    );
    const third = await client.answer();
    expect(third.at(-1)?.["type"]).toBe("response.completed");
    const [, whole = ""] = await bodies(lane);
    const order = ["FIRST", "SECOND", "GOOD", "THIRD"].map((word) => whole.indexOf(word));
    expect(order.every((place) => place >= 0)).toBe(true);
    if (format === "responses")
      expect(JSON.parse(whole)).toMatchObject({ stream: true, store: false, model: "m" });
    for (const name of ["previous_response_id", "generate", "stream_id", "response.create"])
      expect(whole).not.toContain(name);
  });

  it("is called once for each message, with a row and a slot that comes back", async () => {
    const { where, lane } = await scene(format);
    const client = await open(where.key);
    for (const stream of [undefined, true, false]) {
      client.send(create(stream === undefined ? {} : { stream }));
      expect((await client.answer()).at(-1)?.["type"]).toBe("response.completed");
    }
    expect(await bodies(lane)).toHaveLength(3);
    while ((await inFlight(where)) > 0) await scheduler.wait(10);
    const rows = async (): Promise<Json[]> =>
      (await admin<{ data: Json[] }>(where.token, "GET /api/requests")).data;
    while ((await rows()).length < 3) await scheduler.wait(20);
    expect((await rows()).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("a client that leaves ends the provider's call at once, before its first byte and in the middle", async () => {
    for (const body of [
      undefined,
      replyScript(format, { text: "GOOD and more" }, { stream: true }).body?.slice(0, 4),
    ]) {
      const { where, lane } = await scene(format);
      const sse = { "content-type": "text/event-stream" };
      await lane.answer({
        ...(body === undefined ? { mute: true } : { headers: sse, body }),
        end: "hang",
      });
      const client = await open(where.key);
      client.send(create());
      while ((await lane.received()).length === 0) await scheduler.wait(10);
      client.socket.close(1000);
      // No keep-alive finds it out: those come after four seconds.
      await lane.left(0, 2000);
      while ((await inFlight(where)) > 0) await scheduler.wait(10);
      const rows = async (): Promise<Json[]> =>
        (await admin<{ data: Json[] }>(where.token, "GET /api/requests")).data;
      while ((await rows()).length === 0) await scheduler.wait(20);
      expect(await rows()).toMatchObject([{ outcome: "left", status: 499 }]);
    }
  });
});

describe("a refusal", () => {
  it.each([
    ["no key", ""],
    ["a key of another form", "sk-other"],
    ["a key that is not known", "gw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
  ])(
    "%s is refused at the first message, with a number, and never rendered, and its socket closes",
    async (_, key) => {
      const client = await open(key);
      client.send(create({ stream_id: "a" }));
      const [error] = await client.answer();
      expect(error).toMatchObject({
        type: "error",
        status: 401,
        stream_id: "a",
        error: { type: "auth_error", code: "gateway_auth", param: null },
      });
      expect(await client.closed).toMatchObject({ code: 1008 });
    },
  );

  it.each([
    ["bad frame", "x"],
    ["binary frame", new ArrayBuffer(1)],
    ["message that asks for nothing", { type: "response.processed" }],
    ["steering message", { type: "response.steer" }],
  ])("without a key a %s closes the socket too", async (_, message) => {
    const client = await open("");
    client.send(message);
    expect(await client.closed).toMatchObject({ code: 1008 });
  });

  it.each<[string, [message: Json | string, answer: string | undefined][]]>([
    ["bad frames", [["x", "error"]]],
    [
      "warm-ups among bad frames",
      [
        [create({ generate: false }), "response.completed"],
        ["x", "error"],
      ],
    ],
    ["messages that ask for nothing", [[{ type: "response.processed" }, undefined]]],
  ])(
    "of a good key: a hundred %s in a minute pass, the next closes the socket",
    async (_, kinds) => {
      const { where } = await scene("responses");
      const client = await open(where.key);
      for (let sent = 0; sent < 100; sent++) {
        const [message = "", answer] = kinds[sent % kinds.length] ?? [];
        client.send(message);
        if (answer !== undefined) expect((await client.answer()).at(-1)?.["type"]).toBe(answer);
      }
      client.send(create());
      expect((await client.answer()).at(-1)?.["type"]).toBe("response.completed");
      client.send({ type: "response.processed" });
      expect((await client.answer())[0]).toMatchObject({
        type: "error",
        error: { code: "websocket_connection_limit_reached" },
      });
      expect(await client.closed).toMatchObject({ code: 1008 });
    },
  );

  it("stops Codex at once, which takes 401 for a fault of the connection", async () => {
    const client = await open("gw_none", { headers: { "user-agent": "codex_exec/0.169.0" } });
    client.send(create());
    expect((await client.answer())[0]).toMatchObject({
      status: 400,
      error: { code: "gateway_auth" },
    });
  });

  it("of a key that was revoked meanwhile comes with the next message", async () => {
    const { where, lane } = await scene("responses");
    const client = await open(where.key);
    client.send(create());
    await client.answer();
    const keys = await admin<{ data: Json[] }>(where.token, "GET /api/harnesses/h/keys");
    await admin(where.token, `DELETE /api/harnesses/h/keys/${String(keys.data[0]?.["id"])}`);
    for (const generate of [false, true]) {
      client.send(create({ generate }));
      expect((await client.answer())[0]).toMatchObject({ type: "error", status: 401 });
    }
    expect(await bodies(lane)).toHaveLength(1);
  });

  it("of a provider keeps its words, and a 429 says when to come again, in both places", async () => {
    const { where, lane } = await scene("responses");
    const refused = (status: number, headers: Record<string, string> = {}) => ({
      status,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ error: { type: "t", code: "c", message: "its words", param: null } }),
    });
    await lane.answer(refused(400), refused(429, { "retry-after": "30" }));
    const client = await open(where.key);
    client.send(create());
    expect((await client.answer())[0]).toMatchObject({
      type: "error",
      status: 400,
      error: { type: "t", code: "c", message: "its words", param: null },
    });
    client.send(create());
    expect((await client.answer())[0]).toMatchObject({
      status: 429,
      headers: { "retry-after": "30" },
      error: { headers: { "retry-after": "30" } },
    });
  });

  it("for a limit that is used up is a status, not an answer", async () => {
    const limits = [{ metric: "requests", period: "day", max: 0, action: "block" }];
    const { where } = await scene("responses", { limits });
    const client = await open(where.key);
    client.send(create());
    expect((await client.answer())[0]).toMatchObject({
      type: "error",
      status: 429,
      error: { code: "limit_exceeded" },
    });
  });

  it("for want of a price under a strict limit names what has none, and asks nobody", async () => {
    const limits = [{ metric: "cost", period: "day", max: 5, action: "block", strict: true }];
    const { where, lane } = await scene("responses", { limits });
    const client = await open(where.key);
    client.send(create({ tools: [{ type: "mind_reader" }] }));
    const [error] = await client.answer();
    expect(error).toMatchObject({ type: "error", status: 402, error: { code: "price_unknown" } });
    expect(JSON.stringify(error)).toContain("mind_reader");
    expect(await lane.received()).toEqual([]);
    client.send(create());
    expect((await client.answer()).at(-1)).toMatchObject({ type: "response.completed" });
  });

  it("of a response that is not known asks nobody", async () => {
    const { where, lane } = await scene("responses");
    const client = await open(where.key);
    for (const previous_response_id of ["resp_unknown", "", 7, "x".repeat(100_000)]) {
      client.send(create({ previous_response_id }));
      expect((await client.answer())[0]).toMatchObject({
        type: "error",
        status: 400,
        error: { code: "previous_response_not_found", param: "previous_response_id" },
      });
    }
    expect(await bodies(lane)).toEqual([]);
  });

  it("leaves the connection, and the response before, as they were", async () => {
    const { where } = await scene("chat");
    const client = await open(where.key);
    client.send(create());
    const id = idOf(await client.answer());
    const wrong: (Json | string | ArrayBuffer)[] = [
      "",
      "{",
      "[]",
      "null",
      '"text"',
      '{"type":"response.create"',
      { type: "response.unheard_of" },
      {},
      new ArrayBuffer(3),
      create({ background: true }),
      create({ stream_id: 7 }),
      create({ stream_id: "" }),
      create({ input: 7 }),
      create({ model: "" }),
      create({ model: "lab/none", previous_response_id: id }),
      '{"type":"response.create","model":"lab/m","input":[{]}',
    ];
    for (const message of wrong) {
      client.send(message);
      const [error] = await client.answer();
      expect(error).toMatchObject({ type: "error", error: { message: expect.any(String) } });
      expect([400, 404]).toContain(error?.["status"]);
    }
    client.send({ type: "response.processed", response_id: id });
    client.send({ type: "response.steer", previous_response_id: id, input: "more" });
    expect(await client.answer()).toMatchObject([
      {
        type: "response.steer.failed",
        error: { code: "steering_not_supported" },
        steer: { previous_response_id: id, input: "more" },
      },
    ]);
    client.send(create({ previous_response_id: id }));
    expect((await client.answer()).at(-1)?.["type"]).toBe("response.completed");
  });
});

describe("lanes", () => {
  it("run side by side, echo their name on every event, and fork from each other's response", async () => {
    const { where, lane } = await scene("messages");
    const client = await open(where.key);
    client.send(create({ stream_id: "a", input: "ALPHA" }));
    const first = await client.answer();
    expect(first.every(({ stream_id }) => stream_id === "a")).toBe(true);
    client.send(create({ stream_id: "b", previous_response_id: idOf(first), input: "BETA" }));
    const second = await client.answer();
    expect(second.every(({ stream_id }) => stream_id === "b")).toBe(true);
    expect((await bodies(lane))[1]).toMatch(/ALPHA.*GOOD.*BETA/);
    client.send(create({ previous_response_id: idOf(first), input: "GAMMA" }));
    const third = await client.answer();
    expect(third.every((event) => !("stream_id" in event))).toBe(true);
  });

  it("serve one message after another, each on the response before", async () => {
    const { where, lane } = await scene("responses");
    const client = await open(where.key);
    for (const word of ["ONE", "TWO", "THREE"]) client.send(create({ input: word }));
    for (let n = 0; n < 3; n++)
      expect((await client.answer()).at(-1)?.["type"]).toBe("response.completed");
    expect((await bodies(lane)).map((text) => /ONE|TWO|THREE/.exec(text)?.[0])).toEqual([
      "ONE",
      "TWO",
      "THREE",
    ]);
  });

  it("are bounded in number, and so are messages that wait", async () => {
    const { where, lane } = await scene("responses");
    const client = await open(where.key);
    for (let n = 0; n < 32; n++) {
      client.send(create({ stream_id: `l${n}`, generate: false }));
      await client.answer();
    }
    client.send(create({ stream_id: "one more", generate: false }));
    expect((await client.answer())[0]).toMatchObject({
      status: 400,
      stream_id: "one more",
      error: { code: "websocket_stream_limit_reached" },
    });
    await lane.answer({ mute: true, end: "hang" });
    for (let n = 0; n < 18; n++) client.send(create());
    expect((await client.answer())[0]).toMatchObject({
      status: 429,
      headers: { "retry-after": "1" },
    });
    client.socket.close();
  });
});

describe("an upgrade", () => {
  it("is taken under both base paths, and nowhere else", async () => {
    const { where } = await scene("chat");
    await open(where.key, { path: "/v1/v1/responses" });
    const headers = { upgrade: "websocket", authorization: `Bearer ${where.key}` };
    for (const path of ["/v1/chat/completions", "/v1/messages"])
      expect((await knock(path, { headers })).status).toBe(426);
    expect((await knock("/v1/responses", { method: "POST", headers })).status).toBe(426);
    const other = { ...headers, upgrade: "h2c" };
    expect((await knock("/v1/responses", { headers: other })).status).toBe(426);
    expect((await knock("/v1/responses", {})).status).toBe(405);
  });

  it("of a web page without a key in its headers is refused, whatever its cookies and query say", async () => {
    const { where } = await scene("chat");
    const headers = {
      upgrade: "websocket",
      origin: "https://elsewhere.example",
      cookie: `session=${where.token}; key=${where.key}`,
      "sec-websocket-protocol": `openai-insecure-api-key.${where.key}`,
    };
    const path = `/v1/responses?key=${where.key}&api_key=${where.key}`;
    expect((await knock(path, { headers })).status).toBe(401);
    const client = await open("", { path, headers: { cookie: headers.cookie } });
    client.send(create());
    expect((await client.answer())[0]).toMatchObject({ status: 401 });
  });
});

it.each(["websocket, h2c", "h2c, websocket", "websocket/13", "h2c"])(
  "an upgrade to %s is none: 426",
  async (upgrade) => {
    const { where } = await scene("chat");
    const headers = { upgrade, authorization: `Bearer ${where.key}` };
    const answer = await knock("/v1/responses", { headers });
    expect(answer.status).toBe(426);
    await answer.body?.cancel();
  },
);
