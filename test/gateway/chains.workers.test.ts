import { describe, expect, it } from "vitest";
import {
  asks,
  clients,
  openLane,
  provider,
  request,
  replyScript,
  variants,
  words,
  type Client,
  type Json,
  type Lane,
  type Script,
  type Variant,
  type WireFormat,
} from "../kit/asking.ts";
import { expectBaseHeaders } from "../kit/expectations.ts";
import { admin, asked, rowOf, world, type World } from "./kit.ts";

interface Chain {
  where: World;
  lanes: Lane[];
}

interface Link {
  script?: Script;
  format?: WireFormat;
  /** Members of the provider's entry. */
  entry?: Json;
}

/** Providers p0, p1, … whose first has the others as fallbacks. */
async function chain(
  links: Link[],
  variant: Variant = "A",
  format: WireFormat = "chat",
): Promise<Chain> {
  const lanes = links.map(() => openLane());
  const providers = await Promise.all(
    links.map(async (link, index) => {
      const lane = lanes[index] ?? openLane();
      if (link.script) await lane.answer(link.script);
      return provider({ id: `p${index}`, format: link.format ?? format, lane, ...link.entry });
    }),
  );
  const fallbacks = { "p0/m": links.slice(1).map((_, index) => `p${index + 1}/m`) };
  const harnesses = [{ id: "h", name: "H", routing: { fallbacks } }];
  return { where: await world({ providers, harnesses }, variant), lanes };
}

async function calls({ lanes }: Chain): Promise<number[]> {
  return await Promise.all(lanes.map(async (lane) => (await lane.received()).length));
}

const first = (client: Client, stream = false): { client: Client; body: Json } => ({
  client,
  body: request(client, { model: "p0/m", ...(stream && { stream }) }),
});

function fails(status: number, error: Json = {}, headers: Record<string, string> = {}): Script {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ error: { message: `words of ${status}`, type: "odd_error", ...error } }),
  };
}

const good: Script = replyScript("chat", { text: "GOOD" }, { stream: false });

describe("an exhausted chain", () => {
  it.each(asks)(
    "A keeps the primary's failure: $client, stream $stream",
    async ({ client, stream }) => {
      const made = await chain(
        [{ script: fails(503) }, { script: fails(401) }, { script: fails(429) }],
        "A",
        client,
      );
      const answer = await asked(made.where, {
        ...first(client, stream),
        headers: { accept: "text/event-stream" },
      });
      expect(answer.status).toBe(503);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.headers.get("x-gateway-fallback-exhausted")).toBe("true");
      expect(answer.headers.get("x-gateway-fallback-index")).toBeNull();
      expect(answer.headers.get("x-gateway-model")).toBe("p0/m");
      expect(answer.headers.get("x-should-retry")).toBeNull();
      expect(answer.error).toMatchObject({
        message: "words of 503",
        type: "odd_error",
        code: "fallback_exhausted",
        attempts: [
          { model: "p0/m", status: 503 },
          { model: "p1/m", status: 401 },
          { model: "p2/m", status: 429 },
        ],
      });
      expectBaseHeaders(answer, client);
      expect(await calls(made)).toEqual([1, 1, 1]);
      const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
      expect(row).toMatchObject({ status: 503, model: null, tier: "direct" });
      expect(row["attempts"]).toMatchObject([{ status: 503 }, { status: 401 }, { status: 429 }]);
    },
  );

  it.each(asks)("B answers 424: $client, stream $stream", async ({ client, stream }) => {
    const made = await chain([{ script: fails(400) }, { script: fails(401) }], "B", client);
    const answer = await asked(made.where, {
      ...first(client, stream),
      headers: { accept: "text/event-stream" },
    });
    expect(answer.status).toBe(424);
    expect(answer.error).toMatchObject({
      message: "words of 400",
      type: "fallback_exhausted",
      code: 424,
    });
    expect(answer.headers.get("x-gateway-fallback-exhausted")).toBe("true");
    expect(answer.headers.get("x-gateway-model")).toBe("p0/m");
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(await calls(made)).toEqual([1, 1]);
  });

  const codes: { title: string; error: Json; code: string }[] = [
    { title: "its own word", error: { code: "own_word" }, code: "own_word" },
    { title: "a number", error: { code: 1234 }, code: "fallback_exhausted" },
    { title: "a number as text", error: { code: "1234" }, code: "fallback_exhausted" },
    { title: "nothing", error: { code: null }, code: "fallback_exhausted" },
  ];
  it.each(codes)("A's code where the primary gave $title", async ({ error, code }) => {
    const { where } = await chain([{ script: fails(500, error) }, { script: fails(500) }]);
    expect((await asked(where, first("chat"))).error).toMatchObject({ code });
  });

  it.each(codes)("A's code without fallbacks where the provider gave $title", async (given) => {
    const { where } = await chain([{ script: fails(500, given.error) }]);
    const code = given.code === "own_word" ? "own_word" : "provider_error";
    expect((await asked(where, first("chat"))).error).toMatchObject({ code });
  });

  it("A's code is Gemini's status word", async () => {
    const script = fails(503, { code: 503, status: "UNAVAILABLE" });
    const { where } = await chain([{ script, format: "gemini" }, { script: fails(500) }]);
    expect((await asked(where, first("chat"))).error).toMatchObject({ code: "UNAVAILABLE" });
  });

  const chances: { statuses: number[]; final: boolean }[] = [
    { statuses: [401, 404], final: true },
    { statuses: [402, 403, 404], final: true },
    { statuses: [401, 500], final: false },
    { statuses: [429, 401], final: false },
  ];
  it.each(chances)("x-should-retry is false only if nothing can help: $statuses", async (given) => {
    const { where } = await chain(given.statuses.map((status) => ({ script: fails(status) })));
    const answer = await asked(where, first("chat"));
    expect(answer.headers.get("x-should-retry")).toBe(given.final ? "false" : null);
  });

  it("a rate limit without a time gets one, whole seconds", async () => {
    const { where } = await chain([{ script: fails(429) }, { script: fails(500) }]);
    expect((await asked(where, first("chat"))).headers.get("retry-after")).toBe("5");
  });

  it("a candidate without its credential is one that failed", async () => {
    const keyless = { kind: "openai", format: undefined, api_key: undefined };
    const made = await chain([{ entry: keyless }, { script: fails(503) }]);
    const answer = await asked(made.where, first("chat"));
    expect(answer.status).toBe(401);
    expect(answer.headers.get("x-gateway-fallback-exhausted")).toBe("true");
    expect(answer.error).toMatchObject({
      message: expect.stringMatching(/^\[gateway M100\] /),
      attempts: [
        { model: "p0/m", status: 401 },
        { model: "p1/m", status: 503 },
      ],
    });
    expect(await calls(made)).toEqual([0, 1]);
  });
});

describe("failures of the request itself", () => {
  const statuses = [400, 413, 422];
  const rows = clients.flatMap((client) => statuses.map((status) => ({ client, status })));

  it.each(rows)(
    "A: $status is told at once to $client, in the provider's words",
    async ({ client, status }) => {
      const made = await chain(
        [{ script: fails(status, { code: "own_word" }) }, { script: good }],
        "A",
        client,
      );
      const answer = await asked(made.where, first(client));
      expect(answer.status).toBe(status);
      expect(answer.error).toMatchObject({
        message: `words of ${status}`,
        type: "odd_error",
        code: "own_word",
      });
      expect(answer.error).not.toHaveProperty("attempts");
      expect(answer.headers.get("x-gateway-fallback-exhausted")).toBeNull();
      expect(answer.headers.get("x-should-retry")).toBe("false");
      expect(await calls(made)).toEqual([1, 0]);
    },
  );

  it.each(statuses)("B: %i lets the fallback try", async (status) => {
    const made = await chain([{ script: fails(status) }, { script: good }], "B");
    const answer = await asked(made.where, first("chat"));
    expect(words("chat", answer)).toBe("GOOD");
    expect(answer.headers.get("x-gateway-fallback-from")).toBe("p0/m");
    expect(await calls(made)).toEqual([1, 1]);
  });

  it("B: 424 is the only status that ends the chain", async () => {
    const made = await chain([{ script: fails(424) }, { script: good }], "B");
    const answer = await asked(made.where, first("chat"));
    expect(answer.status).toBe(424);
    expect(answer.error).toMatchObject({ message: "words of 424", code: 424 });
    expect(await calls(made)).toEqual([1, 0]);
  });

  it.each(variants)(
    "%s: a candidate alone keeps its status and is no exhausted chain",
    async (variant) => {
      const { where } = await chain([{ script: fails(503, { code: "own_word" }) }], variant);
      const answer = await asked(where, first("chat"));
      expect(answer.status).toBe(503);
      expect(answer.headers.get("x-gateway-fallback-exhausted")).toBeNull();
      expect(answer.error).toEqual({
        message: "words of 503",
        type: "odd_error",
        code: variant === "A" ? "own_word" : 503,
        param: null,
      });
    },
  );
});

const tooLong: { title: string; format: WireFormat; script: Script }[] = [
  {
    title: "chat's code",
    format: "chat",
    script: fails(400, {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 250000 tokens. Please reduce the length of the messages.",
      code: "context_length_exceeded",
    }),
  },
  {
    title: "words of a local server with 413",
    format: "chat",
    script: fails(413, {
      message: "the request exceeds the available context size (250000 > 128000)",
    }),
  },
  {
    title: "Responses' code",
    format: "responses",
    script: fails(400, {
      message: "Your input exceeds the context window of this model (250000 of 128000 tokens).",
      code: "context_length_exceeded",
    }),
  },
  {
    title: "Messages' words",
    format: "messages",
    script: fails(400, { message: "prompt is too long: 250000 tokens > 128000 maximum" }),
  },
  {
    title: "Gemini's words",
    format: "gemini",
    script: fails(400, {
      message:
        "The input token count (250000) exceeds the maximum number of tokens allowed (128000).",
      status: "INVALID_ARGUMENT",
    }),
  },
];
const overflows = clients.flatMap((client) => tooLong.map((row) => ({ client, ...row })));

describe("a conversation that is too long", () => {
  it.each(overflows)("$title, told to $client in the words that it acts on", async (given) => {
    const { client, format, script } = given;
    const { where } = await chain([{ script, format }]);
    const answer = await asked(where, first(client));
    expect(answer.status).toBe(400);
    expect(answer.error).toMatchObject({
      type: "invalid_request_error",
      code: "context_length_exceeded",
    });
    expect(answer.headers.get("x-should-retry")).toBe("false");
    if (client === "messages")
      expect(answer.error["message"]).toBe("prompt is too long: 250000 tokens > 128000 maximum");
  });

  it.each(overflows)(
    "$title: a larger window may try, for $client",
    async ({ client, format, script }) => {
      const window = (tokens: number): Json => ({ models: [{ id: "m", context_window: tokens }] });
      const made = await chain([
        { script, format, entry: window(128_000) },
        { script: good, entry: window(64_000) },
        { script: good, entry: window(1_000_000) },
      ]);
      const answer = await asked(made.where, first(client));
      expect(words(client, answer)).toBe("GOOD");
      expect(answer.headers.get("x-gateway-model")).toBe("p2/m");
      expect(answer.headers.get("x-gateway-fallback-index")).toBe("1");
      expect(await calls(made)).toEqual([1, 0, 1]);
    },
  );

  it("no larger window: nobody else is asked, and the status is 400 whatever the provider's was", async () => {
    const script = fails(413, { message: "prompt is too long: 250000 tokens > 128000 maximum" });
    const made = await chain([{ script }, { script: good }]);
    const answer = await asked(made.where, first("messages"));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("x-gateway-fallback-exhausted")).toBeNull();
    expect(await calls(made)).toEqual([1, 0]);
  });

  it("every candidate too small in its turn: still 400", async () => {
    const script = fails(413, { message: "prompt is too long: 250000 tokens > 128000 maximum" });
    const window = (tokens: number): Json => ({ models: [{ id: "m", context_window: tokens }] });
    const made = await chain([
      { script, entry: window(1000) },
      { script, entry: window(2000) },
    ]);
    const answer = await asked(made.where, first("messages"));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("x-gateway-fallback-exhausted")).toBe("true");
    expect(answer.error["message"]).toBe("prompt is too long: 250000 tokens > 128000 maximum");
  });

  it.each(["chat", "messages", "responses", "gemini"] as const)(
    "a %s provider's rate limit in tokens is no such thing",
    async (format) => {
      const script = fails(429, { message: "Too many tokens, please wait before trying again." });
      const made = await chain([{ script, format }, { script: good }]);
      const answer = await asked(made.where, first("chat"));
      expect(words("chat", answer)).toBe("GOOD");
      const alone = await chain([{ script, format }]);
      const told = await asked(alone.where, first("chat"));
      expect(told.status).toBe(429);
      expect(told.error["code"]).not.toBe("context_length_exceeded");
    },
  );
});

describe("how often providers are called", () => {
  const reset: Script = { mute: true, end: "reset" };
  const sizes: { size: number; calls: number[] }[] = [
    { size: 1, calls: [2] },
    { size: 2, calls: [2, 2] },
    { size: 3, calls: [2, 2, 2] },
    { size: 4, calls: [2, 2, 1, 1] },
    { size: 5, calls: [2, 1, 1, 1, 1] },
    { size: 6, calls: [1, 1, 1, 1, 1, 1] },
  ];

  it.each(sizes)("$size candidates that reset: $calls", async ({ size, calls: expected }) => {
    const made = await chain(Array.from({ length: size }, () => ({ script: reset })));
    const answer = await asked(made.where, first("chat"));
    expect(answer.status).toBe(502);
    expect(await calls(made)).toEqual(expected);
  });

  it("a short Retry-After is waited for once where nobody else is left", async () => {
    const lane = openLane();
    await lane.answer(fails(503, {}, { "retry-after": "1" }), good);
    const where = await world({ providers: [provider({ id: "p0", format: "chat", lane })] });
    const begin = Date.now();
    expect(words("chat", await asked(where, first("chat")))).toBe("GOOD");
    expect(Date.now() - begin).toBeGreaterThanOrEqual(990);
    expect(await lane.received()).toHaveLength(2);
  });

  const patience: { title: string; script: Script }[] = [
    { title: "a long Retry-After", script: fails(503, {}, { "retry-after": "6" }) },
    { title: "no Retry-After", script: fails(429) },
    { title: "another status", script: fails(500, {}, { "retry-after": "1" }) },
  ];
  it.each(patience)("$title is not waited for", async ({ script }) => {
    const made = await chain([{ script }]);
    await asked(made.where, first("chat"));
    expect(await calls(made)).toEqual([1]);
  });
});

describe("a candidate that keeps failing", () => {
  const cooling = async ({ token }: World): Promise<string[]> =>
    Object.keys((await admin<{ cooling: Json }>(token, "GET /api/status")).cooling);

  it("is asked last after three failures, is still named as the primary, and is never dropped", async () => {
    const made = await chain([{ script: fails(500) }, { script: good }]);
    for (let n = 0; n < 3; n++) await asked(made.where, first("chat"));
    expect(await calls(made)).toEqual([3, 3]);
    const answer = await asked(made.where, first("chat"));
    expect(await calls(made)).toEqual([3, 4]);
    expect(answer.headers.get("x-gateway-model")).toBe("p1/m");
    expect(answer.headers.get("x-gateway-fallback-from")).toBe("p0/m");
    expect(answer.headers.get("x-gateway-fallback-index")).toBe("0");
    await made.lanes[1]?.answer(fails(502));
    await made.lanes[0]?.answer(good);
    const back = await asked(made.where, first("chat"));
    expect(back.headers.get("x-gateway-model")).toBe("p0/m");
    expect(back.headers.get("x-gateway-fallback-from")).toBeNull();
    expect(await calls(made)).toEqual([4, 5]);
    // One success clears it.
    expect(await cooling(made.where)).toEqual([]);
  });

  it("the exhausted answer is the primary's also when it was asked last", async () => {
    const made = await chain([{ script: fails(500) }, { script: fails(502) }]);
    for (let n = 0; n < 3; n++) await asked(made.where, first("chat"));
    await made.lanes[1]?.answer(good);
    await asked(made.where, first("chat"));
    await made.lanes[1]?.answer(fails(502));
    const answer = await asked(made.where, first("chat"));
    expect(answer.status).toBe(500);
    expect(answer.headers.get("x-gateway-model")).toBe("p0/m");
    expect(answer.error["attempts"]).toEqual([
      { model: "p1/m", status: 502 },
      { model: "p0/m", status: 500 },
    ]);
  });

  it("is left alone for as long as it asks", async () => {
    const made = await chain([
      { script: fails(429, {}, { "retry-after": "30" }) },
      { script: good },
    ]);
    await asked(made.where, first("chat"));
    await asked(made.where, first("chat"));
    expect(await calls(made)).toEqual([1, 2]);
    expect(await cooling(made.where)).toEqual(["p0/m"]);
  });

  it.each([400, 413, 422])(
    "%i is the request's own fault and cools nobody down",
    async (status) => {
      const made = await chain([{ script: fails(status) }, { script: good }]);
      for (let n = 0; n < 4; n++) await asked(made.where, first("chat"));
      expect(await calls(made)).toEqual([4, 0]);
      expect(await cooling(made.where)).toEqual([]);
    },
  );

  it("without another candidate is called all the same", async () => {
    const made = await chain([{ script: fails(500) }]);
    for (let n = 0; n < 5; n++) await asked(made.where, first("chat"));
    expect(await calls(made)).toEqual([5]);
  });
});

describe("what the routing headers say of an answer", () => {
  const tiers = { default: ["p0/m", "p1/m"], simple: ["p0/m", "p1/m"] };
  const rules: {
    title: string;
    routing: Json;
    model: string;
    headers?: Record<string, string>;
    tier: string;
  }[] = [
    { title: "a named model", routing: {}, model: "p0/m", tier: "direct" },
    { title: "routing is off", routing: { auto: false, tiers }, model: "auto", tier: "default" },
    {
      title: "a header's rule",
      routing: {
        headers: [{ name: "nightly", header: "x-job", value: "night", models: ["p0/m", "p1/m"] }],
      },
      model: "auto",
      headers: { "x-job": "night" },
      tier: "nightly",
    },
  ];
  const rows = variants.flatMap((variant) =>
    rules.flatMap((rule) => [true, false].map((healthy) => ({ variant, ...rule, healthy }))),
  );

  it.each(rows)("$variant: $title, primary healthy: $healthy", async (given) => {
    const { variant, routing, model, headers, tier, healthy } = given;
    const lanes = [openLane(), openLane()] as const;
    await lanes[0].answer(healthy ? good : fails(500));
    await lanes[1].answer(good);
    const providers = lanes.map((lane, index) =>
      provider({ id: `p${index}`, format: "chat", lane }),
    );
    const fallbacks = { "p0/m": ["p1/m"] };
    const harnesses = [{ id: "h", name: "H", routing: { ...routing, fallbacks } }];
    const where = await world({ providers, harnesses }, variant);
    const answer = await asked(where, {
      client: "chat",
      body: request("chat", { model }),
      ...(headers && { headers }),
    });
    const id = healthy ? "p0" : "p1";
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "x-gateway-tier": tier,
      "x-gateway-model": `${id}/m`,
      "x-gateway-provider": id,
      "x-gateway-reason": expect.stringMatching(/\S/),
      "x-gateway-confidence": expect.stringMatching(/^(?:0(?:\.\d+)?|1)$/),
    });
    expect(answer.headers.get("x-gateway-fallback-from")).toBe(healthy ? null : "p0/m");
    expect(answer.headers.get("x-gateway-fallback-index")).toBe(healthy ? null : "0");
  });
});

describe("names that a header has no letters for", () => {
  it.each([true, false])("are percent-encoded, primary healthy: %s", async (healthy) => {
    const lane = openLane();
    const script = healthy ? good : fails(500);
    await lane.answer(script, good);
    const models = [{ id: "模型 ü" }, { id: "b" }];
    const routing = { fallbacks: { "lab/模型 ü": ["lab/b"] } };
    const where = await world({
      providers: [provider({ id: "lab", format: "chat", lane, models })],
      harnesses: [{ id: "h", name: "H", routing }],
    });
    const body = request("chat", { model: "lab/模型 ü" });
    const answer = await asked(where, { client: "chat", body });
    expect(answer.status, answer.text).toBe(200);
    const encoded = "lab/%E6%A8%A1%E5%9E%8B %C3%BC";
    const name = healthy ? "x-gateway-model" : "x-gateway-fallback-from";
    expect(answer.headers.get(name)).toBe(encoded);
  });
});
