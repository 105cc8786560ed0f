import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import { InFlight } from "../../src/gateway/isolate/in-flight.ts";
import { descriptorShares } from "../../src/workspace/descriptors.ts";
import { Residency } from "../../src/workspace/residency.ts";

function refusal(call: () => unknown): Problem | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

describe("descriptors", () => {
  it.each([4096, 10_240, 65_536, 1_048_576])(
    "of %s are enough for all shares together",
    (limit) => {
      const { workspaces, requests } = descriptorShares({ DESCRIPTOR_LIMIT: String(limit) });
      expect(workspaces * 3 + requests * 2).toBeLessThan(limit / 2);
      expect(workspaces).toBeGreaterThan(300);
      expect(requests).toBeGreaterThan(200);
    },
  );

  it("are not counted where nobody says how many there are", () => {
    expect(descriptorShares({}).workspaces).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("workspaces in memory", () => {
  it("beyond the bound are refused with M501 until another was left alone long enough", () => {
    let now = 0;
    const residency = new Residency(2, () => now);
    residency.enter("a");
    residency.enter("b");
    const problem = refusal(() => residency.enter("c"));
    expect(problem).toMatchObject({ marker: "M501", status: 503, code: "overloaded" });
    expect(Number(problem?.headers["Retry-After"])).toBeGreaterThan(0);
    expect(refusal(() => residency.enter("a"))).toBeUndefined();
    now = 14_000;
    residency.enter("b");
    expect(refusal(() => residency.enter("c"))).toBeDefined();
    now = 16_000;
    expect(refusal(() => residency.enter("c"))).toBeUndefined();
    expect(refusal(() => residency.enter("a"))?.marker).toBe("M501");
  });

  it("may always be told the end of an admitted request, and count for it", () => {
    const residency = new Residency(1, () => 0);
    residency.enter("a");
    residency.note("b");
    expect(residency.hasRoom("b")).toBe(true);
    expect(residency.hasRoom("c")).toBe(false);
  });
});

describe("requests in flight", () => {
  let time = 1_000_000;

  it("beyond the bound are refused with M501 until one has ended, which counts once", () => {
    const inFlight = new InFlight(2, () => time);
    const leave = inFlight.enter();
    inFlight.enter();
    expect(refusal(() => inFlight.enter())).toMatchObject({ marker: "M501", status: 503 });
    leave.release();
    leave.release();
    inFlight.enter();
    expect(refusal(() => inFlight.enter())?.marker).toBe("M501");
  });

  it("are counted, and the streams among them, until each has ended, once", () => {
    const inFlight = new InFlight(2, () => time);
    const leave = inFlight.enter();
    const end = inFlight.stream();
    expect(inFlight.counts()).toEqual({ requests: 1, streams: 1 });
    for (const ended of [end, end, leave, leave]) ended.release();
    expect(inFlight.counts()).toEqual({ requests: 0, streams: 0 });
  });

  it("that nobody renews for three minutes have lost their handler, and give their place back", () => {
    const inFlight = new InFlight(2, () => time);
    inFlight.enter();
    const served = inFlight.enter();
    inFlight.stream();
    time += 170_000;
    served.renew();
    expect(refusal(() => inFlight.enter())?.marker).toBe("M501");
    time += 20_000;
    expect(inFlight.counts()).toEqual({ requests: 1, streams: 0 });
    inFlight.enter();
    served.release();
    served.renew();
    expect(inFlight.counts()).toEqual({ requests: 1, streams: 0 });
  });
});
