import { describe, expect, it } from "vitest";
import { longestEvent } from "../../src/lib/sse.ts";
import { operationEvents } from "../../src/operations/answer-events.ts";

describe("a stream of an operation", () => {
  it("fails at an event that is too long, and nothing follows", () => {
    const events = operationEvents();
    expect(events.feed(`data: ${"x".repeat(longestEvent + 1)}`)).toMatchObject([
      { kind: "fail", failure: { status: 502 } },
    ]);
    expect(events.feed("\n\ndata: [DONE]\n\n")).toEqual([]);
    expect(events.end()).toEqual([]);
  });

  it("ends at its mark, whatever stands behind it", () => {
    const events = operationEvents();
    expect(events.feed('data: [DONE]\n\ndata: {"choices":[{"text":"late"}]}\n\n')).toEqual([
      { kind: "end" },
    ]);
    expect(events.end()).toEqual([]);
  });

  it("that breaks off has failed", () => {
    const events = operationEvents();
    events.feed('data: {"choices":[{"text":"half"}]}\n\n');
    expect(events.end()).toMatchObject([{ kind: "fail" }]);
  });
});
