import { describe, expect, it } from "vitest";
import { decide } from "../../../src/workspace/rules/admission.ts";
import type { CandidateEstimate } from "../../../src/workspace/contract/admission.ts";
import { limitStates } from "../../../src/workspace/rules/limit-states.ts";
import { crossed, settleRequest } from "../../../src/workspace/rules/settlement.ts";
import type { LimitEntry } from "../../../src/store/config.ts";
import { asking, call, record, start, verdictOf, workspace } from "./kit.ts";

const cents = { input: 10_000, output: 10_000 };
/** A cent a token: 1 token in, `asked` out. */
function cent(asked: number, id = "lab/one"): CandidateEstimate {
  return { id, input: 1, asked, prices: cents };
}

function block(
  metric: LimitEntry["metric"],
  max: number,
  period: LimitEntry["period"] = "day",
): LimitEntry {
  return { metric, period, max, action: "block" };
}

describe("hard limits", () => {
  it("admit what fits to the last token, and nothing more", () => {
    const state = workspace({ budgets: [block("cost", 1)] });
    const verdicts = Array.from({ length: 12 }, () =>
      call(state, { ask: { candidates: [cent(9)] }, spent: { input: 1, output: 9, cost: 0.1 } }),
    );
    expect(verdicts).toEqual([...Array.from({ length: 10 }, () => "admitted"), "M200", "M200"]);
  });

  it("set aside what requests under way may cost, so that a race cannot overrun them", () => {
    for (let round = 0; round < 1000; round += 1) {
      const state = workspace({ budgets: [block("cost", 0.55)] });
      const requests = Array.from({ length: 10 }, () => asking({ candidates: [cent(9)] }));
      const decisions = requests.map((request) => decide(state, request, start));
      expect(decisions.filter(({ verdict }) => verdict === "admitted")).toHaveLength(5);
    }
  });

  it("give back what was set aside and not used", () => {
    const state = workspace({ budgets: [block("cost", 1)] });
    const request = asking({ candidates: [cent(99)] });
    expect(verdictOf(decide(state, request, start))).toBe("admitted");
    expect(call(state, { ask: { candidates: [cent(9)] } })).toBe("M200");
    settleRequest(state, record(request.requestId, { input: 1, output: 4, cost: 0.05 }), start);
    expect(call(state, { ask: { candidates: [cent(9)] } })).toBe("admitted");
  });

  it("let one request of unknown length into a small budget while nothing is set aside", () => {
    const state = workspace({ budgets: [block("cost", 0.05)] });
    const unbound = { id: "lab/one", input: 1, prices: cents };
    const first = asking({ candidates: [unbound] });
    expect(verdictOf(decide(state, first, start))).toBe("admitted");
    expect(verdictOf(decide(state, asking({ candidates: [unbound] }), start))).toBe("M200");
    settleRequest(state, record(first.requestId, { cost: 0.03 }), start);
    const second = asking({ candidates: [unbound] });
    expect(verdictOf(decide(state, second, start))).toBe("admitted");
    settleRequest(state, record(second.requestId, { cost: 0.03 }), start);
    expect(verdictOf(decide(state, asking({ candidates: [unbound] }), start))).toBe("M200");
  });

  it("never make that exception for a request that says itself how long its answer may be", () => {
    const state = workspace({ budgets: [block("cost", 0.05)] });
    expect(call(state, { ask: { candidates: [cent(9)] } })).toBe("M200");
  });

  it("count cached and written tokens in the metric tokens, input and output together", () => {
    const state = workspace({ budgets: [block("tokens", 100)] });
    const ask = { candidates: [{ id: "lab/one", input: 40, asked: 10 }] };
    expect(call(state, { ask, spent: { input: 40, output: 10 } })).toBe("admitted");
    expect(call(state, { ask, spent: { input: 40, output: 10 } })).toBe("admitted");
    expect(decide(state, asking(ask), start)).toMatchObject({
      refusal: { code: "M200", metric: "tokens", period: "day", used: 100, limit: 100 },
    });
  });

  it("count requests under way in the metric requests", () => {
    const state = workspace({ budgets: [block("requests", 2, "hour")] });
    decide(state, asking(), start);
    decide(state, asking(), start);
    expect(decide(state, asking(), start)).toMatchObject({
      refusal: { code: "M200", metric: "requests", period: "hour", used: 2, limit: 2 },
    });
    expect(call(state, { ask: { harness: "other" } })).toBe("admitted");
  });

  it("start anew with their period, in the workspace's time zone", () => {
    const limits = [block("requests", 1)];
    const config = { timezone: "Europe/Berlin", harnesses: [{ id: "h", name: "H", limits }] };
    const state = workspace({ config });
    const beforeMidnight = Date.UTC(2026, 2, 28, 22, 59);
    expect(call(state, { now: beforeMidnight })).toBe("admitted");
    expect(call(state, { now: beforeMidnight + 59_000 })).toBe("M200");
    expect(call(state, { now: beforeMidnight + 60_000 })).toBe("admitted");
    // The day of the change has 23 hours.
    expect(call(state, { now: Date.UTC(2026, 2, 29, 21, 59) })).toBe("M200");
    expect(call(state, { now: Date.UTC(2026, 2, 29, 22, 0) })).toBe("admitted");
  });

  it("do not charge a period for what began in the one before", () => {
    const state = workspace({ budgets: [block("requests", 1, "hour")] });
    const hour = Date.UTC(2026, 5, 10, 13);
    const request = asking();
    decide(state, request, hour - 1);
    settleRequest(state, record(request.requestId, { time: hour - 1 }), hour + 1000);
    expect(call(state, { now: hour + 2000 })).toBe("admitted");
  });

  it("only notify where they say so, once the maximum is exceeded", () => {
    const state = workspace({ budgets: [{ ...block("requests", 1), action: "notify" }] });
    expect(call(state)).toBe("admitted");
    expect(crossed(limitStates(state, { harness: "h" }, start))).toEqual([]);
    expect(call(state)).toBe("admitted");
    expect(crossed(limitStates(state, { harness: "h" }, start))).toMatchObject([
      { used: 2, entry: { max: 1 } },
    ]);
  });
});

describe("candidates and prices", () => {
  it("refuse a named model that does not fit, even if a fallback would", () => {
    const state = workspace({ budgets: [block("cost", 0.2)] });
    const candidates = [cent(50, "lab/dear"), cent(5, "lab/cheap")];
    expect(call(state, { ask: { candidates } })).toBe("M200");
    const answer = decide(state, asking({ candidates, flexible: true }), start);
    expect(answer).toMatchObject({ verdict: "admitted", affordable: ["lab/cheap"] });
  });

  it("set aside the service tier and the tool uses that are asked for", () => {
    const state = workspace({ budgets: [block("cost", 10)] });
    const prices = {
      ...cents,
      serviceTiers: { priority: 2, flex: 0.5 },
      toolUses: { webSearch: { perThousand: 100 } },
    };
    const reserved = (more: Partial<CandidateEstimate>): number | undefined => {
      const asked = asking({
        candidates: [{ id: "lab/one", input: 1, asked: 9, prices, ...more }],
      });
      decide(state, asked, start);
      const cost = state.leases.reserved.get("h")?.cost;
      settleRequest(state, record(asked.requestId, { cost: 0 }), start);
      return cost;
    };
    expect(reserved({ serviceTier: "priority" })).toBe(0.2e12);
    expect(reserved({ serviceTier: "flex" })).toBe(0.1e12);
    expect(reserved({ toolUses: { webSearch: 2 } })).toBe(0.3e12);
  });

  it("set aside the dearest of those that fit", () => {
    const state = workspace({ budgets: [block("cost", 1)] });
    const candidates = [cent(4, "lab/cheap"), cent(49, "lab/dear")];
    decide(state, asking({ candidates }), start);
    expect(state.leases.reserved.get("h")?.cost).toBe(0.5e12);
  });

  it("refuse a model of unknown price under a strict limit of cost, and say which", () => {
    const state = workspace({ budgets: [{ ...block("cost", 1), strict: true }] });
    const candidates = [{ id: "lab/new", input: 1, asked: 1 }];
    expect(decide(state, asking({ candidates }), start)).toMatchObject({
      refusal: { code: "M200", metric: "cost", unpriced: "lab/new" },
    });
    expect(call(state, { ask: { candidates, harness: "other" } })).toBe("admitted");
  });

  it("let a model of unknown price pass under other limits of cost, even one that is used up", () => {
    const state = workspace({ budgets: [block("cost", 1)] });
    const candidates = [{ id: "lab/new", input: 1, asked: 1 }];
    const dear = [{ id: "lab/one", input: 1, asked: 1, prices: { input: 1e6, output: 0 } }];
    expect(call(state, { ask: { candidates: dear }, spent: { cost: 1 } })).toBe("admitted");
    expect(call(state, { ask: { candidates: dear } })).toBe("M200");
    expect(call(state, { ask: { candidates }, spent: { cost: 0 } })).toBe("admitted");
  });

  it("take explicit zeros for free", () => {
    const state = workspace({ budgets: [block("cost", 0)] });
    const candidates = [{ id: "sub/one-subscription", input: 1, prices: { input: 0, output: 0 } }];
    expect(call(state, { ask: { candidates }, spent: { cost: 0 } })).toBe("admitted");
  });

  it("guess by the harness's own last answers", () => {
    const state = workspace({ budgets: [block("tokens", 100_000)] });
    const candidates = [{ id: "lab/one", input: 0 }];
    for (let index = 0; index < 10; index += 1) {
      call(state, { ask: { candidates }, spent: { input: 0, output: 6000 } });
    }
    decide(state, asking({ candidates }), start);
    expect(state.leases.reserved.get("h")?.tokens).toBe(6000);
  });
});
