import { describe, expect, it } from "vitest";
import { collect, type Reply } from "../../src/core/reply.ts";
import type { Usage } from "../../src/core/usage.ts";
import { chat } from "../../src/formats/chat/index.ts";
import { messages } from "../../src/formats/messages/index.ts";
import { responses } from "../../src/formats/responses/index.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { context } from "../kit/neutral.ts";

interface Counts {
  input: number;
  output: number;
  read?: number;
  write?: number;
  hour?: number;
}

/** Counts as this format writes them. */
function wire({ input, output, read = 0, write = 0, hour = 0 }: Counts): JsonObject {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: write,
    cache_creation: { ephemeral_5m_input_tokens: write - hour, ephemeral_1h_input_tokens: hour },
  };
}

function entry(type: string, counts: Counts, model?: string): JsonObject {
  return { type, ...wire(counts), ...(model !== undefined && { model }) };
}

function sum(...all: Counts[]): Usage {
  const total = (read: (counts: Counts) => number) => all.reduce((n, each) => n + read(each), 0);
  return {
    input: total(({ input, read = 0, write = 0 }) => input + read + write),
    cacheRead: total(({ read = 0 }) => read),
    cacheWrite: total(({ write = 0 }) => write),
    cacheWrite1h: total(({ hour = 0 }) => hour),
    output: total(({ output }) => output),
  };
}

function whole(usage: JsonObject): Usage {
  const content = [{ type: "text", text: "hi" }];
  const body = { type: "message", role: "assistant", content, stop_reason: "end_turn", usage };
  const reply = collect(messages.provider.readReply(body, context()));
  if ("failure" in reply) throw new Error(reply.failure.message);
  return reply.usage;
}

function streamed(first: JsonObject, last: JsonObject): Usage {
  const reader = messages.provider.eventReader(context());
  const events = [
    { type: "message_start", message: { role: "assistant", content: [], usage: first } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "hi" } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: last },
    { type: "message_stop" },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const reply = collect([...reader.feed(text), ...reader.end()]);
  if ("failure" in reply) throw new Error(reply.failure.message);
  return reply.usage;
}

/** The same list in a whole answer and at the end of a stream. */
function bothWays(stated: Counts, iterations: JsonObject[], first: Counts = stated): Usage[] {
  const { cache_creation: _, ...delta } = wire(stated);
  return [
    whole({ ...wire(stated), iterations }),
    streamed({ ...wire(first), output_tokens: 1 }, { ...delta, iterations }),
  ];
}

const summary = { input: 100, write: 55_096, hour: 55_096, output: 131 };
const answer = { input: 229, output: 5 };

describe("the usage of an answer that took several calls", () => {
  it("with compaction is the sum of its iterations, which the counts beside them leave out", () => {
    const iterations = [entry("compaction", summary), entry("message", answer)];
    for (const usage of bothWays(answer, iterations, summary)) {
      expect(usage).toMatchObject(sum(summary, answer));
      expect(usage.steps).toMatchObject([sum(summary), sum(answer)]);
    }
  });

  it("holds every compaction of one request", () => {
    const more = { input: 40_000, read: 20_000, output: 900 };
    const iterations = [
      entry("compaction", summary),
      entry("message", answer),
      entry("compaction", more),
      entry("message", answer),
    ];
    const stated = { input: 2 * answer.input, output: 2 * answer.output };
    for (const usage of bothWays(stated, iterations))
      expect(usage).toMatchObject(sum(summary, answer, more, answer));
  });

  it("with an advisor holds the advisor's tokens under the advisor's name", () => {
    const [before, after] = [
      { input: 412, output: 89 },
      { input: 936, read: 412, output: 442 },
    ];
    const advice = { input: 823, output: 1612 };
    const iterations = [
      entry("message", before),
      entry("advisor_message", advice, "claude-stronger"),
      entry("message", after),
    ];
    // The input beside the list may be that of the first call alone, or of all the executor's.
    const first = { ...before, output: before.output + after.output };
    const all = { input: before.input + after.input, read: after.read, output: first.output };
    for (const stated of [first, all])
      for (const usage of bothWays(stated, iterations)) {
        expect(usage).toMatchObject(sum(before, advice, after));
        expect(usage.steps?.map(({ model }) => model)).toEqual([
          undefined,
          "claude-stronger",
          undefined,
        ]);
      }
  });

  it("with a fallback leaves out the attempt that declined before it wrote, and holds one that wrote", () => {
    const served = { input: 412, output: 264 };
    const refused = { input: 408, write: 1000, hour: 1000, output: 0 };
    const begun = { ...refused, output: 17 };
    const list = (attempt: Counts) => [
      entry("message", attempt, "claude-careful"),
      entry("fallback_message", served, "claude-other"),
    ];
    for (const usage of bothWays(served, list(refused), refused)) {
      expect(usage).toMatchObject(sum(served));
      expect(usage.steps).toMatchObject([{ ...sum(served), model: "claude-other" }]);
    }
    for (const usage of bothWays(served, list(begun), begun))
      expect(usage).toMatchObject(sum(begun, served));
  });

  it("is counted once where the list has one call of the model that was asked", () => {
    const counts = { input: 50, read: 7, write: 3, hour: 2, output: 9 };
    for (const usage of bothWays(counts, [entry("message", counts)]))
      expect(usage).toEqual(sum(counts));
  });

  it("is never less than what stands beside the list, and has no steps that do not add up", () => {
    const stated = { input: 50, output: 9 };
    const lists: unknown[] = [
      [],
      null,
      "none",
      3,
      [null, 1, "x"],
      [{}, { type: "message" }],
      [{ type: "message", input_tokens: -5, output_tokens: "9" }],
      [entry("message", { input: 50, output: 2 }), entry("message", { input: 4, output: 2 })],
    ];
    for (const iterations of lists) {
      // Whatever a server may send.
      const usage = whole({ ...wire(stated), iterations: iterations as JsonObject[] });
      expect(usage.output).toBe(9);
      expect(usage.input).toBeGreaterThanOrEqual(50);
      expect(usage).not.toHaveProperty("steps");
    }
  });
});

describe("a client of another format", () => {
  const events = messages.provider.readReply(
    {
      type: "message",
      role: "assistant",
      content: [{ type: "text", text: "hi" }],
      stop_reason: "end_turn",
      usage: {
        ...wire(answer),
        iterations: [entry("compaction", summary), entry("message", answer)],
      },
    },
    context(),
  );
  const total = sum(summary, answer);
  const reply = collect(events);
  if ("failure" in reply) throw new Error(reply.failure.message);
  const echo = { model: "m", wantsUsage: true, newId: (prefix: string) => `${prefix}1`, now: 0 };

  it("gets the sum", () => {
    const withRequest = { ...echo, request: {}, estimatedInput: 1 };
    expect(chat.client.writeReply(reply, withRequest)).toMatchObject({
      usage: { prompt_tokens: total.input, completion_tokens: total.output },
    });
    expect(responses.client.writeReply(reply, withRequest)).toMatchObject({
      usage: { input_tokens: total.input, output_tokens: total.output },
    });
  });
});

it("a client is told how often another provider searched for it", () => {
  const reply: Reply = {
    blocks: [{ kind: "text", text: "hi", citations: [] }],
    usage: { input: 10, output: 2, toolUses: { webSearch: 3 } },
    stop: { reason: "end" },
  };
  const echo = { model: "m", wantsUsage: true, newId: (prefix: string) => `${prefix}1`, now: 0 };
  expect(messages.client.writeReply(reply, { ...echo, request: {} })).toMatchObject({
    usage: { server_tool_use: { web_search_requests: 3 } },
  });
});
