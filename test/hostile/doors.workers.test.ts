/** Every door counts alike: slots, limits of every node, walls and keys hold for all that can be asked, however it ends. */
import { describe, expect, it } from "vitest";
import { openLane, provider, replyScript, type Json, type Lane } from "../kit/asking.ts";
import { stream, whole, type Script } from "../kit/script.ts";
import { admin, inFlight, knock, newKey, world, type World } from "../gateway/kit.ts";

/** What came of one request: the gateway's code of a refusal, or nothing. */
interface Verdict {
  readonly code: string | undefined;
  readonly text: string;
}

interface Door {
  readonly name: string;
  readonly path: string;
  /** A text is JSON. */
  body(model: string): string | FormData;
  readonly answer: Script;
  /** Opens a socket for its one message. */
  readonly socket?: true;
}

const said = { text: "Hi.", usage: { input: 5, cached: 0, output: 2 } };
const messages = [{ role: "user", content: "hi" }];
const chat = replyScript("chat", said, { stream: false });
const streamed = replyScript("chat", said, { stream: true });
const vectors = whole({
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.25, -1] }],
  usage: { prompt_tokens: 7, total_tokens: 7 },
});
const sound: Script = { headers: { "content-type": "audio/mpeg" }, body: ["ID3", "sound"] };

const json =
  (more: Json) =>
  (model: string): string =>
    JSON.stringify({ model, ...more });

function form(model: string): FormData {
  const data = new FormData();
  data.set("model", model);
  data.set("prompt", "a cat");
  data.set("file", new File(["sound"], "a.mp3"));
  data.set("image", new File(["picture"], "a.png"));
  return data;
}

/** In Gemini's words the model stands in the path. */
const gemini = (method: string, more: Json): Pick<Door, "path" | "body"> => ({
  path: `/v1beta/models/lab/m:${method}`,
  body: () => JSON.stringify(more),
});

const contents = [{ role: "user", parts: [{ text: "hi" }] }];
const response = whole({ results: [], usage: { prompt_tokens: 7, total_tokens: 7 } });

const doors: readonly Door[] = [
  {
    name: "chat",
    path: "/v1/chat/completions",
    body: json({ messages, max_tokens: 5 }),
    answer: chat,
  },
  {
    name: "chat, streamed",
    path: "/v1/chat/completions",
    body: json({ messages, max_tokens: 5, stream: true }),
    answer: streamed,
  },
  {
    name: "responses",
    path: "/v1/responses",
    body: json({ input: "hi", max_output_tokens: 5 }),
    answer: chat,
  },
  { name: "messages", path: "/v1/messages", body: json({ messages, max_tokens: 5 }), answer: chat },
  { name: "gemini", ...gemini("generateContent", { contents }), answer: chat },
  {
    name: "socket",
    path: "/v1/responses",
    body: json({ input: "hi" }),
    answer: streamed,
    socket: true,
  },
  { name: "embeddings", path: "/v1/embeddings", body: json({ input: "hi" }), answer: vectors },
  {
    name: "embeddings of Gemini",
    ...gemini("embedContent", { content: { parts: [{ text: "hi" }] } }),
    answer: vectors,
  },
  {
    name: "images",
    path: "/v1/images/generations",
    body: json({ prompt: "hi" }),
    answer: response,
  },
  { name: "image edits", path: "/v1/images/edits", body: form, answer: response },
  {
    name: "speech",
    path: "/v1/audio/speech",
    body: json({ input: "hi", voice: "v" }),
    answer: sound,
  },
  {
    name: "transcriptions",
    path: "/v1/audio/transcriptions",
    body: form,
    answer: whole({ text: "x" }),
  },
  {
    name: "translations",
    path: "/v1/audio/translations",
    body: form,
    answer: whole({ text: "x" }),
  },
  {
    name: "completions",
    path: "/v1/completions",
    body: json({ prompt: "hi", max_tokens: 5 }),
    answer: whole({ choices: [{ text: "x" }], usage: { prompt_tokens: 5, completion_tokens: 2 } }),
  },
  { name: "moderations", path: "/v1/moderations", body: json({ input: "hi" }), answer: response },
  {
    name: "rerank",
    path: "/v1/rerank",
    body: json({ query: "hi", documents: ["a"] }),
    answer: response,
  },
];

interface Scene {
  readonly where: World;
  readonly lane: Lane;
}

async function scene(
  { answer }: Door,
  { harness = {}, ...document }: { harness?: Json; limits?: Json[] } = {},
): Promise<Scene> {
  const lane = openLane();
  await lane.answer({ ...answer, delay: 150 });
  const models = [{ id: "m", cost: { input: 1, output: 1 } }, { id: "other" }];
  const providers = [provider({ id: "lab", format: "chat", lane, models })];
  const harnesses = [{ id: "h", name: "H", errors: "status", ...harness }];
  return { where: await world({ providers, harnesses, ...document }), lane };
}

async function send({ where }: Scene, door: Door, key = where.key): Promise<Verdict> {
  const authorization = `Bearer ${key}`;
  const body = door.body("lab/m");
  if (door.socket) return await sendOverSocket(authorization, String(body));
  const type = typeof body === "string" ? { "content-type": "application/json" } : {};
  const headers = { authorization, ...type };
  const answer = await knock(door.path, { method: "POST", headers, body });
  return verdictOf(await answer.text());
}

async function sendOverSocket(authorization: string, body: string): Promise<Verdict> {
  const { webSocket: socket } = await knock("/v1/responses", {
    headers: { upgrade: "websocket", authorization },
  });
  if (socket === null) throw new Error("no WebSocket came");
  const ended = new Promise<string>((resolve) => {
    socket.addEventListener("message", ({ data }) => {
      const text = String(data);
      if (/"type":"(?:response\.(?:completed|failed|incomplete)|error)"/.test(text)) resolve(text);
    });
    socket.addEventListener("close", () => resolve("closed"));
  });
  socket.accept();
  socket.send(JSON.stringify({ type: "response.create", ...JSON.parse(body) }));
  const text = await ended;
  socket.close();
  return verdictOf(text);
}

function verdictOf(text: string): Verdict {
  return { code: /\[gateway (M\d+)\]/.exec(text)?.[1], text };
}

/** So many at once; how often each came. */
async function atOnce(count: number, ask: () => Promise<Verdict>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const verdicts = await Promise.all(Array.from({ length: count }, ask));
  for (const { code = "served" } of verdicts) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

async function calls({ lane }: Scene): Promise<number> {
  return (await lane.received()).filter(({ method }) => method === "POST").length;
}

async function freed({ where }: Scene): Promise<void> {
  while ((await inFlight(where)) > 0) await scheduler.wait(20);
}

interface Row {
  status: number;
  cost: number | null;
  attempts: { cost?: number; usage?: { input_tokens: number; output_tokens: number } }[];
}

async function rows({ where }: Scene, count: number): Promise<Row[]> {
  for (;;) {
    const { data } = await admin<{ data: Row[] }>(where.token, "GET /api/requests?limit=100");
    if (data.length >= count) return data;
    await scheduler.wait(20);
  }
}

const block = (metric: string, max: number): Json => ({
  metric,
  period: "day",
  max,
  action: "block",
});

describe.each(doors)("$name", (door) => {
  it("has ten of forty at once in flight, and its slots come back", async () => {
    const made = await scene(door);
    const counts = await atOnce(40, () => send(made, door));
    expect(Object.keys(counts).sort()).toEqual(["M203", "served"]);
    expect(counts["served"]).toBeGreaterThanOrEqual(10);
    expect(await calls(made)).toBe(counts["served"]);
    await freed(made);
    // Every served one has its row; a failure gives its slot back as well.
    await made.lane.answer(whole({ error: { message: "no" } }, 500));
    await send(made, door);
    await freed(made);
    expect((await rows(made, 41)).filter(({ status }) => status === 200)).toHaveLength(
      counts["served"] ?? 0,
    );
  });

  it("is counted by the limits of every node, forty at once and never over", async () => {
    const nodes: { document: Parameters<typeof scene>[1]; key?: Json }[] = [
      { document: { limits: [block("requests", 3)] } },
      { document: { harness: { limits: [block("requests", 3)] } } },
      { document: {}, key: { limits: [block("requests", 3)] } },
    ];
    for (const { document, key } of nodes) {
      const made = await scene(door, document);
      const text = key === undefined ? made.where.key : await newKey(made.where.token, "h", key);
      const counts = await atOnce(40, () => send(made, door, text));
      expect(counts["served"], JSON.stringify(counts)).toBe(3);
      expect(await calls(made)).toBe(3);
      expect((await send(made, door, text)).code).toBe("M200");
      await freed(made);
    }
  });

  it("sums tokens and money within their limits, and is held by none that only notifies", async () => {
    for (const [metric, max] of [
      ["tokens", 60],
      ["cost", 0.00006],
    ] as const) {
      const made = await scene(door, { harness: { limits: [block(metric, max)] } });
      for (let time = 0; time < 3; time++) await atOnce(10, () => send(made, door));
      await freed(made);
      const used = (await rows(made, 30)).flatMap(({ attempts }) => attempts);
      const sum = used.reduce((total, { cost = 0, usage }) => {
        const tokens = (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0);
        return total + (metric === "cost" ? cost : tokens);
      }, 0);
      // One whose length is only guessed may begin on what is left.
      const last = Math.max(
        0,
        ...used.map(({ cost = 0, usage }) =>
          metric === "cost" ? cost : (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0),
        ),
      );
      expect(sum).toBeLessThanOrEqual(max + last + 1e-12);
    }
    const told = { metric: "requests", period: "day", max: 1, action: "notify" };
    const made = await scene(door, { limits: [told], harness: { limits: [told] } });
    expect(await atOnce(10, () => send(made, door))).toEqual({ served: 10 });
  });

  it("obeys walls, and keys that expire or are revoked", async () => {
    const made = await scene(door);
    const { token } = made.where;
    const walled = await newKey(token, "h", { models: ["lab/other"] });
    expect((await send(made, door, walled)).code).toBe("M304");
    const soon = new Date(Date.now() + 1500).toISOString();
    const expiring = await newKey(token, "h", { expires_at: soon });
    expect((await send(made, door, expiring)).code).toBeUndefined();
    const { data } = await admin<{ data: { id: string; expires_at: string | null }[] }>(
      token,
      "GET /api/harnesses/h/keys",
    );
    const own = data.at(0);
    await scheduler.wait(Math.max(0, Date.parse(soon) - Date.now()) + 50);
    expect((await send(made, door, expiring)).code).toBe("M004");
    const before = await calls(made);
    for (const { id } of data) await admin(token, `DELETE /api/harnesses/h/keys/${id}`);
    expect(own).toBeDefined();
    expect((await send(made, door)).code).toBe("M005");
    expect(await calls(made)).toBe(before);
    await freed(made);
  });
});

describe("an answer that is left in the middle gives its slot back, and is a row", () => {
  const middles: Door[] = [
    { ...doors[1], name: "chat, streamed" } as Door,
    {
      name: "speech",
      path: "/v1/audio/speech",
      body: json({ input: "hi", voice: "v" }),
      answer: { ...sound, end: "hang" },
    },
    {
      name: "completions, streamed",
      path: "/v1/completions",
      body: json({ prompt: "hi", stream: true }),
      answer: stream(['data: {"choices":[{"text":"x"}]}\n\n'], { end: "hang" }),
    },
    {
      name: "gemini, streamed",
      ...gemini("streamGenerateContent", { contents }),
      answer: { ...streamed, end: "hang" },
    },
  ];
  it.each(middles)("$name", async (door) => {
    const made = await scene({ ...door, answer: { ...door.answer, pace: 100 } });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        knock(door.path, {
          method: "POST",
          headers: {
            authorization: `Bearer ${made.where.key}`,
            "content-type": "application/json",
          },
          body: door.body("lab/m"),
        }),
      ),
    );
    for (const { body } of answers) {
      const reader = body?.getReader();
      await reader?.read();
      await reader?.cancel();
    }
    await freed(made);
    expect((await rows(made, 10)).map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => 499),
    );
  });
});
