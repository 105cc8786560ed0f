/** Embeddings, images, audio, completions, moderations and rerank, asked from outside. */
import { describe, expect, it } from "vitest";
import { openLane, read, secret, type Answer, type Json, type Lane } from "../kit/asking.ts";
import { stream, whole } from "../kit/script.ts";
import { admin, knock, newKey, rowOf, world, type World } from "./kit.ts";

interface Scene {
  where: World;
  lane: Lane;
}

const usage = { prompt_tokens: 5, total_tokens: 5 };
const vectors = {
  object: "list",
  data: [{ object: "embedding", index: 0, embedding: [0.25, -1] }],
  model: "e",
  usage,
};

async function scene(
  entry: Json = {},
  harness: Json = {},
  variant: "A" | "B" = "A",
): Promise<Scene> {
  const lane = openLane();
  const lab = { id: "lab", kind: "openai", base_url: `${lane.url}/v1`, api_key: secret, ...entry };
  const harnesses = [{ id: "h", name: "H", ...harness }];
  return { where: await world({ providers: [lab], harnesses }, variant), lane };
}

/** A request's body, or what is asked with headers of its own. */
type Posted = BodyInit | { body: BodyInit; headers: Json };

async function post({ where }: Scene, path: string, posted: Posted): Promise<Answer> {
  const own =
    typeof posted === "object" && "headers" in posted ? posted : { body: posted, headers: {} };
  const type = typeof own.body === "string" ? { "content-type": "application/json" } : {};
  const headers = { ...type, authorization: `Bearer ${where.key}`, ...own.headers };
  const asked = { method: "POST", headers, body: own.body };
  return await read(await knock(path, asked, where.variant));
}

async function sent({ lane }: Scene) {
  const received = (await lane.received()).filter(({ method }) => method === "POST");
  return received;
}

const embed = (more: Json = {}): string =>
  JSON.stringify({ model: "lab/text-embedding-3-small", input: "a text of some words", ...more });

describe("embeddings of a provider of OpenAI's form", () => {
  it("are relayed byte for byte but for the model, and booked by the provider's count", async () => {
    const made = await scene();
    await made.lane.answer(whole(vectors));
    const body =
      '{ "input":["a","b"],\n "x":12345678901234567890, "model" : "lab/text-embedding-3-small", "encoding_format":"base64" }';
    const answer = await post(made, "/v1/embeddings", body);
    expect([answer.status, answer.text]).toEqual([200, JSON.stringify(vectors)]);
    expect(answer.headers.get("x-gateway-model")).toBe("lab/text-embedding-3-small");
    expect(answer.headers.get("x-gateway-tier")).toBe("direct");
    const [call] = await sent(made);
    expect(call?.path).toBe("/v1/embeddings");
    expect(call?.text).toBe(body.replace("lab/text", "text"));
    expect(call?.headers["authorization"]).toBe(`Bearer ${secret}`);
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({
      format: "embeddings",
      outcome: "ok",
      model: "lab/text-embedding-3-small",
      requested_model: "lab/text-embedding-3-small",
      status: 200,
      usage: { input_tokens: 5, output_tokens: 0, estimated: false },
      cost: 1e-7,
    });
  });

  it("are estimated where the provider counts nothing", async () => {
    const made = await scene();
    await made.lane.answer(whole({ ...vectors, usage: undefined }));
    const answer = await post(made, "/v1/embeddings", embed());
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ usage: { estimated: true, output_tokens: 0 } });
    expect((row["usage"] as Json)["input_tokens"]).toBeGreaterThan(3);
    expect(row["cost"]).toBeGreaterThan(0);
  });

  it.each([
    ["a status", whole({ error: { message: "no" }, usage }, 403)],
    ["a body", whole({ error: { message: "no" }, usage })],
  ])("that fail in %s cost what they report", async (_, failing) => {
    const made = await scene();
    await made.lane.answer(failing);
    const answer = await post(made, "/v1/embeddings", embed());
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({
      outcome: "failed",
      cost: 1e-7,
      attempts: [{ cost: 1e-7, usage: { input_tokens: 5, output_tokens: 0 } }],
    });
  });

  it("are served by a bare name that one connection has, and never by auto", async () => {
    const made = await scene();
    await made.lane.answer(whole(vectors));
    expect(
      (await post(made, "/v1/embeddings", embed({ model: "text-embedding-3-small" }))).status,
    ).toBe(200);
    for (const model of ["auto", "claude-auto"]) {
      const refused = await post(made, "/v1/embeddings", embed({ model }));
      expect([refused.status, refused.error["code"]]).toEqual([404, "model_not_available"]);
      expect(refused.error["message"]).toContain("M302");
      expect(refused.error["message"]).toContain("auto");
    }
  });

  it("fall back only to the same model", async () => {
    const [first, second] = [openLane(), openLane()];
    const entry = (id: string, lane: Lane) => ({
      id,
      kind: "openai",
      base_url: `${lane.url}/v1`,
      api_key: secret,
    });
    const fallbacks = {
      "one/text-embedding-3-small": ["one/text-embedding-3-large", "two/text-embedding-3-small"],
    };
    const where = await world({
      providers: [entry("one", first), entry("two", second)],
      harnesses: [{ id: "h", name: "H", routing: { fallbacks } }],
    });
    await first.answer(whole({ error: { message: "down" } }, 500));
    await second.answer(whole(vectors));
    const made = { where, lane: second };
    const answer = await post(
      made,
      "/v1/embeddings",
      embed({ model: "one/text-embedding-3-small" }),
    );
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-gateway-fallback-from")).toBe("one/text-embedding-3-small");
    expect((await first.received()).filter(({ method }) => method === "POST")).toHaveLength(1);
    const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ outcome: "fallback", model: "two/text-embedding-3-small" });
    const several = await post(made, "/v1/embeddings", embed({ model: "text-embedding-3-small" }));
    expect(several.status).toBe(404);
    expect(several.error["message"]).toContain("one/text-embedding-3-small");
  });
});

const gemini = { kind: "gemini" };

describe("embeddings between the forms", () => {
  it.each(["float", "base64", undefined])(
    "OpenAI's in Gemini's, as %s",
    async (encoding_format) => {
      const made = await scene(gemini);
      await made.lane.answer(whole({ embeddings: [{ values: [0.25, -1] }, { values: [1, 2] }] }));
      const asked = {
        model: "lab/gemini-embedding-001",
        input: ["a", "b"],
        dimensions: 2,
        encoding_format,
        user: "u",
      };
      const answer = await post(made, "/v1/embeddings", JSON.stringify(asked));
      expect(answer.status, answer.text).toBe(200);
      const [call] = await sent(made);
      expect(call?.path).toBe("/v1/models/gemini-embedding-001:batchEmbedContents");
      expect(call?.headers["x-goog-api-key"]).toBe(secret);
      const request = (text: string) => ({
        model: "models/gemini-embedding-001",
        content: { parts: [{ text }] },
        outputDimensionality: 2,
      });
      expect(JSON.parse(call?.text ?? "")).toEqual({ requests: [request("a"), request("b")] });
      const data = answer.json["data"] as { index: number; embedding: unknown }[];
      expect(data.map(({ index }) => index)).toEqual([0, 1]);
      const first = data[0]?.embedding;
      expect(first).toEqual(encoding_format === "base64" ? "AACAPgAAgL8=" : [0.25, -1]);
      expect(answer.json["model"]).toBe("lab/gemini-embedding-001");
      expect(answer.headers.get("x-gateway-dropped")).toBe("user");
      const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
      expect(row).toMatchObject({ usage: { estimated: true }, dropped: ["user"] });
      expect(row["cost"]).toBeGreaterThan(0);
    },
  );

  it("one text is one content, and Gemini's count is booked", async () => {
    const made = await scene(gemini);
    await made.lane.answer(
      whole({ embedding: { values: [1] }, usageMetadata: { promptTokenCount: 7 } }),
    );
    const answer = await post(made, "/v1/embeddings", embed({ model: "lab/gemini-embedding-2" }));
    expect(answer.json).toMatchObject({
      data: [{ embedding: [1] }],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    });
    expect((await sent(made))[0]?.path).toBe("/v1/models/gemini-embedding-2:embedContent");
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ usage: { input_tokens: 7, estimated: false }, cost: 1.4e-6 });
  });

  it.each([
    [[[1, 2]], "input[0]"],
    [[1, 2], "input"],
    ["", "input"],
    [[], "input"],
    [7, "input"],
  ])("tokens and nothing are refused: %j", async (input, path) => {
    const made = await scene(gemini);
    const answer = await post(
      made,
      "/v1/embeddings",
      embed({ model: "lab/gemini-embedding-001", input }),
    );
    expect([answer.status, answer.error["code"]]).toEqual([400, "invalid_request"]);
    expect(answer.error["message"]).toContain(`${path}: `);
    expect(await sent(made)).toEqual([]);
  });

  it("more texts than others can wait for are refused", async () => {
    const made = await scene(gemini);
    const input = Array.from({ length: 10_001 }, () => "a");
    const asked = embed({ model: "lab/gemini-embedding-001", input });
    const answer = await post(made, "/v1/embeddings", asked);
    expect([answer.status, answer.error["code"]]).toEqual([400, "invalid_request"]);
    expect(answer.error["message"]).toContain("input: must not have more than 10,000 entries");
    expect(await sent(made)).toEqual([]);
  });

  it.each([
    { embeddings: [{ values: [1] }] },
    { embeddings: [{ values: [1] }, { values: ["x"] }] },
    { embeddings: "AAAA" },
    {},
  ])("an answer without the vectors is a failure: %j", async (body) => {
    const made = await scene(gemini);
    await made.lane.answer(whole(body));
    const asked = embed({ model: "lab/gemini-embedding-001", input: ["a", "b"] });
    expect((await post(made, "/v1/embeddings", asked)).status).toBe(502);
  });
});

describe("embeddings asked for in Gemini's form", () => {
  const content = { parts: [{ text: "a text" }] };
  const one = "/v1beta/models/lab/text-embedding-3-small:embedContent";
  const many = "/v1beta/lab/text-embedding-3-small:batchEmbedContents";

  it("one text, of a provider of OpenAI's form", async () => {
    const made = await scene();
    await made.lane.answer(whole(vectors));
    const asked = { content, taskType: "RETRIEVAL_QUERY", title: "t", outputDimensionality: 2 };
    const answer = await post(made, one, JSON.stringify(asked));
    expect(answer.json).toEqual({
      embedding: { values: [0.25, -1] },
      usageMetadata: { promptTokenCount: 5 },
    });
    expect(answer.headers.get("x-gateway-dropped")).toBe("taskType,title");
    const [call] = await sent(made);
    expect(call?.path).toBe("/v1/embeddings");
    expect(JSON.parse(call?.text ?? "")).toEqual({
      model: "text-embedding-3-small",
      input: ["a text"],
      encoding_format: "float",
      dimensions: 2,
    });
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ format: "embeddings", cost: 1e-7, usage: { input_tokens: 5 } });
  });

  it("several, in their order, whatever the provider's and whichever its encoding", async () => {
    const made = await scene();
    const data = [
      { index: 1, embedding: "AACAPgAAgL8=" },
      { index: 0, embedding: [3, 4] },
    ];
    await made.lane.answer(whole({ ...vectors, data }));
    const body = JSON.stringify({ requests: [{ model: "models/x", content }, { content }] });
    const answer = await post(made, many, body);
    expect(answer.json["embeddings"]).toEqual([{ values: [3, 4] }, { values: [0.25, -1] }]);
  });

  it("of Gemini itself: relayed, with the provider's name of the model", async () => {
    const made = await scene({ kind: "gemini" });
    const answered = { embedding: { values: [1] }, usageMetadata: { promptTokenCount: 3 } };
    await made.lane.answer(whole(answered));
    const path = "/v1beta/models/gemini-embedding-001:embedContent";
    const body = `{ "content": ${JSON.stringify(content)}, "new": 12345678901234567890 }`;
    const answer = await post(made, path, body);
    expect(answer.text).toBe(JSON.stringify(answered));
    const [call] = await sent(made);
    expect([call?.path, call?.text]).toEqual([
      "/v1/models/gemini-embedding-001:embedContent",
      body,
    ]);
    const named = JSON.stringify({ requests: [{ model: "models/other", content }] });
    await post(made, "/v1beta/models/lab/gemini-embedding-001:batchEmbedContents", named);
    expect((await sent(made))[1]?.text).toContain('"model":"models/gemini-embedding-001"');
  });

  it("what cannot be said, and faults, in Gemini's envelope", async () => {
    const made = await scene();
    const image = { parts: [{ inlineData: { mimeType: "image/png", data: "AA" } }] };
    for (const [path, body] of [
      [one, { content: image }],
      [many, { requests: [] }],
      [many, { requests: [{ content, outputDimensionality: 1 }, { content }] }],
      [many, {}],
    ] as const) {
      const answer = await post(made, path, JSON.stringify(body));
      expect([answer.status, answer.error["status"]]).toEqual([400, "INVALID_ARGUMENT"]);
    }
    const missing = await post(
      made,
      "/v1beta/models/auto:embedContent",
      JSON.stringify({ content }),
    );
    expect([missing.status, missing.error["status"]]).toEqual([404, "NOT_FOUND"]);
    expect(await sent(made)).toEqual([]);
  });
});

describe("answers of other operations", () => {
  it("images: tokens by their modality", async () => {
    const made = await scene();
    const counts = {
      input_tokens: 100,
      output_tokens: 1000,
      total_tokens: 1100,
      input_tokens_details: { text_tokens: 40, image_tokens: 60 },
    };
    await made.lane.answer(whole({ created: 1, data: [{ b64_json: "AAAA" }], usage: counts }));
    const body = JSON.stringify({ model: "gpt-image-1", prompt: "a cat" });
    const answer = await post(made, "/v1/images/generations", body);
    expect(answer.status, answer.text).toBe(200);
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({
      format: "images",
      usage: { input_tokens: 100, output_tokens: 1000 },
    });
    expect(row["cost"]).toBeCloseTo((40 * 5 + 60 * 10 + 1000 * 40) / 1e6, 12);
  });

  it("images without usage have no cost", async () => {
    const made = await scene();
    await made.lane.answer(whole({ created: 1, data: [{ url: "https://x" }] }));
    const body = JSON.stringify({ model: "lab/dall-e-3", prompt: "a cat" });
    const answer = await post(made, "/v1/images/generations", body);
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ status: 200, usage: null, cost: null });
  });

  it("images and completions in events, whose usage is read off", async () => {
    const made = await scene();
    const events = [
      'event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"AA"}\n\n',
      'event: image_generation.completed\ndata: {"type":"image_generation.completed","b64_json":"AAAA","usage":{"input_tokens":3,"output_tokens":9,"total_tokens":12}}\n\n',
    ];
    await made.lane.answer(stream(events));
    const asked = { model: "gpt-image-1", prompt: "a cat", stream: true };
    const answer = await post(made, "/v1/images/generations", JSON.stringify(asked));
    expect(answer.text).toBe(events.join(""));
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({
      stream: true,
      usage: { input_tokens: 3, output_tokens: 9, estimated: false },
    });
  });

  it("completions without usage are estimated by what they said", async () => {
    const made = await scene();
    const chunk = (text: string, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ id: "c", object: "text_completion", choices: [{ index: 0, text, finish_reason }] })}\n\n`;
    const events = [
      chunk("some words "),
      chunk("and more of them"),
      chunk("", "stop"),
      "data: [DONE]\n\n",
    ];
    await made.lane.answer(stream(events));
    const body = JSON.stringify({
      model: "lab/gpt-3.5-turbo-instruct",
      prompt: "say it",
      stream: true,
    });
    const answer = await post(made, "/v1/completions", body);
    expect(answer.text).toBe(events.join(""));
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ format: "completions", usage: { estimated: true } });
    expect((row["usage"] as Json)["output_tokens"]).toBeGreaterThan(4);
    expect((row["usage"] as Json)["output_tokens"]).toBeLessThan(20);
  });

  it("a stream that is cut ends with an error event, and its row says so", async () => {
    const made = await scene();
    await made.lane.answer(stream(['data: {"choices":[{"text":"half"}]}\n\n']));
    const body = JSON.stringify({
      model: "lab/gpt-3.5-turbo-instruct",
      prompt: "say it",
      stream: true,
    });
    const answer = await post(made, "/v1/completions", body);
    expect(answer.text).toContain('"error"');
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ outcome: "failed", status: 502 });
  });

  it("speech: the bytes pass with their type", async () => {
    const made = await scene();
    await made.lane.answer({
      headers: { "content-type": "audio/mpeg" },
      body: ["ID3", "sound"],
      pace: 20,
    });
    const body = JSON.stringify({ model: "lab/tts-1", input: "hello there", voice: "alloy" });
    const answer = await post(made, "/v1/audio/speech", {
      body,
      headers: { accept: "application/octet-stream" },
    });
    expect([answer.text, answer.headers.get("content-type")]).toEqual(["ID3sound", "audio/mpeg"]);
    expect((await sent(made))[0]?.headers["accept"]).toBe("application/octet-stream");
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({
      format: "speech",
      cost: null,
      status: 200,
      usage: { estimated: true },
    });
  });

  it("transcriptions: the model may come behind the file, in whatever form the answer is", async () => {
    const made = await scene();
    await made.lane.answer(whole({ text: "said", usage: { type: "duration", seconds: 90 } }));
    const form = () => {
      const data = new FormData();
      data.set("file", new Blob(["RIFF-sound\r\n--x"], { type: "audio/wav" }), 'a"b.wav');
      data.set("model", "lab/whisper-1");
      data.set("language", "de");
      return data;
    };
    const answer = await post(made, "/v1/audio/transcriptions", form());
    expect(answer.json["text"], answer.text).toBe("said");
    const [call] = await sent(made);
    expect(call?.text).toContain('name="model"\r\n\r\nwhisper-1\r\n');
    expect(call?.text).toContain(
      'filename="a%22b.wav"\r\nContent-Type: audio/wav\r\n\r\nRIFF-sound\r\n--x\r\n',
    );
    expect(call?.headers["content-length"]).toBe(String(call?.text.length));
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row["cost"]).toBeCloseTo((90 / 3600) * 0.36, 12);
    await made.lane.answer({
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "1\n00:00 --> 00:01\nsaid\n",
    });
    const plain = await post(made, "/v1/audio/transcriptions", form());
    expect([plain.status, plain.text]).toEqual([200, "1\n00:00 --> 00:01\nsaid\n"]);
    expect(plain.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const second = await rowOf(made.where, plain.headers.get("x-gateway-request-id"));
    expect(second).toMatchObject({ format: "transcriptions", usage: null, cost: null });
  });

  it.each([
    ["/v1/moderations", { model: "omni-moderation-latest", input: "x" }, "moderations"],
    ["/v1/audio/translations", { model: "whisper-1", url: "x" }, "translations"],
    ["/v1/images/edits", { model: "gpt-image-1", prompt: "x" }, "image_edits"],
  ])("%s takes JSON", async (path, body, format) => {
    const made = await scene();
    await made.lane.answer(whole({ id: "x", results: [] }));
    const answer = await post(made, path, JSON.stringify({ ...body, model: `lab/${body.model}` }));
    expect(answer.status, answer.text).toBe(200);
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row["format"]).toBe(format);
  });

  it("rerank goes to a provider that has it", async () => {
    const made = await scene({ kind: "vllm" });
    await made.lane.answer(whole({ results: [{ index: 0, relevance_score: 1 }] }));
    const body = JSON.stringify({ model: "lab/bge-rerank", query: "q", documents: ["a", "b"] });
    expect((await post(made, "/v1/rerank", body)).status).toBe(200);
    expect((await sent(made))[0]?.path).toBe("/v1/rerank");
  });
});

describe("refusals", () => {
  it("a provider that lacks the operation: 404 that names one which would", async () => {
    const made = await scene({ kind: "anthropic" });
    const alone = await post(made, "/v1/embeddings", embed({ model: "lab/claude-opus-5" }));
    expect([alone.status, alone.error["code"]]).toEqual([404, "model_not_available"]);
    expect(alone.error["message"]).toMatch(/M302.*embeddings.*openai/s);
  });

  it("never rendered as an answer, whatever the client accepts", async () => {
    const made = await scene();
    const asked = embed({ model: "nobody/none", stream: true });
    const answer = await post(made, "/v1/embeddings", {
      body: asked,
      headers: { accept: "text/event-stream" },
    });
    expect(answer.status).toBe(404);
    const keyless = await post(made, "/v1/embeddings", {
      body: asked,
      headers: { accept: "text/event-stream", authorization: "Bearer gw_x" },
    });
    expect([keyless.status, keyless.error["code"]]).toEqual([401, "gateway_auth"]);
  });

  it.each([
    ["/v1/embeddings", "text/plain", 415],
    ["/v1/embeddings", "multipart/form-data; boundary=x", 415],
    ["/v1/audio/transcriptions", "text/plain", 415],
    ["/v1/audio/transcriptions", "multipart/form-data", 415],
    ["/v1/audio/transcriptions", "multipart/mixed; boundary=x", 415],
    ["/v1/audio/transcriptions", "multipart/form-data; boundary=y", 400],
  ])("%s as %s: %i", async (path, type, status) => {
    const made = await scene();
    const answer = await post(made, path, {
      body: "--x\r\n\r\n",
      headers: { "content-type": type },
    });
    expect([answer.status, answer.error["code"]]).toEqual([status, "invalid_request"]);
  });

  it.each(["", 7, null, "a\nb", "a\u0000b", "m".repeat(513), ["m"], {}])(
    "a model %j is M300",
    async (model) => {
      const made = await scene();
      const answer = await post(made, "/v1/embeddings", embed({ model }));
      expect([answer.status, answer.error["code"]]).toEqual([400, "invalid_request"]);
      expect(await sent(made)).toEqual([]);
    },
  );

  it.each(["__proto__", "constructor", "lab/__proto__", "toString", "lab/../x", "lab/a?b#c"])(
    "a model named %s breaks nothing",
    async (model) => {
      const made = await scene();
      await made.lane.answer(whole({ error: { message: "no such model" } }, 404));
      expect((await post(made, "/v1/embeddings", embed({ model }))).status).toBe(404);
      expect((await sent(made)).every(({ path }) => path === "/v1/embeddings")).toBe(true);
    },
  );

  it("the model twice is refused, in JSON and in forms", async () => {
    const made = await scene();
    const twice = await post(
      made,
      "/v1/embeddings",
      '{"model":"lab/a","input":"x","mod\\u0065l":"lab/b"}',
    );
    expect(twice.status).toBe(400);
    const form = new FormData();
    form.append("model", "lab/whisper-1");
    form.append("model", "lab/other");
    expect((await post(made, "/v1/audio/transcriptions", form)).status).toBe(400);
    expect(await sent(made)).toEqual([]);
  });

  it("a wall holds: M304", async () => {
    const made = await scene({}, { models: ["lab/text-embedding-3-large"] });
    const answer = await post(made, "/v1/embeddings", embed());
    expect([answer.status, answer.error["code"]]).toEqual([403, "model_not_allowed"]);
    const row = await rowOf(made.where, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ format: "embeddings", outcome: "blocked" });
  });

  it("a provider's failure keeps its status, and loses the credential", async () => {
    const made = await scene();
    const error = {
      message: `bad key ${secret}`,
      type: "invalid_request_error",
      code: "invalid_api_key",
    };
    await made.lane.answer(whole({ error }, 401));
    const answer = await post(made, "/v1/embeddings", embed());
    expect([answer.status, answer.error["code"]]).toEqual([401, "invalid_api_key"]);
    expect(answer.text).not.toContain(secret);
    await made.lane.answer({ status: 429, headers: { "retry-after": "17" }, body: "{}" });
    const slow = await post(made, "/v1/embeddings", embed());
    expect([slow.status, slow.headers.get("retry-after")]).toEqual([429, "17"]);
  });

  it.each([
    [{ headers: { "content-type": "text/html" }, body: "<html>" }, 502],
    [{ headers: { "content-type": "application/json" }, body: "[1]" }, 502],
    [{ headers: { "content-type": "application/json" }, body: '{"data":[' }, 502],
    [{ headers: { "content-type": "application/json" }, body: "" }, 502],
    [whole({ error: { message: "no", type: "server_error" } }), 502],
    [{ status: 302, headers: { location: "http://x" } }, 502],
  ])("an answer that is none: %j", async (script, status) => {
    const made = await scene();
    await made.lane.answer(script);
    expect((await post(made, "/v1/embeddings", embed())).status).toBe(status);
  });

  it.each(["batches", "batches/b_1", "files", "files/f_1/content", "uploads"])(
    "/v1/%s says that it is not served",
    async (path) => {
      const made = await scene();
      const answer = await post(made, `/v1/${path}`, "{}");
      expect([answer.status, answer.error["code"]]).toEqual([404, "not_found"]);
      expect(answer.error["message"]).toMatch(/M301.*(batches|files).*not supported/i);
    },
  );
});

describe("limits", () => {
  const limited = (limit: Json) => ({ limits: [{ period: "day", action: "block", ...limit }] });

  it("a limit of money blocks with its status, counted by estimates", async () => {
    const made = await scene({}, limited({ metric: "cost", max: 0.000001 }));
    await made.lane.answer(whole(vectors));
    const answer = await post(made, "/v1/embeddings", embed({ input: "word ".repeat(500) }));
    expect([answer.status, answer.error["code"]]).toEqual([429, "limit_exceeded"]);
    expect(answer.headers.get("x-should-retry")).toBe("false");
    expect(await sent(made)).toEqual([]);
    expect((await post(made, "/v1/embeddings", embed({ input: "a" }))).status).toBe(200);
  });

  it("a strict one blocks models without a price, a plain one does not", async () => {
    for (const [strict, status] of [
      [true, 402],
      [false, 200],
    ] as const) {
      const made = await scene({}, limited({ metric: "cost", max: 1, ...(strict && { strict }) }));
      await made.lane.answer({ headers: { "content-type": "audio/mpeg" }, body: "sound" });
      const body = JSON.stringify({ model: "lab/tts-1", input: "hi", voice: "alloy" });
      expect((await post(made, "/v1/audio/speech", body)).status).toBe(status);
    }
  });

  it.each(["A", "B"] as const)("%s: forty at once spend no more than ten may", async (variant) => {
    const tokens = 1000;
    const made = await scene({}, limited({ metric: "requests", max: 10 }), variant);
    await made.lane.answer({
      ...whole({ ...vectors, usage: { prompt_tokens: tokens, total_tokens: tokens } }),
      delay: 20,
    });
    const key = await newKey(made.where.token, "h");
    const calls = Array.from({ length: 40 }, () =>
      post(made, "/v1/embeddings", { body: embed(), headers: { authorization: `Bearer ${key}` } }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(10);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const used = await sent(made);
    expect(used.length).toBe(statuses.filter((status) => status === 200).length);
    const { data } = await admin<{ data: Json[] }>(made.where.token, "GET /api/requests?limit=100");
    expect(data.filter(({ status }) => status === 200).length).toBe(used.length);
  });
});
