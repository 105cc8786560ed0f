import { describe, expect, it, vi } from "vitest";
import { RequestLines, requestLine } from "../../src/telemetry/request-line.ts";
import { arrived, attemptOf, identified, stranger } from "./finished.ts";

/** What stands in the line. */
function told(finished: Parameters<typeof requestLine>[0]): unknown {
  return JSON.parse(requestLine(finished));
}

describe("the line of a request", () => {
  it("says who asked what, what answered, when, and what it cost", () => {
    const record = { session_id: "s1", agent: "sub", tags: { team: "core" }, person: "usr_1" };
    expect(told(identified({ record }))).toEqual({
      time: "2026-11-22T12:00:00.000Z",
      id: "req_1",
      format: "chat",
      status: 200,
      outcome: "ok",
      total_ms: 94,
      workspace: "default",
      harness: "h",
      key_id: "key_1",
      person: "usr_1",
      stream: true,
      requested_model: "lab/m",
      model: "lab/m",
      provider: "lab",
      tier: "simple",
      dropped: 1,
      first_byte_ms: 50,
      stages: { identified: 4, parsed: 7, planned: 9, admitted: 10 },
      tokens: {
        input: 100,
        cached: 40,
        cache_write: 0,
        output: 20,
        reasoning: 5,
        estimated: false,
      },
      cost: 0.25,
      attempts: [{ model: "lab/m", status: 200, ms: 80, outcome: "ok" }],
      session: "s1",
      agent: "sub",
      tags: { team: "core" },
    });
  });

  it("says of a stranger's request what little is known", () => {
    expect(told(stranger())).toEqual({
      time: "2026-11-22T12:00:00.000Z",
      id: "req_2",
      format: "messages",
      status: 401,
      outcome: "failed",
      code: "M005",
      total_ms: 1,
    });
  });

  it("holds no text: no error, reason, message or path", () => {
    const attempts = [
      attemptOf({ outcome: "failed", status: 500, cause: "status", error: "the canary of a call" }),
      attemptOf(),
    ];
    expect(requestLine(identified({ record: { attempts } }))).not.toContain("canary");
  });

  it("names no model that only a client named", () => {
    const model = "any/my secret is 1234";
    const { requestedModel: _, ...finished } = identified({
      record: { model, requested_model: model, attempts: [attemptOf({ model })] },
    });
    expect(requestLine(finished)).not.toContain("secret");
    expect(told(finished)).toMatchObject({ model: "any/*", attempts: [{ model: "any/*" }] });
  });

  it.each([
    ["a line feed", "a\nb"],
    ["a line separator", "a\u2028b\u2029c\u0085d"],
    ["control characters", "\u0000\u001b[31m\u007f"],
    ["half a character", "\ud800x\udc00"],
    ["a quote", '"},{"'],
    ["other letters", "Grüße 你好 😀"],
  ])("is one line of ASCII with %s in an id", (_, session_id) => {
    const line = requestLine(identified({ record: { session_id } }));
    expect(line).toMatch(/^[\x20-\x7e]+$/);
    expect(JSON.parse(line)).toMatchObject({ session: session_id });
  });

  it("is at most 4,000 bytes long, whatever the client sends", () => {
    const wild = "\u0001".repeat(100_000);
    const tags = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}${wild}`, wild]));
    const many = Array.from({ length: 500 }, () => attemptOf({ model: `lab/${wild}` }));
    const record = { session_id: wild, agent: wild, tags, attempts: many, model: `lab/${wild}` };
    const line = requestLine(identified({ record, requestedModel: wild }));
    expect(line.length).toBeLessThanOrEqual(4000);
    expect(JSON.parse(line)).toMatchObject({ id: "req_1", cut: true, cost: 0.25 });
  });
});

/** A sink that keeps its lines, with a clock of its own. */
function lines(level: "errors" | "all") {
  const written: string[] = [];
  const clock = { now: arrived };
  const output = { write: (line: string) => void written.push(line), now: () => clock.now };
  return { sink: new RequestLines(level, output), written, clock };
}

const background = (): void => undefined;

describe("the setting LOG", () => {
  it("all: has a line for every request, of strangers too", () => {
    const { sink, written } = lines("all");
    for (let at = 0; at < 100; at += 1) sink.tell(stranger(), background);
    sink.tell(identified(), background);
    expect(written).toHaveLength(101);
    expect(sink.stats()).toEqual([{ name: "stdout", queued: 0, sent: 101, dropped: 0 }]);
  });

  it("errors: has a line for what failed, was blocked or was left, and for nothing else", () => {
    const { sink, written } = lines("errors");
    sink.tell(identified(), background);
    // Both have the status 200: an error that was rendered as an answer, and a stream that was cut.
    sink.tell(identified({ id: "blocked", record: { outcome: "blocked" } }), background);
    sink.tell(identified({ id: "failed", record: { outcome: "failed" } }), background);
    sink.tell(identified({ id: "left", status: 499 }), background);
    sink.tell(identified({ id: "refused", status: 503 }), background);
    expect(written.map((line) => JSON.parse(line).id)).toEqual([
      "blocked",
      "failed",
      "left",
      "refused",
    ]);
  });

  it("errors: strangers cause ten lines in a second, and one that counts the others", async () => {
    vi.useFakeTimers();
    try {
      const { sink, written, clock } = lines("errors");
      const work: Promise<unknown>[] = [];
      for (let at = 0; at < 1000; at += 1) sink.tell(stranger(), (task) => work.push(task));
      expect(written).toHaveLength(10);
      expect(work).toHaveLength(1);
      clock.now += 1000;
      await vi.advanceTimersByTimeAsync(1000);
      await Promise.all(work);
      expect(written).toHaveLength(11);
      expect(JSON.parse(written[10] ?? "")).toEqual({
        time: "2026-11-22T12:00:01.000Z",
        suppressed: 990,
      });
      sink.tell(stranger(), background);
      expect(written).toHaveLength(12);
      expect(sink.stats()).toMatchObject([{ sent: 12, dropped: 990 }]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("errors: a flood of strangers takes no line from those who have a key", () => {
    const { sink, written } = lines("errors");
    for (let at = 0; at < 100; at += 1) sink.tell(stranger(), background);
    sink.tell(identified({ id: "mine", status: 500 }), background);
    expect(written.at(-1)).toContain('"mine"');
  });
});
