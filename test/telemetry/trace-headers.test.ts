import { describe, expect, it } from "vitest";
import { passTraces, tracingWith } from "../../src/telemetry/trace/request-trace.ts";
import { readTrace } from "../../src/telemetry/trace/trace-headers.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";
const valid = `00-${traceId}-${parentId}-01`;
const read = (traceparent: string, tracestate?: string): ReturnType<typeof readTrace> =>
  readTrace(new Headers({ traceparent, ...(tracestate !== undefined && { tracestate }) }));

describe("the headers of a trace", () => {
  it("are read as they are", () => {
    expect(read(valid)).toEqual({ traceId, parentId, sampled: true });
    expect(read(`00-${traceId}-${parentId}-00`)?.sampled).toBe(false);
    expect(read(`00-${traceId}-${parentId}-ff`)?.sampled).toBe(true);
    expect(read(`00-${traceId}-${parentId}-02`)?.sampled).toBe(false);
  });

  it("of a later version may hold more", () => {
    expect(read(`01-${traceId}-${parentId}-01-what-comes`)).toMatchObject({ traceId });
    expect(read(`cc-${traceId}-${parentId}-01`)).toMatchObject({ traceId });
  });

  it.each([
    "",
    "00",
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `00-${traceId}-${parentId}-1`,
    `00-${traceId}-${parentId}-0x`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    `01-${traceId}-${parentId}-01.more`,
    `01-${traceId}-${parentId}-01-${"x".repeat(300)}`,
    `${valid}, ${valid}`,
    `00_${traceId}_${parentId}_01`,
  ])("are ignored where they cannot be: %s", (text) => {
    expect(read(text, "a=1")).toBeUndefined();
  });

  it("carry other vendors' state within the bounds of the specification", () => {
    const members = Array.from({ length: 32 }, (_, index) => `k${index}=v`);
    expect(read(valid, "a=1,b/c-d*e_f=2,1t@sys=x y")?.state).toBe("a=1,b/c-d*e_f=2,1t@sys=x y");
    expect(read(valid, " a=1 ,,\tb=2 ")?.state).toBe("a=1,b=2");
    expect(read(valid, members.join(","))?.state).toBe(members.join(","));
  });

  it.each([
    "",
    ",",
    "A=1",
    "a",
    "=1",
    "a=",
    "a=1,a=2",
    "a=b=c",
    "@s=1",
    "a@=1",
    `a=${"x".repeat(257)}`,
    Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(","),
    `a=${"x".repeat(250)},b=${"x".repeat(250)},c=${"x".repeat(20)}`,
  ])("leave a state behind that cannot be, and keep the trace: %s", (state) => {
    expect(read(valid, state)).toEqual({ traceId, parentId, sampled: true });
  });
});

describe("a request's trace", () => {
  const incoming = new Headers({ traceparent: valid, tracestate: "a=1" });
  const unsampled = new Headers({ traceparent: `00-${traceId}-${parentId}-00` });

  it("goes on as it came where none is made here", () => {
    expect(passTraces(new Headers())).toBeUndefined();
    expect(passTraces(new Headers({ traceparent: "wrong", tracestate: "a=1" }))).toBeUndefined();
    const trace = passTraces(incoming);
    expect(trace?.span).toBeUndefined();
    expect(trace?.attempt()).toEqual({ headers: { traceparent: valid, tracestate: "a=1" } });
  });

  it("has a span for each attempt, under ids that nobody else has", () => {
    const traces = Array.from({ length: 100 }, () =>
      tracingWith({ ratio: 1, byParent: true })(new Headers()),
    );
    const spans = traces.flatMap((trace) => [
      trace?.span?.spanId,
      ...Array.from({ length: 20 }, () => trace?.attempt().span),
    ]);
    expect(new Set(spans).size).toBe(2100);
    for (const span of spans) expect(span).toMatch(/^[\da-f]{16}$/);
    expect(new Set(traces.map((trace) => trace?.span?.traceId)).size).toBe(100);
  });

  it("is recorded as its sender records it, or by the share, as the sampler says", () => {
    const sampled = (ratio: number, byParent: boolean, headers: Headers): boolean | undefined =>
      tracingWith({ ratio, byParent })(headers)?.span?.sampled;
    expect(sampled(0, true, incoming)).toBe(true);
    expect(sampled(1, true, unsampled)).toBe(false);
    expect(sampled(0, false, incoming)).toBe(false);
    expect(sampled(1, false, unsampled)).toBe(true);
    const count = Array.from({ length: 4000 }, () => sampled(0.25, true, new Headers())).filter(
      (each) => each === true,
    ).length;
    expect(count).toBeGreaterThan(800);
    expect(count).toBeLessThan(1200);
    // The lower half of the trace's id decides, so every service decides alike.
    const isSampled = (lower: string): boolean | undefined => {
      const traceparent = `00-${"f".repeat(16)}${lower}-${"1".repeat(16)}-00`;
      return sampled(0.25, false, new Headers({ traceparent }));
    };
    expect(["3fffffffffffffff", "00000000ffffffff"].map(isSampled)).toEqual([true, true]);
    expect(["4000000000000000", "f000000000000000"].map(isSampled)).toEqual([false, false]);
    const shares = Array.from({ length: 20 }, () => sampled(0.5, false, incoming));
    expect(new Set(shares).size).toBe(1);
  });
});
