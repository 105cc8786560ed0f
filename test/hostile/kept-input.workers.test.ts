/** Input that only the provider has is billed too: a limit counts it, and leaving does not hide it. */
import { describe, expect, it } from "vitest";
import { openLane, provider, replyScript, request, type Json, type Lane } from "../kit/asking.ts";
import { stream } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { admin, ask, asked, world, type World } from "../gateway/kit.ts";

/** USD a million tokens of input; answers are free. */
const price = 2;
const context = 400_000;
/** Tokens of input that the provider reads at most. */
const kept = 300_000;
const said = { text: "Hello.", usage: { input: kept, cached: 0, output: 5 } };

interface Row {
  status: number;
  cost: number | null;
  usage: { input_tokens: number; estimated: boolean } | null;
}

async function lab(lane: Lane, max: number): Promise<World> {
  const cost = { input: price, output: 0 };
  const model = { id: "m", context_window: context, cost };
  const limits = [{ metric: "cost", period: "day", max, action: "block" }];
  return await world({
    providers: [provider({ id: "lab", format: "responses", lane, models: [model] })],
    harnesses: [{ id: "h", name: "H", limits }],
  });
}

function asking(more: Json): { client: "responses"; body: Json } {
  const body = request("responses", { model: "lab/m", max_output_tokens: 50, ...more });
  return { client: "responses", body };
}

async function rows(where: World, count: number): Promise<Row[]> {
  for (;;) {
    const { data } = await admin<{ data: Row[] }>(where.token, "GET /api/requests?limit=100");
    if (data.length >= count) return data;
  }
}

const dollars = (tokens: number): number => (tokens * price) / 1e6;

describe.each([
  ["a stored response", { previous_response_id: "resp_unknown" }],
  ["a conversation", { conversation: "conv_1" }],
  ["a kept prompt", { prompt: { id: "pmpt_1" } }],
  ["a kept item", { input: [{ type: "item_reference", id: "msg_1" }] }],
])("%s", (_, more) => {
  it("is set aside: of many requests at once a small budget carries one", async () => {
    const lane = openLane();
    const where = await lab(lane, dollars(kept) * 1.1);
    await lane.answer({ ...replyScript("responses", said, { stream: false }), delay: 100 });
    await Promise.all(Array.from({ length: 8 }, () => asked(where, asking(more))));
    expect(await lane.received()).toHaveLength(1);
    const costs = (await rows(where, 8)).map(({ cost }) => cost ?? 0);
    expect(Math.max(...costs)).toBeCloseTo(dollars(kept), 9);
  });

  it("is booked where the client leaves before it is reported", async () => {
    const lane = openLane();
    const where = await lab(lane, 50);
    await lane.answer(stream(endpoints.responses.events(said, "m"), { pace: 20 }));
    const answer = await ask(where, asking({ ...more, stream: true }));
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const [row] = await rows(where, 1);
    expect(row).toMatchObject({ status: 499, usage: { estimated: true } });
    expect(row?.cost).toBeGreaterThanOrEqual(dollars(kept));
  });
});

it("a response that the workspace knows adds about its own length, not the whole context", async () => {
  const lane = openLane();
  const where = await lab(lane, 50);
  const short = { ...said, usage: { input: 20_000, cached: 0, output: 5 } };
  const first = replyScript("responses", short, { stream: false });
  await lane.answer({
    ...first,
    body: JSON.stringify({ ...(JSON.parse(String(first.body)) as Json), id: "resp_known" }),
  });
  expect((await asked(where, asking({}))).status).toBe(200);
  await lane.answer(stream(endpoints.responses.events(short, "m"), { pace: 20 }));
  const more = { previous_response_id: "resp_known", stream: true };
  const reader = (await ask(where, asking(more))).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  const left = (await rows(where, 2)).find(({ status }) => status === 499);
  expect(left?.usage?.input_tokens).toBeGreaterThan(20_000);
  expect(left?.usage?.input_tokens).toBeLessThan(30_000);
});

it.each([
  ["models", ["maker/dear"]],
  ["preset", "dear"],
])("%s is refused under a limit: another model might answer", async (field, value) => {
  const lane = openLane();
  const cost = { input: 1, output: 1 };
  const limits = [{ metric: "cost", period: "day", max: 5, action: "block" }];
  const where = await world({
    providers: [provider({ id: "lab", format: "chat", lane, models: [{ id: "m", cost }] })],
    harnesses: [{ id: "h", name: "H", limits }],
  });
  const body = request("chat", { model: "lab/m", max_tokens: 5, [field]: value });
  const got = await asked(where, { client: "chat", body });
  expect(got.status).toBe(400);
  expect(got.error["message"]).toContain(`M300] ${field}:`);
  expect(await lane.received()).toHaveLength(0);
});

it.each(["chat", "responses", "messages", "gemini"] as const)(
  "%s: a count that no call can have is not booked",
  async (format) => {
    const lane = openLane();
    const absurd = { text: "Hello.", usage: { input: 1e12, cached: 0, output: 1e12 } };
    await lane.answer(replyScript(format, absurd, { stream: false }));
    const cost = { input: 1, output: 1 };
    const model = { id: "m", cost, capabilities: { features: ["stream"] } };
    const where = await world({
      providers: [provider({ id: "lab", format, lane, models: [model] })],
    });
    const client = format === "gemini" ? "chat" : format;
    await asked(where, { client, body: request(client, { model: "lab/m" }) });
    const [row] = await rows(where, 1);
    expect(row?.usage?.estimated).toBe(true);
    expect(row?.cost).toBeLessThan(0.001);
  },
);
