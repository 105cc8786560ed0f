import { expect, it } from "vitest";
import { deliveries, openLane, parsed, provider, request, type Json } from "../kit/asking.ts";
import { stream as streamOf, whole as wholeOf, type Script } from "../kit/script.ts";
import { asked, rowOf, world, type World } from "./kit.ts";

const summary = { type: "compaction", input_tokens: 100, output_tokens: 130 };
const written = { ...summary, cache_creation_input_tokens: 5000, cache_read_input_tokens: 0 };
const advice = { type: "advisor_message", model: "wise", input_tokens: 800, output_tokens: 1600 };
const answer = { type: "message", input_tokens: 220, output_tokens: 5 };
const iterations = [written, advice, answer];

const cost = { input: 1, output: 2, cache_read: 0.5, cache_write: 4 };
const wise = { input: 10, output: 20 };
const total = { input: 100 + 5000 + 800 + 220, output: 130 + 1600 + 5 };
const dollars = (320 * 1 + 5000 * 4 + 135 * 2 + 800 * 10 + 1600 * 20) / 1e6;

/** As the provider says it: beside the list stands the answer's own call alone. */
const stated = { input_tokens: 220, output_tokens: 5, cache_creation_input_tokens: 0 };
const content = [
  { type: "compaction", content: "So far: nothing." },
  { type: "text", text: "Hello." },
];
const head = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null };

function replyScript(stream: boolean): Script {
  const usage = { ...stated, iterations };
  if (!stream) return wholeOf({ ...head, content, stop_reason: "end_turn", usage });
  const begin = { ...head, content: [], usage: { ...written, output_tokens: 1 } };
  const events: { type: string; [member: string]: unknown }[] = [
    { type: "message_start", message: begin },
    ...content.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  return streamOf(
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

async function scene(
  stream: boolean,
  limits: Json[] = [],
): Promise<{ where: World; said: Script }> {
  const lane = openLane();
  const said = replyScript(stream);
  await lane.answer(said);
  const models = [
    { id: "m", cost },
    { id: "wise", cost: wise },
  ];
  const providers = [provider({ id: "lab", format: "messages", lane, models })];
  const harnesses = [{ id: "h", name: "H", limits }];
  return { where: await world({ providers, harnesses }), said };
}

async function booked(where: World, id: string | null): Promise<Json> {
  const { usage, cost: price } = await rowOf(where, id);
  return { ...(usage as Json), cost: price };
}

const billed = {
  input_tokens: total.input,
  cache_write_tokens: 5000,
  output_tokens: total.output,
  estimated: false,
  cost: expect.closeTo(dollars, 12) as number,
};

it.each(deliveries)(
  "a Messages client gets the provider's own counts, and the log has every call (stream: %s)",
  async (stream) => {
    const { where, said } = await scene(stream);
    const body = request("messages", { model: "lab/m", stream });
    const got = await asked(where, { client: "messages", body });
    expect(got.text).toBe([said.body].flat().join(""));
    expect(await booked(where, got.headers.get("X-Gateway-Request-Id"))).toMatchObject(billed);
  },
);

it.each(deliveries)(
  "a chat client is told what is booked: the sum of all calls (stream: %s)",
  async (stream) => {
    const { where } = await scene(stream);
    const more = stream ? { stream, stream_options: { include_usage: true } } : {};
    const body = request("chat", { model: "lab/m", ...more });
    const got = await asked(where, { client: "chat", body });
    const last = stream ? got.text.split("\n\n").at(-3)?.slice("data: ".length) : got.text;
    expect(parsed(last ?? "")["usage"]).toMatchObject({
      prompt_tokens: total.input,
      completion_tokens: total.output,
      total_tokens: total.input + total.output,
    });
    expect(await booked(where, got.headers.get("X-Gateway-Request-Id"))).toMatchObject(billed);
  },
);

it("a limit of tokens counts the calls that the counts beside the list leave out", async () => {
  const used = total.input + total.output;
  const limit = { metric: "tokens", period: "day", max: used, action: "block" };
  const { where } = await scene(false, [limit]);
  const body = request("messages", { model: "lab/m" });
  const first = await asked(where, { client: "messages", body });
  expect(first.text).toContain("Hello.");
  await rowOf(where, first.headers.get("X-Gateway-Request-Id"));
  const second = await asked(where, { client: "messages", body });
  expect(second.text).toContain(String(used));
  expect(second.text).not.toContain("Hello.");
});
