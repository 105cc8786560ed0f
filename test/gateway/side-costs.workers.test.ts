/** What the gateway asks by itself for an answer, searches and judges, is booked once and held by limits, however it ends. */
import { describe, expect, it } from "vitest";
import { openLane, parsed, provider, replyScript, type Json, type Lane } from "../kit/asking.ts";
import { stream, whole, type Script } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import type { Said } from "../kit/wire/said.ts";
import { admin, ask, asked, inFlight, world, type World } from "./kit.ts";

/** USD a million tokens. */
const cost = { input: 1, output: 10 };
const searchCost = { input: 2, output: 20 };
const page = { url: "https://example.org/tides", title: "Tides" };

const search: Said = {
  calls: [{ id: "call_1", name: "web_search", input: '{"query":"tides"}' }],
  usage: { input: 100, cached: 0, output: 5 },
};
const told: Said = { text: "High tide is at noon.", usage: { input: 200, cached: 0, output: 8 } };

/** What the searcher answers, having used so much. */
function found(input: number, output: number): Script {
  return whole({
    id: "msg_s",
    type: "message",
    role: "assistant",
    model: "finder",
    content: [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tides" } },
      {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [{ type: "web_search_result", ...page, encrypted_content: "abc", page_age: null }],
      },
      { type: "text", text: "High tide is at noon." },
    ],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: input,
      output_tokens: output,
      server_tool_use: { web_search_requests: 1 },
    },
  });
}

interface Row {
  status: number;
  cost: number | null;
  usage: { input_tokens: number; output_tokens: number; estimated: boolean } | null;
  attempts: { model: string; status: number; cost?: number; usage?: Row["usage"] }[];
}

interface Scene {
  readonly where: World;
  readonly model: Lane;
  readonly finder: Lane;
  readonly judge: Lane;
}

/** A model without a search, a model that searches and one that judges, the harness naming both. */
async function scene(
  harness: Json = {},
  finderCost: Json | undefined = searchCost,
): Promise<Scene> {
  const [model, finder, judge] = [openLane(), openLane(), openLane()];
  await finder.answer(found(50, 10));
  const priced = finderCost === undefined ? {} : { cost: finderCost };
  const providers = [
    provider({
      id: "lab",
      format: "chat",
      lane: model,
      models: [{ id: "m", cost, capabilities: { features: ["stream", "tools"] } }],
    }),
    provider({
      id: "web",
      format: "messages",
      lane: finder,
      models: [{ id: "finder", ...priced }],
    }),
    provider({ id: "court", format: "chat", lane: judge, models: [{ id: "j", cost }] }),
  ];
  const named = { web_search: { provider: "web" }, safeguard_model: "court/j" };
  const harnesses = [{ id: "h", name: "H", ...named, ...harness }];
  return { where: await world({ providers, harnesses }), model, finder, judge };
}

function question(streamed: boolean, more: Json = {}): Json {
  return {
    model: "lab/m",
    max_tokens: 1000,
    stream: streamed,
    messages: [{ role: "user", content: "Perform a web search for the query: tides" }],
    tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 1 }],
    ...more,
  };
}

/** The log's rows, once there are so many and nothing is in flight. */
async function rows(where: World, count: number): Promise<Row[]> {
  for (;;) {
    const { data } = await admin<{ data: Row[] }>(where.token, "GET /api/requests?limit=100");
    if (data.length >= count && (await inFlight(where)) === 0) return data;
    await scheduler.wait(50);
  }
}

/** What the ledger has. */
async function booked(where: World): Promise<number> {
  const { total } = await admin<{ total: { cost: number } }>(
    where.token,
    "GET /api/usage?period=day",
  );
  return total.cost;
}

const searchBill = (50 * searchCost.input + 10 * searchCost.output) / 1e6;
const firstTurn = (100 * cost.input + 5 * cost.output) / 1e6;

/** Reads the answer until the text stands in it, then leaves. */
async function leaveAt(response: Response, text: string): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = "";
  while (!read.includes(text)) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) break;
    read += value;
  }
  await reader?.cancel();
}

const hanging = (said: Said, events: number): Script => {
  const all = endpoints.chat.events(said, "m");
  return stream(all.slice(0, events), { end: "hang" });
};

describe("a searched answer", () => {
  it("tells its client the length of the last turn, and books them all", async () => {
    const { where, model } = await scene();
    const script = (said: Said): Script => whole(endpoints.chat.whole(said, "m"));
    await model.answer(script(search), script(told));
    const got = await asked(where, { client: "messages", body: question(false) });
    expect(parsed(got.text)["usage"]).toMatchObject({ input_tokens: 200, output_tokens: 8 });
    const [row] = await rows(where, 1);
    const all = (300 * cost.input + 13 * cost.output) / 1e6 + searchBill;
    expect(row?.usage).toMatchObject({ input_tokens: 300, output_tokens: 13, estimated: false });
    expect(row?.cost).toBeCloseTo(all, 12);
    expect(await booked(where)).toBeCloseTo(all, 12);
  });

  it("that is left in its second turn costs its first one, the search and what was seen", async () => {
    const { where, model } = await scene();
    await model.answer(stream(endpoints.chat.events(search, "m")), hanging(told, 3));
    const got = await ask(where, { client: "messages", body: question(true) });
    await leaveAt(got, "text_delta");
    const [row] = await rows(where, 1);
    expect(row).toMatchObject({ status: 499, usage: { estimated: true } });
    expect(row?.usage?.input_tokens).toBeGreaterThan(100 + 50);
    expect(row?.usage?.output_tokens).toBeGreaterThan(5);
    expect(row?.attempts[0]).toMatchObject({ model: "web/finder", usage: { input_tokens: 50 } });
    expect(row?.cost).toBeGreaterThan(firstTurn + searchBill);
    expect(await booked(where)).toBeCloseTo(row?.cost ?? 0, 12);
  });

  it("that is left during its search costs its first turn, and the search at most", async () => {
    const { where, model, finder } = await scene();
    await finder.answer({ mute: true, end: "hang" });
    await model.answer(stream(endpoints.chat.events(search, "m")));
    const got = await ask(where, { client: "messages", body: question(true) });
    while ((await finder.received()).length === 0) await scheduler.wait(20);
    await got.body?.cancel();
    const [row] = await rows(where, 1);
    expect(row).toMatchObject({
      status: 499,
      usage: { input_tokens: 100, output_tokens: 5, estimated: false },
      attempts: [{ model: "web/finder", usage: { output_tokens: 4096, estimated: true } }, {}],
    });
    expect(row?.cost).toBeGreaterThan(firstTurn + (4096 * searchCost.output) / 1e6);
    expect(await booked(where)).toBeCloseTo(row?.cost ?? 0, 12);
  });

  it.each([true, false])(
    "whose second turn fails costs the first and the search (stream: %s)",
    async (streamed) => {
      const { where, model } = await scene();
      const first = streamed
        ? stream(endpoints.chat.events(search, "m"))
        : whole(endpoints.chat.whole(search, "m"));
      await model.answer(first, whole({ error: { message: "no" } }, 500));
      await asked(where, { client: "messages", body: question(streamed) });
      const [row] = await rows(where, 1);
      expect(row?.status).toBeGreaterThanOrEqual(500);
      expect(await booked(where)).toBeCloseTo(firstTurn + searchBill, 12);
    },
  );

  it("that is judged too books the search and the judge", async () => {
    const { where, model, judge } = await scene();
    const both: Said = {
      calls: [...(search.calls ?? []), { id: "call_2", name: "Bash", input: '{"command":"ls"}' }],
      usage: { input: 100, cached: 0, output: 5 },
    };
    await model.answer(stream(endpoints.chat.events(both, "m")));
    const verdict = JSON.stringify({ verdicts: [{ call: 1, decision: "allow" }] });
    const usage = { input: 30, cached: 0, output: 3 };
    await judge.answer(replyScript("chat", { text: verdict, usage }, { stream: false }));
    const body = question(true, {
      tools: [
        { type: "web_search_20250305", name: "web_search", max_uses: 1 },
        { name: "Bash", input_schema: { type: "object" } },
      ],
      safeguards: [{ type: "dangerous_tool_use", classifier_context: { v: 1 } }],
    });
    const got = await asked(where, { client: "messages", body });
    expect(got.text).toContain("not_flagged");
    const [row] = await rows(where, 1);
    expect(row?.attempts.map((attempt) => attempt.model)).toEqual([
      "web/finder",
      "court/j",
      "lab/m",
    ]);
    const judged = (30 * cost.input + 3 * cost.output) / 1e6;
    expect(row?.cost).toBeCloseTo(firstTurn + searchBill + judged, 12);
    expect(await booked(where)).toBeCloseTo(firstTurn + searchBill + judged, 12);
  });
});

describe("a limit", () => {
  const limit = (more: Json): Json => ({
    limits: [{ metric: "cost", period: "day", action: "block", ...more }],
  });

  it("that is strict blocks a search without a price, and names its model", async () => {
    const { where, model } = await scene(limit({ max: 10, strict: true }), {});
    const got = await asked(where, { client: "messages", body: question(false) });
    expect(got.text).toContain("The price of web/finder is unknown");
    expect(await model.received()).toEqual([]);
    const plain = question(false, { tools: [] });
    await model.answer(whole(endpoints.chat.whole(told, "m")));
    expect((await asked(where, { client: "messages", body: plain })).text).toContain("High tide");
  });

  it("is not overrun by searches at once, whose cost is set aside", async () => {
    const max = 0.35;
    const { where, model, finder } = await scene(limit({ max }));
    await finder.answer({ ...found(10_000, 4096), delay: 300 });
    // Every request of a conversation with a result is a second turn.
    const usage = { input: 5000, cached: 0, output: 1000 };
    await model.answer({ ...whole(endpoints.chat.whole({ ...search, usage }, "m")), delay: 100 });
    const send = () => asked(where, { client: "messages", body: question(false) });
    const answers = await Promise.all(Array.from({ length: 20 }, send));
    const served = answers.filter(({ text }) => !text.includes("M200"));
    expect(served.length).toBeGreaterThan(0);
    const spent = await booked(where);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(max);
    // The client's own bound of an answer holds as before.
    expect(answers.some(({ text }) => text.includes("M200"))).toBe(true);
  });

  it("bounds the searches of an answer to those that were set aside", async () => {
    const { where, model, finder } = await scene(limit({ max: 100 }));
    await model.answer(whole(endpoints.chat.whole(search, "m")));
    const tools = [{ type: "web_search_20250305", name: "web_search", max_uses: 50 }];
    await asked(where, { client: "messages", body: question(false, { tools }) });
    expect(await finder.received()).toHaveLength(5);
    expect(await model.received()).toHaveLength(7);
    const sent = JSON.parse((await finder.received())[0]?.text ?? "") as { tools: Json[] };
    expect(sent.tools).toMatchObject([{ name: "web_search", max_uses: 3 }]);
  });
});
