/** Bodies of operations that are too large, too many, or that try to reach another model. */
import { describe, expect, it } from "vitest";
import { openLane, read, secret, type Answer, type Json } from "../kit/asking.ts";
import { whole } from "../kit/script.ts";
import { admin, inFlight, knock, world, type World } from "../gateway/kit.ts";

const megabyte = 1024 * 1024;
const transcript = whole({ text: "said", usage: { type: "duration", seconds: 1 } });

async function scene(harness: Json = {}) {
  const lane = openLane();
  const lab = { id: "lab", kind: "openai", base_url: `${lane.url}/v1`, api_key: secret };
  const where = await world({ providers: [lab], harnesses: [{ id: "h", name: "H", ...harness }] });
  return { where, lane };
}

async function post({ key }: World, path: string, init: RequestInit): Promise<Answer> {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${key}`);
  return await read(await knock(path, { method: "POST", ...init, headers }));
}

function formOf(size: number, model = "lab/whisper-1"): FormData {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(size).fill(13)]), "a.wav");
  form.set("model", model);
  return form;
}

describe("files", () => {
  it("of 25 MB pass, one of 40 MB is 413 and nothing is called", async () => {
    const { where, lane } = await scene();
    await lane.answer(transcript);
    const path = "/v1/audio/transcriptions";
    expect((await post(where, path, { body: formOf(25 * megabyte) })).status).toBe(200);
    const before = (await lane.received()).length;
    const large = await post(where, path, { body: formOf(40 * megabyte) });
    expect([large.status, large.error["code"]]).toEqual([413, "invalid_request"]);
    expect((await lane.received()).length).toBe(before);
    expect(await inFlight(where)).toBe(0);
  });

  it("that inflate beyond all measure are 413", async () => {
    const { where } = await scene();
    const zeros = new Blob([new Uint8Array(60 * megabyte)]).stream();
    const body = await new Response(zeros.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
    const headers = {
      "content-encoding": "gzip",
      "content-type": "multipart/form-data; boundary=b",
    };
    expect((await post(where, "/v1/audio/transcriptions", { body, headers })).status).toBe(413);
  });
});

describe("the model of a form", () => {
  it.each([
    'lab/whisper-1"\r\nContent-Disposition: form-data; name="model"\r\n\r\nlab/other',
    "lab/whisper-1\r\n--b\r\n",
    "lab/whisper-1\u0000",
  ])("cannot bring in another: %j", async (model) => {
    const { where, lane } = await scene({ models: ["lab/whisper-1"] });
    const answer = await post(where, "/v1/audio/transcriptions", { body: formOf(10, model) });
    expect(answer.status).toBe(400);
    expect((await lane.received()).filter(({ method }) => method === "POST")).toEqual([]);
  });

  it.each(["model", "models"])("and of JSON under a wall: no %s beside it", async (name) => {
    const { where } = await scene({ models: ["lab/gpt-3.5-turbo-instruct"] });
    const body = `{"model":"lab/gpt-3.5-turbo-instruct","prompt":"x","${name}":["lab/gpt-4o"]}`;
    const headers = { "content-type": "application/json" };
    const { status } = await post(where, "/v1/completions", { body, headers });
    expect(status).toBe(name === "model" ? 400 : 403);
  });
});

describe("many at once", () => {
  it("forty calls under a budget of money never spend more than it, and leave nothing held", async () => {
    const cost = 1000 * 0.13e-6;
    const limits = [{ metric: "cost", period: "day", action: "block", max: 12.5 * cost }];
    const { where, lane } = await scene({ limits });
    const usage = { prompt_tokens: 1000, total_tokens: 1000 };
    await lane.answer({ ...whole({ object: "list", data: [], usage }), delay: 10 });
    // Estimated at no less than it takes.
    const input = Array.from({ length: 250 }, () => "one two three four");
    const body = JSON.stringify({ model: "lab/text-embedding-3-large", input });
    const headers = { "content-type": "application/json" };
    const calls = Array.from({ length: 40 }, () =>
      post(where, "/v1/embeddings", { body, headers }),
    );
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    const served = statuses.filter((status) => status === 200).length;
    expect(served).toBeGreaterThan(0);
    expect(served * cost).toBeLessThanOrEqual(12.5 * cost);
    expect(await inFlight(where)).toBe(0);
    const rows = await admin<{ data: Json[] }>(where.token, "GET /api/requests?limit=100");
    const spent = rows.data.reduce((sum, row) => sum + Number(row["cost"] ?? 0), 0);
    expect(spent).toBeCloseTo(served * cost, 10);
  });
});
