/** Limits that hold upper bounds: what is booked never exceeds them, whatever clients ask for at once. */
import { describe, expect, it } from "vitest";
import { openLane, provider, replyScript, request, type Json, type Lane } from "../kit/asking.ts";
import { whole } from "../kit/script.ts";
import { endpoints } from "../kit/wire/index.ts";
import { admin, asked, inFlight, rowOf, world, type World } from "./kit.ts";

/** $1,000 a million tokens: a tenth of a cent each. */
const cost = { input: 1000, output: 1000 };
const bound = { metric: "cost", period: "day", max: 0.05, action: "block", strict: "bound" };

interface Scene {
  readonly where: World;
  readonly lab: Lane;
  readonly other: Lane;
}

async function scene(limits: Json[], more: Json = {}, model: Json = {}): Promise<Scene> {
  const [lab, other] = [openLane(), openLane()];
  const features = { capabilities: { features: ["stream", "tools"] } };
  const providers = [
    provider({
      id: "lab",
      format: "chat",
      lane: lab,
      models: [{ id: "m", cost, ...features, ...model }],
    }),
    provider({
      id: "other",
      format: "chat",
      lane: other,
      models: [{ id: "m", cost, ...features }],
    }),
  ];
  const harnesses = [{ id: "h", name: "H", limits, errors: "status", ...more }];
  return { where: await world({ providers, harnesses }), lab, other };
}

const answer = (input: number, output: number) =>
  whole(endpoints.chat.whole({ text: "GOOD", usage: { input, cached: 0, output } }, "m"));

async function ask(where: World, more: Json) {
  return await asked(where, { client: "chat", body: request("chat", { model: "lab/m", ...more }) });
}

/** What the ledger has, once nothing is in flight. */
async function booked(where: World): Promise<number> {
  while ((await inFlight(where)) > 0) await scheduler.wait(20);
  const call = "GET /api/usage?period=day";
  return (await admin<{ total: { cost: number } }>(where.token, call)).total.cost;
}

describe("a limit with upper bounds", () => {
  it("refuses what may cost more than is left, and says the bound and what is left", async () => {
    const { where, lab } = await scene([bound]);
    await lab.answer(answer(10, 990));
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(where, { max_tokens: 100_000 })),
    );
    for (const { status, error } of answers) {
      expect(status).toBe(429);
      expect(error["message"]).toMatch(/may use up to \$100\.\d\d, with 100000 output tokens/);
      expect(error["message"]).toMatch(/\$0\.05 is left under the hard limit on cost/);
    }
    expect(await lab.received()).toHaveLength(0);
    expect(await booked(where)).toBe(0);
    // The limit itself is not used up: nobody is told so.
    const { data } = await admin<{ data: Json[] }>(where.token, "GET /api/events");
    expect(data.filter(({ type }) => type === "limit.reached")).toEqual([]);
  });

  it("is never exceeded by requests at once that use all that they may", async () => {
    const { where, lab } = await scene([bound]);
    await lab.answer({ ...answer(12, 5), delay: 200 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(where, { max_tokens: 5 })),
    );
    const passed = answers.filter(({ status }) => status === 200).length;
    expect(passed).toBeGreaterThan(0);
    expect(await booked(where)).toBeCloseTo(passed * 0.017, 9);
    expect(await booked(where)).toBeLessThanOrEqual(0.05);
  });

  it("takes the model's own maximum where the request states none, and every answer of several", async () => {
    const { where } = await scene([{ ...bound, max: 5 }], {}, { max_output: 1000 });
    const { error } = await ask(where, { n: 8 });
    expect(error["message"]).toMatch(/may use up to \$8\.\d\d, with 8000 output tokens/);
  });

  it("takes the whole context where nobody knows how long an answer may be", async () => {
    const { where } = await scene([{ ...bound, max: 5 }], {}, { context_window: 50_000 });
    const { error } = await ask(where, {});
    expect(error["message"]).toMatch(/with 50000 output tokens/);
  });

  it.each([
    ["documents", { documents: [{ text: "tides and moons ".repeat(3000) }] }],
    [
      "reasoning of turns before",
      {
        messages: [
          { role: "user", content: "hi" },
          { role: "assistant", content: "a", reasoning_content: "tides and moons ".repeat(3000) },
          { role: "user", content: "go on" },
        ],
      },
    ],
  ])("counts %s, which a relay hands on", async (_, body) => {
    const { where, lab } = await scene([{ ...bound, max: 5 }]);
    const { error } = await ask(where, { max_tokens: 5, ...body });
    expect(error["message"]).toMatch(/may use up to \$1[12]\.\d\d/);
    expect(await lab.received()).toHaveLength(0);
  });

  it("takes a file that is only referred to for the whole context", async () => {
    const { where } = await scene([{ ...bound, max: 5 }], {}, { context_window: 50_000 });
    const file = { type: "file", file: { file_id: "file-1" } };
    const messages = [{ role: "user", content: [{ type: "text", text: "Sum up." }, file] }];
    const { error } = await ask(where, { max_tokens: 5, messages });
    expect(error["message"]).toMatch(/may use up to \$75\.\d\d/);
  });

  it("counts a picture by its size, not by the length of its text", async () => {
    const { where, lab } = await scene([{ ...bound, max: 5 }]);
    await lab.answer(answer(12, 5));
    const url = `data:image/png;base64,${"iVBORw0KGgo".padEnd(100_000, "A")}`;
    const content = [
      { type: "text", text: "What is it?" },
      { type: "image_url", image_url: { url } },
    ];
    const { status } = await ask(where, { max_tokens: 5, messages: [{ role: "user", content }] });
    expect(status).toBe(200);
  });

  it("counts tokens in the same way", async () => {
    const { where, lab } = await scene([{ ...bound, metric: "tokens", max: 5000 }]);
    await lab.answer(answer(10, 990));
    expect((await ask(where, { max_tokens: 5000 })).error["message"]).toMatch(
      /may use up to 50\d\d, with 5000 output tokens at most, and 5000 is left/,
    );
    expect((await ask(where, { max_tokens: 4000 })).status).toBe(200);
  });

  it("refuses a model without a price", async () => {
    const { where, lab } = await scene([bound], {}, { cost: {} });
    const { status, error } = await ask(where, { max_tokens: 5 });
    expect([status, error["code"]]).toEqual([402, "price_unknown"]);
    expect(error["message"]).toContain("The price of lab/m");
    expect(await lab.received()).toHaveLength(0);
  });

  it("asks a fallback behind a billed failure only if both fit into what was set aside", async () => {
    const fallbacks = { routing: { fallbacks: { "lab/m": ["other/m"] } } };
    const usage = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 };
    const failing = whole({ id: "c", object: "chat.completion", choices: [], usage });
    for (const script of [failing, whole({ error: { message: "busy" } }, 503)]) {
      const { where, lab, other } = await scene([bound], fallbacks);
      await lab.answer(script);
      await other.answer(answer(12, 5));
      const { status } = await ask(where, { max_tokens: 5 });
      expect(status).toBe(script === failing ? 502 : 200);
      expect(await other.received()).toHaveLength(script === failing ? 0 : 1);
      expect(await booked(where)).toBeCloseTo(script === failing ? 0.01 : 0.017, 9);
    }
  });

  it("without it one request may pass a limit, and the next ones not", async () => {
    const { where, lab } = await scene([{ ...bound, strict: true }]);
    await lab.answer({ ...answer(10, 990), delay: 200 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask(where, { max_tokens: 100_000 })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await booked(where)).toBeCloseTo(1, 9);
  });
});

describe("auto, where priced models are over budget", () => {
  /** A priced model and one without a price, on connections of their own, and a limit that is used up. */
  async function used(routing: Json, more: Json = {}): Promise<World> {
    const [lab, free] = [openLane(), openLane()];
    const features = { capabilities: { features: ["stream", "tools"] } };
    await lab.answer(answer(10, 990));
    await free.answer(replyScript("chat", { text: "FREE" }, { stream: false }));
    const models = [{ id: "gpt-5.2", cost, ...features }];
    const providers = [
      provider({ id: "lab", format: "chat", lane: lab, models }),
      provider({
        id: "free",
        format: "chat",
        lane: free,
        models: [{ id: "claude-opus-4-8", ...features, ...more }],
      }),
    ];
    const limits = [{ metric: "cost", period: "day", max: 0.05, action: "block" }];
    const harnesses = [{ id: "h", name: "H", limits, routing, errors: "status" }];
    const where = await world({ providers, harnesses });
    expect((await ask(where, { model: "lab/gpt-5.2" })).status).toBe(200);
    while ((await inFlight(where)) > 0) await scheduler.wait(20);
    return where;
  }

  it("does not go to a model without a price", async () => {
    const where = await used({});
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, error } = await ask(where, { model: "auto" });
      expect([status, error["message"]]).toEqual([
        429,
        expect.stringContaining("hard limit on cost"),
      ]);
    }
    expect((await ask(where, { model: "free/claude-opus-4-8" })).status).toBe(200);
  });

  it("goes to one that the harness names, and says so", async () => {
    const tiers = { simple: ["lab/gpt-5.2"], complex: ["free/claude-opus-4-8"] };
    const where = await used({ tiers });
    const answered = await ask(where, { model: "auto" });
    expect(answered.status).toBe(200);
    const row = await rowOf(where, answered.headers.get("x-gateway-request-id"));
    expect(row["model"]).toBe("free/claude-opus-4-8");
    expect(row["reason"]).toContain("beyond the budget=lab/gpt-5.2");
    expect(row["reason"]).toContain("price unknown=free/claude-opus-4-8");
  });

  it("goes to one that is free", async () => {
    const where = await used({}, { cost: { input: 0, output: 0 } });
    const answered = await ask(where, { model: "auto" });
    expect(answered.status).toBe(200);
  });
});
