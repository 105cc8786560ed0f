/** What failed calls cost: usage that a provider reports before it fails is booked once, wherever the request goes on. */
import { describe, expect, it } from "vitest";
import {
  openLane,
  provider,
  replyScript,
  request,
  type Client,
  type Json,
  type Lane,
  type WireFormat,
} from "../kit/asking.ts";
import { stream, whole, type Script } from "../kit/script.ts";
import { admin, ask, inFlight, world, type World } from "./kit.ts";

/** USD a million tokens. */
const cost = { input: 100, output: 1000 };
const otherCost = { input: 1, output: 10 };
/** What every failing call reports, and what it costs. */
const used = { input: 1000, output: 7 };
const bill = (used.input * cost.input + used.output * cost.output) / 1e6;

const data = (json: unknown, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(json)}\n\n`;

const chatUsage = { prompt_tokens: 1000, completion_tokens: 7, total_tokens: 1007 };
const chatError = { error: { message: "overloaded", type: "server_error" } };
const plainUsage = { input_tokens: 1000, output_tokens: 7, total_tokens: 1007 };
const geminiUsage = { promptTokenCount: 1000, candidatesTokenCount: 7, totalTokenCount: 1007 };
const messagesError = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

const failedResponse = {
  id: "resp_1",
  object: "response",
  status: "failed",
  output: [],
  error: { code: "server_error", message: "it broke" },
  usage: plainUsage,
};
const chunk = (more: Json): Json => ({ id: "c1", object: "chat.completion.chunk", ...more });
const messageStart = data(
  {
    type: "message_start",
    message: { id: "msg_1", type: "message", role: "assistant", content: [], usage: plainUsage },
  },
  "message_start",
);

interface Failing {
  readonly name: string;
  readonly format: WireFormat;
  readonly streamed: boolean;
  readonly script: Script;
}

/** Answers that fail before their first content. */
const failing: Failing[] = [
  {
    name: "response.failed",
    format: "responses",
    streamed: true,
    script: stream([
      data({ type: "response.failed", response: failedResponse }, "response.failed"),
    ]),
  },
  {
    name: "a failed response",
    format: "responses",
    streamed: false,
    script: whole(failedResponse),
  },
  {
    name: "no choices, streamed",
    format: "chat",
    streamed: true,
    script: stream([data(chunk({ choices: [], usage: chatUsage })), "data: [DONE]\n\n"]),
  },
  {
    name: "no choices",
    format: "chat",
    streamed: false,
    script: whole({ id: "c1", object: "chat.completion", choices: [], usage: chatUsage }),
  },
  {
    name: "usage, then an error event",
    format: "chat",
    streamed: true,
    script: stream([data(chunk({ choices: [], usage: chatUsage })), data(chatError)]),
  },
  {
    name: "an error with usage",
    format: "chat",
    streamed: false,
    script: whole({ ...chatError, usage: chatUsage }),
  },
  {
    name: "a larger count, then a smaller one, then an error event",
    format: "chat",
    streamed: true,
    script: stream([
      data(chunk({ choices: [], usage: chatUsage })),
      data(chunk({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 1 } })),
      data(chatError),
    ]),
  },
  {
    name: "message_start, then an error event",
    format: "messages",
    streamed: true,
    script: stream([messageStart, data(messagesError, "error")]),
  },
  {
    name: "usage without candidates",
    format: "gemini",
    streamed: true,
    script: stream([data({ usageMetadata: geminiUsage })]),
  },
  {
    name: "usage without candidates, whole",
    format: "gemini",
    streamed: false,
    script: whole({ usageMetadata: geminiUsage }),
  },
  {
    name: "a call that cannot be read",
    format: "gemini",
    streamed: true,
    script: stream([
      data({
        candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL" }],
        usageMetadata: geminiUsage,
      }),
    ]),
  },
  {
    name: "an error with usage",
    format: "gemini",
    streamed: false,
    script: whole({
      error: { code: 500, message: "it broke", status: "INTERNAL" },
      usageMetadata: geminiUsage,
    }),
  },
];

/** The same with an error's status. */
const refusing: Failing[] = [
  {
    name: "a refusal",
    format: "chat",
    streamed: true,
    script: whole({ ...chatError, usage: chatUsage }, 403),
  },
  {
    name: "a refusal",
    format: "responses",
    streamed: true,
    script: whole({ error: { message: "flagged" }, usage: plainUsage }, 403),
  },
  {
    name: "a refusal",
    format: "messages",
    streamed: false,
    script: whole({ ...messagesError, usage: plainUsage }, 529),
  },
];

interface Row {
  status: number;
  cost: number | null;
  unpriced?: boolean;
  usage: Json | null;
  outcome: string;
  attempts: { model: string; cost?: number; usage?: Json }[];
}

interface Scene {
  readonly where: World;
  readonly lab: Lane;
}

/** A model that fails, and another that is its fallback if it is to have one. */
async function scene(
  format: WireFormat,
  withFallback: boolean,
  features = ["stream", "tools"],
): Promise<Scene> {
  const [lab, other] = [openLane(), openLane()];
  const model = { id: "m", cost, capabilities: { features } };
  const providers = [
    provider({ id: "lab", format, lane: lab, models: [model] }),
    provider({
      id: "other",
      format: "chat",
      lane: other,
      models: [{ ...model, cost: otherCost }],
    }),
  ];
  const limits = [{ metric: "cost", period: "day", max: 100, action: "block" }];
  const routing = withFallback ? { fallbacks: { "lab/m": ["other/m"] } } : {};
  const harnesses = [{ id: "h", name: "H", limits, routing }];
  await other.answer(
    replyScript(
      "chat",
      { text: "GOOD", usage: { input: 50, cached: 0, output: 4 } },
      { stream: true },
    ),
  );
  return { where: await world({ providers, harnesses }), lab };
}

const fallbackBill = (50 * otherCost.input + 4 * otherCost.output) / 1e6;

/** The row of a request, once nothing is in flight. */
async function rowAfter(where: World, response: Response): Promise<Row> {
  await response.text();
  const id = response.headers.get("x-gateway-request-id");
  for (;;) {
    const { data: rows } = await admin<{ data: (Row & { id: string })[] }>(
      where.token,
      "GET /api/requests?limit=10",
    );
    const row = rows.find((one) => one.id === id);
    if (row !== undefined && (await inFlight(where)) === 0) return row;
    await scheduler.wait(20);
  }
}

/** What the ledger and the limit have counted. */
async function counted({ token }: World): Promise<number[]> {
  const usage = await admin<{ total: { cost: number } }>(token, "GET /api/usage?period=day");
  const limits = await admin<{ data: { used: number }[] }>(token, "GET /api/limits");
  return [usage.total.cost, ...limits.data.map((limit) => limit.used)];
}

const clientOf: Record<WireFormat, Client> = {
  chat: "chat",
  responses: "responses",
  messages: "messages",
  gemini: "chat",
};

function body(client: Client, streamed: boolean): Json {
  const bound = client === "responses" ? { max_output_tokens: 50 } : { max_tokens: 50 };
  return request(client, { model: "lab/m", stream: streamed, ...bound });
}

describe("a failed call that reports usage", () => {
  it.each([...failing, ...refusing])(
    "is booked: $format, $name",
    async ({ format, streamed, script }) => {
      const { where, lab } = await scene(format, false);
      await lab.answer(script);
      const client = clientOf[format];
      const row = await rowAfter(where, await ask(where, { client, body: body(client, streamed) }));
      expect(row.outcome).toBe("failed");
      const usage = { input_tokens: used.input, output_tokens: used.output, estimated: false };
      expect(row.attempts[0]).toMatchObject({ model: "lab/m", usage });
      expect(row.attempts[0]?.cost).toBeCloseTo(bill, 12);
      expect(row.cost).toBeCloseTo(bill, 12);
      for (const sum of await counted(where)) expect(sum).toBeCloseTo(bill, 12);
    },
  );

  it.each(failing)("is booked beside its fallback: $format, $name", async (given) => {
    const { where, lab } = await scene(given.format, true);
    await lab.answer(given.script);
    const client = clientOf[given.format];
    const response = await ask(where, { client, body: body(client, true) });
    const row = await rowAfter(where, response);
    // A body that is no stream fails a streamed request all the same.
    expect([row.status, row.outcome]).toEqual([200, "fallback"]);
    expect(row.attempts.map(({ model }) => model)).toEqual(["lab/m", "other/m"]);
    expect(row.usage).toMatchObject({ input_tokens: 50, output_tokens: 4 });
    expect(row.cost).toBeCloseTo(bill + fallbackBill, 12);
    for (const sum of await counted(where)) expect(sum).toBeCloseTo(bill + fallbackBill, 12);
  });

  it("may bill more where it fell off: the reported input, and what was set aside for its answer", async () => {
    const { where, lab } = await scene("messages", false);
    await lab.answer(stream([messageStart], { end: "reset" }));
    const response = await ask(where, { client: "messages", body: body("messages", true) });
    const row = await rowAfter(where, response);
    const most = (used.input * cost.input + 50 * cost.output) / 1e6;
    // A connection that broke is tried once more.
    expect(row.attempts.map(({ cost: one }) => one)).toEqual([most, most]);
    expect(row.cost).toBeCloseTo(2 * most, 12);
    for (const sum of await counted(where)) expect(sum).toBeCloseTo(2 * most, 12);
  });
});

describe("a failed call that reports more than tokens", () => {
  const searches = {
    type: "web_search_call",
    id: "ws_1",
    status: "completed",
    action: { type: "search" },
  };

  it.each([
    ["the money that it states", { ...failedResponse, usage: { ...plainUsage, cost: 0.25 } }, 0.25],
    ["its tier alone: nothing", { ...failedResponse, usage: null, service_tier: "default" }, null],
    ["a tool without a known fee", { ...failedResponse, output: [searches] }, bill],
  ])("is booked at %s", async (name, response, dollars) => {
    const { where, lab } = await scene("responses", false);
    await lab.answer(whole(response));
    const sent = { client: "responses", body: body("responses", false) } as const;
    const row = await rowAfter(where, await ask(where, sent));
    if (dollars === null) expect([row.cost, row.attempts[0]?.usage]).toEqual([null, undefined]);
    else expect(row.cost).toBeCloseTo(dollars, 12);
    expect(row.unpriced).toBe(name.startsWith("a tool") ? true : undefined);
    for (const sum of await counted(where)) expect(sum).toBeCloseTo(dollars ?? 0, 12);
  });
});

/** Streams that fail behind their content, with the count of all that was written. */
const broken: Failing[] = [
  {
    name: "usage, then an error event",
    format: "chat",
    streamed: true,
    script: stream([
      data(chunk({ choices: [{ index: 0, delta: { content: "a" } }] })),
      data(chunk({ choices: [], usage: chatUsage })),
      data(chatError),
    ]),
  },
  {
    name: "usage, then a reset",
    format: "chat",
    streamed: true,
    script: stream(
      [
        data(chunk({ choices: [{ index: 0, delta: { content: "a" } }] })),
        data(chunk({ choices: [], usage: chatUsage })),
      ],
      { end: "reset" },
    ),
  },
  {
    name: "response.failed",
    format: "responses",
    streamed: true,
    script: stream([
      data({ type: "response.output_text.delta", item_id: "i", content_index: 0, delta: "a" }),
      data({ type: "response.failed", response: failedResponse }),
    ]),
  },
];

describe("an answer that fails behind its content", () => {
  it.each(broken)("costs what it counted last: $format, $name", async ({ format, script }) => {
    const { where, lab } = await scene(format, false, ["stream", "reasoning"]);
    await lab.answer(script);
    const client = clientOf[format];
    const row = await rowAfter(where, await ask(where, { client, body: body(client, true) }));
    expect(row.outcome).toBe("failed");
    expect(row.cost).toBeCloseTo(bill, 12);
    for (const sum of await counted(where)) expect(sum).toBeCloseTo(bill, 12);
  });

  it("costs the largest count of a stream whose counts shrink", async () => {
    const { where, lab } = await scene("chat", false);
    const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    await lab.answer(
      stream([
        data(chunk({ choices: [{ index: 0, delta: { content: "a" } }], usage: chatUsage })),
        data(chunk({ ...end, usage: { prompt_tokens: 3, completion_tokens: 2 } })),
        "data: [DONE]\n\n",
      ]),
    );
    const row = await rowAfter(
      where,
      await ask(where, { client: "chat", body: body("chat", true) }),
    );
    expect(row.outcome).toBe("ok");
    expect(row.cost).toBeCloseTo(bill, 12);
  });
});
