import { describe, expect, it } from "vitest";
import {
  asks,
  clients,
  events as eventsOf,
  openLane,
  parsed,
  provider,
  request,
  replyScript,
  secret,
  variants,
  words,
  type Client,
  type Json,
  type Lane,
  type Script,
  type Variant,
  type WireFormat,
} from "../kit/asking.ts";
import type { Received } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { asked, world, type Ask, type World } from "./kit.ts";

interface Scene {
  where: World;
  lane: Lane;
}

interface Setting {
  format: WireFormat;
  script?: Script;
  entry?: Json;
  harness?: Json;
  variant?: Variant;
}

async function scene({ format, script, entry, harness, variant }: Setting): Promise<Scene> {
  const lane = openLane();
  if (script) await lane.answer(script);
  const providers = [provider({ id: "lab", format, lane, ...entry })];
  const harnesses = [{ id: "h", name: "H", ...harness }];
  return { where: await world({ providers, harnesses }, variant), lane };
}

/** What the provider got of one request. */
async function sent({ where, lane }: Scene, given: Ask): Promise<Received & { body: Json }> {
  const answer = await asked(where, given);
  expect(answer.status, answer.text).toBe(200);
  const received = (await lane.received()).findLast(({ method }) => method === "POST");
  if (received === undefined) throw new Error("the provider was not called");
  return { ...received, body: parsed(received.text) };
}

describe("a relayed body of several megabytes", () => {
  it("reaches the provider as it was written, but for the model's name", async () => {
    const lab = await scene({
      format: "chat",
      script: replyScript("chat", { text: "hi" }, { stream: false }),
    });
    const body = request("chat", {
      model: "lab/m",
      messages: [{ role: "user", content: 'a"b\\ü€😀 "model": '.repeat(300_000) }],
    });
    const got = await sent(lab, { client: "chat", body });
    expect(got.text === JSON.stringify({ ...body, model: "m" })).toBe(true);
  });
});

/** A request with members of every kind that nobody here knows. */
const odd = {
  "x-unknown": { deep: [1, 2.5, null, true, "ü😀", { "": [] }] },
  temperature: 0,
  metadata: { user_id: '{"device_id":"a"}' },
  service_tier: "flex",
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  tools: [
    { type: "unheard_of", name: "t", input_schema: { $schema: "x" }, eager_input_streaming: true },
  ],
};

const places: Record<WireFormat, string> = {
  chat: "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
  gemini: "/v1beta/models/m:generateContent",
};

describe("a provider of the client's own dialect", () => {
  const rows = variants.flatMap((variant) => asks.map((row) => ({ variant, ...row })));

  it.each(rows)(
    "$variant: gets what $client said, stream $stream, but for the model",
    async (given) => {
      const { variant, client, stream } = given;
      const made = await scene({
        format: client,
        variant,
        script: replyScript(client, { text: "GOOD" }, { stream }),
      });
      const body = request(client, { model: "lab/m", ...odd, ...(stream && { stream }) });
      const got = await sent(made, { client, body });
      const asksForUsage = variant === "A" && client === "chat" && stream;
      expect(got.body).toEqual({
        ...body,
        model: "m",
        ...(asksForUsage && { stream_options: { include_usage: true } }),
      });
      const order = Object.keys(got.body).filter((name) => name !== "stream_options");
      expect(order).toEqual(Object.keys(body));
      expect(got).toMatchObject({ method: "POST", path: places[client] });
    },
  );

  it.each(asks)(
    "gives $client its bytes back untouched, stream $stream",
    async ({ client, stream }) => {
      const script = replyScript(
        client,
        { text: "GOOD 😀", thinking: { text: "hm", state: "s" } },
        { stream },
      );
      const made = await scene({ format: client, script });
      const body = request(client, {
        model: "lab/m",
        ...(stream && { stream }),
        ...(client === "chat" && stream && { stream_options: { include_usage: true } }),
      });
      const answer = await asked(made.where, { client, body });
      expect(answer.text).toBe(bodyOf(script));
    },
  );
});

const bodyOf = ({ body }: Script): string =>
  typeof body === "string" ? body : (body ?? []).join("");

/** Streams as servers write them that nobody would call tidy. */
const untidy: { title: string; write(client: Client): string[] }[] = [
  {
    title: "CRLF",
    write: (client) => events(client).map((event) => event.replaceAll("\n", "\r\n")),
  },
  {
    title: "comments and blank lines",
    write: (client) => events(client).flatMap((event) => [": ping\n\n", "\n", event]),
  },
  {
    title: "unknown events and fields",
    write: (client) =>
      events(client).toSpliced(
        1,
        0,
        'event: odd\nid: 7\nretry: 10\ndata: {"type":"odd","x":[1]}\n\n',
      ),
  },
  {
    title: "no blank behind the colon",
    write: (client) => events(client).map((event) => event.replaceAll(": {", ":{")),
  },
  { title: "words behind the end", write: (client) => [...events(client), ": over\n\n"] },
];

function events(client: Client): string[] {
  return endpoints[client].events({ text: "GOOD words to relay" }, "m");
}

describe("a stream's bytes", () => {
  const chops = [1, 7, 1000];
  const rows = clients.flatMap((client) =>
    untidy.flatMap((row) => chops.map((chop) => ({ client, ...row, chop }))),
  );

  it.each(rows)(
    "$title reaches $client as it was written, $chop bytes at a time",
    async (given) => {
      const { client, write, chop } = given;
      const body = write(client);
      const headers = { "content-type": "text/event-stream; charset=utf-8" };
      const made = await scene({ format: client, script: { headers, body: body.join(""), chop } });
      const answer = await asked(made.where, {
        client,
        body: request(client, {
          model: "lab/m",
          stream: true,
          stream_options: { include_usage: true },
        }),
      });
      expect(answer.text).toBe(body.join(""));
    },
  );
});

describe("a provider that pauses in the middle of its stream", () => {
  const keepAlive = ": keep-alive\n\n";
  const headers = { "content-type": "text/event-stream" };
  const streamed = { stream: true, stream_options: { include_usage: true } };

  it.concurrent.each(clients)(
    "%s: comments fill the silence, never inside an event, and every other byte passes as it is",
    async (client) => {
      const text = events(client).join("");
      const [from, until] = [text.indexOf("words"), text.indexOf("relay")];
      const body = [text.slice(0, from), text.slice(from, until), text.slice(until)];
      const made = await scene({ format: client, script: { headers, body, pace: 5500 } });
      const asking = request(client, { model: "lab/m", ...streamed });
      const answer = await asked(made.where, { client, body: asking });
      const parts = answer.text.split(keepAlive);
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts.slice(0, -1)) expect(part).toMatch(/\n\n$|^$/);
      expect(parts.join("")).toBe(text);
    },
  );

  it.concurrent("and says itself that it is alive needs no word of the gateway's", async () => {
    const [first = "", ...others] = events("chat");
    const body = [
      first,
      ...others.slice(0, 2),
      ": wait\n\n",
      ": wait\n\n",
      others.slice(2).join(""),
    ];
    const made = await scene({ format: "chat", script: { headers, body, pace: 2000 } });
    const asking = request("chat", { model: "lab/m", ...streamed });
    const answer = await asked(made.where, { client: "chat", body: asking });
    expect(answer.text).toBe(body.join(""));
  });
});

describe("a relayed stream in which the provider fails", () => {
  const headers = { "content-type": "text/event-stream" };
  const whole = (client: Client): string =>
    endpoints[client]
      .events({ thinking: { text: "hm", state: "s" }, text: "GOOD words to relay" }, "m")
      .join("");
  const cutAt = (client: Client): number => whole(client).indexOf("relay");

  async function answered(client: Client, script: Script): Promise<string> {
    const made = await scene({ format: client, script: { headers, ...script } });
    const body = request(client, { model: "lab/m", stream: true });
    return (await asked(made.where, { client, body })).text;
  }

  const endings: { title: string; script(client: Client): Script }[] = [
    {
      title: "is cut",
      script: (client) => ({ body: whole(client), limit: cutAt(client), end: "cut" }),
    },
    { title: "just ends", script: (client) => ({ body: whole(client).slice(0, cutAt(client)) }) },
    {
      title: "says that it failed",
      script: (client) => ({
        body: `${whole(client).slice(0, whole(client).lastIndexOf("\n\n", cutAt(client)) + 2)}event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n`,
      }),
    },
  ];

  it.each(endings)(
    "and $title goes on, for Responses, with the ids and numbers sent",
    async ({ script }) => {
      const text = await answered("responses", script("responses"));
      const said = eventsOf(text).map(({ json }) => json);
      expect(said.filter(({ type }) => type === "response.created")).toHaveLength(1);
      expect(said.map((event) => event["sequence_number"])).toEqual(said.map((_, index) => index));
      const [first, last] = [said[0], said.at(-1)];
      expect(last).toMatchObject({ type: "response.failed", response: { status: "failed" } });
      const response = last?.["response"] as Json;
      const begun = first?.["response"] as Json;
      expect([response["id"], response["model"]]).toEqual([begun["id"], begun["model"]]);
      expect(response["error"]).toMatchObject({ message: expect.any(String) });
      const done = said.filter(({ type }) => type === "response.output_item.done");
      expect(done).not.toHaveLength(0);
      expect(response["output"]).toEqual(done.map((event) => event["item"]));
    },
  );

  it.each(endings)("and $title begins no second message or answer", async ({ script }) => {
    const messages = eventsOf(await answered("messages", script("messages")));
    expect(messages.filter(({ event }) => event === "message_start")).toHaveLength(1);
    expect(messages.at(-1)).toMatchObject({ event: "error", json: { type: "error" } });
    const chunks = eventsOf(await answered("chat", script("chat")));
    expect(chunks.at(-1)?.json["error"]).toMatchObject({ message: expect.any(String) });
    expect(chunks.filter(({ json }) => json["error"] !== undefined)).toHaveLength(1);
    expect(new Set(chunks.slice(0, -1).map(({ json }) => json["id"])).size).toBe(1);
  });
});

describe("a conversation that its client names", () => {
  const session = "c0ffee00-0000-4000-8000-000000000001";
  const named = { "x-claude-code-session-id": session };
  const keyOf = async (given: {
    format: WireFormat;
    client: Client;
    body?: Json;
    headers?: Record<string, string>;
    entry?: Json;
    where?: World;
  }): Promise<unknown> => {
    const { format, client, body, headers = named, entry } = given;
    const script = replyScript(format, { text: "GOOD" }, { stream: false });
    const made = await scene({ format, script, ...(entry && { entry }) });
    const asking = request(client, { model: "lab/m", ...body });
    const got = await sent(made, { client, headers, body: asking });
    expect(got.text).not.toContain(session);
    return got.body["prompt_cache_key"];
  };

  it.each([
    { format: "chat", client: "messages" },
    { format: "responses", client: "messages" },
    { format: "responses", client: "chat" },
  ] as const)(
    "is $client's key of the prompt cache of $format, not told by its id",
    async (given) => {
      expect(await keyOf(given)).toMatch(/^[0-9a-f]{32}$/);
    },
  );

  it("has no key where none is known, where it named none, and on relays", async () => {
    const messages = { format: "messages", client: "chat" } as const;
    expect(await keyOf(messages)).toBeUndefined();
    const chat = { format: "chat", client: "messages" } as const;
    expect(await keyOf({ ...chat, headers: {} })).toBeUndefined();
    expect(await keyOf({ ...chat, entry: { openai_fields: false } })).toBeUndefined();
    expect(await keyOf({ format: "chat", client: "chat" })).toBeUndefined();
  });

  it("keeps the key that its client chose", async () => {
    const own = { prompt_cache_key: "mine" };
    expect(await keyOf({ format: "chat", client: "responses", body: own })).toBe("mine");
  });
});

describe("usage that only the gateway asked for", () => {
  const chunk = (more: object): string =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", ...more })}\n\n`;
  const choice = (delta: object, reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
  const spoken = [
    choice({ role: "assistant", content: "" }),
    choice({ content: "GOOD" }),
    choice({}, "stop"),
  ];
  const plain = [...spoken.map(chunk), "data: [DONE]\n\n"];
  const counted = [
    ...spoken.map((each) => chunk({ ...each, usage: null })),
    chunk({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }),
    "data: [DONE]\n\n",
  ];

  it.each([1, 11, 5000])("is taken out again to the byte, %i bytes at a time", async (chop) => {
    const headers = { "content-type": "text/event-stream" };
    const made = await scene({ format: "chat", script: { headers, body: counted.join(""), chop } });
    const body = request("chat", { model: "lab/m", stream: true });
    const answer = await asked(made.where, { client: "chat", body });
    expect(answer.text).toBe(plain.join(""));
  });

  it.each([{ include_usage: true }, { include_usage: true, include_obfuscation: false }])(
    "stays where the client asked too: %j",
    async (options) => {
      const headers = { "content-type": "text/event-stream" };
      const made = await scene({ format: "chat", script: { headers, body: counted } });
      const body = request("chat", { model: "lab/m", stream: true, stream_options: options });
      const answer = await asked(made.where, { client: "chat", body });
      expect(answer.text).toBe(counted.join(""));
      expect(parsed((await made.lane.received())[0]?.text ?? "")["stream_options"]).toEqual(
        options,
      );
    },
  );

  it("other stream options of the client's stay", async () => {
    const headers = { "content-type": "text/event-stream" };
    const made = await scene({ format: "chat", script: { headers, body: counted } });
    const body = request("chat", {
      model: "lab/m",
      stream: true,
      stream_options: { include_obfuscation: false, include_usage: false },
    });
    const got = await sent(made, { client: "chat", body });
    expect(got.body["stream_options"]).toEqual({ include_obfuscation: false, include_usage: true });
  });
});

describe("what crosses with a request", () => {
  const personal = {
    cookie: "session=secret-cookie",
    "x-forwarded-for": "198.51.100.7",
    "x-real-ip": "198.51.100.7",
    "cf-connecting-ip": "198.51.100.7",
    forwarded: "for=198.51.100.7",
    "x-gateway-session": "secret-session",
    "x-stainless-os": "secret-os",
    "session-id": "secret-thread",
    originator: "secret-origin",
    referer: "https://secret.test/",
    "accept-language": "secret-language",
  };
  const rows = clients.flatMap((client) =>
    (["chat", "responses", "messages", "gemini"] as const).map((format) => ({ client, format })),
  );

  it.each(rows)(
    "nothing tells a $format provider who the $client client is",
    async ({ client, format }) => {
      const made = await scene({
        format,
        script: replyScript(format, { text: "GOOD" }, { stream: false }),
      });
      const got = await sent(made, {
        client,
        body: request(client, { model: "lab/m" }),
        headers: { ...personal, "x-api-key": made.where.key },
      });
      const everything = JSON.stringify(got);
      expect(everything).not.toContain(made.where.key);
      expect(everything).not.toMatch(/198\.51\.100\.7|secret-/);
      const auth = {
        chat: "authorization",
        responses: "authorization",
        messages: "x-api-key",
        gemini: "x-goog-api-key",
      };
      const value = auth[format] === "authorization" ? `Bearer ${secret}` : secret;
      expect(got.headers[auth[format]]).toBe(value);
      for (const name of ["authorization", "x-api-key", "x-goog-api-key"])
        if (name !== auth[format]) expect(got.headers).not.toHaveProperty(name);
    },
  );

  it("Messages to Messages: version, betas and query pass", async () => {
    const made = await scene({
      format: "messages",
      script: replyScript("messages", { text: "GOOD" }, { stream: false }),
    });
    const betas = "claude-code-20250219,interleaved-thinking-2025-05-14, odd-beta-2031-01-01";
    const got = await sent(made, {
      client: "messages",
      body: request("messages", { model: "lab/m" }),
      headers: { "anthropic-version": "2026-10-21", "anthropic-beta": betas },
      query: "?beta=true&x=1",
    });
    expect(got.path).toBe("/v1/messages?beta=true&x=1");
    expect(got.headers).toMatchObject({
      "anthropic-version": "2026-10-21",
      "anthropic-beta": betas,
    });
  });

  it("a Messages provider gets a version whoever asks", async () => {
    const made = await scene({
      format: "messages",
      script: replyScript("messages", { text: "GOOD" }, { stream: false }),
    });
    const got = await sent(made, {
      client: "chat",
      body: request("chat", { model: "lab/m" }),
      query: "?beta=true",
    });
    expect(got.headers["anthropic-version"]).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(got.path).toBe("/v1/messages");
  });

  it("the entry's own headers are sent", async () => {
    const made = await scene({
      format: "chat",
      entry: { headers: { "x-team": "a", "x-secret-key": "sealed-away" } },
      script: replyScript("chat", { text: "GOOD" }, { stream: false }),
    });
    const got = await sent(made, { client: "chat", body: request("chat", { model: "lab/m" }) });
    expect(got.headers).toMatchObject({ "x-team": "a", "x-secret-key": "sealed-away" });
  });

  const hostile = {
    "set-cookie": "a=b",
    "openai-model": "other",
    "openai-organization": "org",
    "x-codex-primary-used-percent": "9",
    "x-models-etag": "e",
    "x-gateway-tier": "forged",
    "x-gateway-model": "forged",
    "x-gateway-fallback-exhausted": "true",
    "access-control-allow-origin": "https://provider.test",
    server: "provider",
    "x-request-id": `id-of-the-provider-${secret}`,
  };

  it.each(asks)(
    "of a provider's headers $client sees its request id and no more, stream $stream",
    async (given) => {
      const { client, stream } = given;
      const script = replyScript(client, { text: "GOOD" }, { stream });
      const made = await scene({
        format: client,
        script: { ...script, headers: { ...script.headers, ...hostile } },
      });
      const body = request(client, { model: "lab/m", ...(stream && { stream }) });
      const { headers } = await asked(made.where, { client, body });
      const own = Object.fromEntries(headers);
      for (const name of [
        "set-cookie",
        "openai-model",
        "openai-organization",
        "x-codex-primary-used-percent",
        "x-models-etag",
        "server",
        "x-gateway-fallback-exhausted",
      ])
        expect(own).not.toHaveProperty(name);
      expect(own).toMatchObject({
        "x-gateway-tier": "direct",
        "x-gateway-model": "lab/m",
        "access-control-allow-origin": "*",
      });
      expect(own["x-provider-request-id"]).toMatch(/^id-of-the-provider-/);
      expect(JSON.stringify(own)).not.toContain(secret);
    },
  );
});

describe("saved parameters", () => {
  const saved = {
    params: { temperature: 0.2, seed: 7, top_k: 5, odd_option: { a: 1 } },
    model_params: { "lab/m": { temperature: 0.4, stop: ["END"] }, "lab/other": { temperature: 1 } },
  };

  it("A: win over the client's on a relay, a model's own over the general ones", async () => {
    const made = await scene({
      format: "chat",
      harness: saved,
      script: replyScript("chat", { text: "GOOD" }, { stream: false }),
    });
    const body = request("chat", { model: "lab/m", temperature: 1, seed: 1, user: "u" });
    const got = await sent(made, { client: "chat", body });
    expect(got.body).toEqual({
      ...body,
      model: "m",
      temperature: 0.4,
      seed: 7,
      top_k: 5,
      stop: ["END"],
      odd_option: { a: 1 },
    });
  });

  it("A: are said in the provider's own words", async () => {
    const made = await scene({
      format: "messages",
      harness: saved,
      script: replyScript("messages", { text: "GOOD" }, { stream: false }),
    });
    const got = await sent(made, {
      client: "chat",
      body: request("chat", { model: "lab/m", temperature: 1 }),
    });
    expect(got.body).toMatchObject({
      temperature: 0.4,
      stop_sequences: ["END"],
      top_k: 5,
      odd_option: { a: 1 },
    });
    expect(got.body).not.toHaveProperty("stop");
  });

  it("A: are merged into a fallback's attempt afresh", async () => {
    const [bad, good] = [openLane(), openLane()];
    await bad.answer({ status: 503 });
    await good.answer(replyScript("chat", { text: "GOOD" }, { stream: false }));
    const where = await world({
      providers: [
        provider({ id: "bad", format: "chat", lane: bad }),
        provider({ id: "lab", format: "chat", lane: good }),
      ],
      harnesses: [
        {
          id: "h",
          name: "H",
          params: { temperature: 0.2 },
          model_params: { "bad/m": { stop: ["BAD"] }, "lab/m": { temperature: 0.4 } },
          routing: { fallbacks: { "bad/m": ["lab/m"] } },
        },
      ],
    });
    expect(words("chat", await asked(where, { client: "chat", body: request("chat") }))).toBe(
      "GOOD",
    );
    expect(parsed((await bad.received())[0]?.text ?? "")).toMatchObject({
      temperature: 0.2,
      stop: ["BAD"],
    });
    const second = parsed((await good.received())[0]?.text ?? "");
    expect(second).toMatchObject({ model: "m", temperature: 0.4 });
    expect(second).not.toHaveProperty("stop");
  });

  it.each(["chat", "messages"] as const)("B: are left out, towards %s too", async (format) => {
    const made = await scene({
      format,
      variant: "B",
      harness: saved,
      script: replyScript(format, { text: "GOOD" }, { stream: false }),
    });
    const got = await sent(made, {
      client: "chat",
      body: request("chat", { model: "lab/m", temperature: 1 }),
    });
    expect(got.body).toMatchObject({ temperature: 1 });
    for (const name of ["seed", "top_k", "stop", "stop_sequences", "odd_option"])
      expect(got.body).not.toHaveProperty(name);
  });
});

describe("the five fields of OpenAI's own", () => {
  const five = {
    stream_options: { include_obfuscation: false },
    reasoning_effort: "high",
    modalities: ["text"],
    audio: { voice: "v", format: "wav" },
    prediction: { type: "content", content: "x" },
  };
  const rows: { title: string; entry: Json; reach: boolean }[] = [
    { title: "custom", entry: {}, reach: true },
    { title: "custom that does not take them", entry: { openai_fields: false }, reach: false },
    { title: "openai", entry: { kind: "openai", format: "chat" }, reach: true },
    { title: "groq", entry: { kind: "groq", format: undefined }, reach: false },
  ];

  it.each(rows)("$title: reach it: $reach, without a warning", async ({ entry, reach }) => {
    const made = await scene({
      format: "chat",
      entry,
      script: replyScript("chat", { text: "GOOD" }, { stream: false }),
    });
    const body = request("chat", { model: "lab/m", ...five });
    const answer = await asked(made.where, { client: "chat", body });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("x-gateway-dropped")).toBeNull();
    const calls = await made.lane.received();
    const got = parsed(calls.find(({ method }) => method === "POST")?.text ?? "");
    for (const [name, value] of Object.entries(five))
      expect(got[name], name).toEqual(reach ? value : undefined);
  });

  it("B forwards them as they are, wherever", async () => {
    const made = await scene({
      format: "chat",
      variant: "B",
      entry: { openai_fields: false },
      script: replyScript("chat", { text: "GOOD" }, { stream: false }),
    });
    const body = request("chat", { model: "lab/m", ...five });
    expect((await sent(made, { client: "chat", body })).body).toEqual({ ...body, model: "m" });
  });
});

describe("answers in another frame than asked for", () => {
  const rows = clients.flatMap((client) =>
    (["chat", "responses", "messages"] as const).map((format) => ({ client, format })),
  );

  it.each(rows)(
    "JSON to a stream of $client from $format is replayed",
    async ({ client, format }) => {
      const made = await scene({
        format,
        script: replyScript(format, { text: "GOOD" }, { stream: false }),
      });
      const body = request(client, { model: "lab/m", stream: true });
      const answer = await asked(made.where, { client, body });
      expect(answer.headers.get("content-type")).toMatch(/^text\/event-stream/);
      expect(words(client, answer)).toBe("GOOD");
      expect(answer.text).toMatch(/\[DONE\]|response\.completed|message_stop/);
    },
  );

  it.each(rows)(
    "a stream to a whole request of $client from $format is collected",
    async ({ client, format }) => {
      const made = await scene({
        format,
        script: replyScript(format, { text: "GOOD" }, { stream: true }),
      });
      const answer = await asked(made.where, { client, body: request(client, { model: "lab/m" }) });
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(words(client, answer)).toBe("GOOD");
    },
  );
});

describe("what the provider's dialect has no words for", () => {
  const dropped = async (more: Json): Promise<string | null> => {
    const script = replyScript("messages", { text: "GOOD" }, { stream: false });
    const { where } = await scene({ format: "messages", script });
    const body = request("chat", { model: "lab/m", ...more });
    const answer = await asked(where, { client: "chat", body });
    expect(answer.status, answer.text).toBe(200);
    return answer.headers.get("x-gateway-dropped");
  };

  it.each(variants)(
    "%s: is named by its paths, each once, sorted, any index as []",
    async (variant) => {
      const parts = ["a", "b"].map((text) => ({
        type: "text",
        text,
        cache_control: { type: "ephemeral" },
      }));
      const messages = [
        { role: "user", content: parts },
        { role: "user", content: parts },
      ];
      const script = replyScript("chat", { text: "GOOD" }, { stream: false });
      const { where } = await scene({ format: "chat", variant, script });
      const body = request("messages", { model: "lab/m", messages, container: "c", "x-odd": 1 });
      const answer = await asked(where, { client: "messages", body });
      expect(answer.headers.get("x-gateway-dropped")).toBe(
        "container,messages[].content[].cache_control,x-odd",
      );
    },
  );

  it("is percent-encoded as UTF-8 where a header has no letter for it", async () => {
    expect(await dropped({ "ü, 😀": 1, "a%b": 2 })).toBe("a%25b,%C3%BC%2C%20%F0%9F%98%80");
  });

  it("is cut at 2 KB, and says so", async () => {
    const names = Array.from({ length: 500 }, (_, n) => [`field_${String(n).padStart(3, "0")}`, n]);
    const header = (await dropped(Object.fromEntries(names))) ?? "";
    const [, list = "", mark] = /^(.*),([^,]*)$/.exec(header) ?? [];
    expect(decodeURIComponent(mark ?? "")).toBe("…");
    expect(list.length).toBeLessThanOrEqual(2048);
    expect(list.length).toBeGreaterThan(2000);
    expect(list.split(",")).toEqual(names.slice(0, list.split(",").length).map(([name]) => name));
  });

  it("is not told of where nothing was", async () => {
    expect(await dropped({ temperature: 0.5 })).toBeNull();
  });
});

describe("names of models", () => {
  const models = ["m", "deep/er/m", "m:free", "m@2", "M 1"];
  it.each(models)("%j reaches the provider as it is", async (id) => {
    const made = await scene({
      format: "chat",
      entry: { models: [{ id }] },
      script: replyScript("chat", { text: "GOOD" }, { stream: false }),
    });
    const got = await sent(made, { client: "chat", body: request("chat", { model: `lab/${id}` }) });
    expect(got.body["model"]).toBe(id);
  });

  it("a subscription's mark is taken off", async () => {
    const made = await scene({
      format: "chat",
      entry: { auth: "subscription" },
      script: replyScript("chat", { text: "GOOD" }, { stream: false }),
    });
    const got = await sent(made, {
      client: "chat",
      body: request("chat", { model: "lab/m-subscription" }),
    });
    expect(got.body["model"]).toBe("m");
  });
});
