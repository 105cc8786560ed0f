import { describe, expect, it } from "vitest";
import { decide } from "../../../src/workspace/rules/admission.ts";
import { leaseTime, overdue, release } from "../../../src/workspace/rules/lease.ts";
import { noLimits } from "../../../src/policy/limits.ts";
import { variantB } from "../../../src/policy/variant-b.ts";
import {
  abandonRequest,
  reverseAbandoned,
  settleRequest,
} from "../../../src/workspace/rules/settlement.ts";
import { spentIn } from "../../../src/workspace/rules/sums/spend.ts";
import { withSnapshot } from "../../../src/workspace/rules/state.ts";
import {
  addKey,
  asking,
  call,
  counted,
  model,
  record,
  start,
  verdictOf,
  workspace,
} from "./kit.ts";

const throttled = variantB({ limit: 3, span: 2000 });

describe("admission", () => {
  it("lets exactly 200 requests through in any minute", () => {
    const state = workspace();
    const verdicts = Array.from({ length: 260 }, (_, index) => call(state, { now: start + index }));
    expect(verdicts.filter((verdict) => verdict === "admitted")).toHaveLength(200);
    expect(verdicts.slice(200)).toEqual(Array.from({ length: 60 }, () => "M201"));
    expect(call(state, { now: start + 60_000 })).toBe("admitted");
    expect(call(state, { now: start + 60_000 })).toBe("M201");
    expect(call(state, { now: start + 60_001 })).toBe("admitted");
  });

  it("tells a refused caller the seconds until its turn", () => {
    const state = workspace();
    for (let index = 0; index < 200; index += 1) call(state, { now: start + 10_000 });
    const refused = decide(state, asking(), start + 25_500);
    expect(refused).toMatchObject({
      verdict: "refused",
      refusal: { code: "M201", retryAfter: 45, limit: 200 },
      rate: { limit: 200, remaining: 0, reset: 45 },
    });
  });

  it("has ten slots a workspace, whatever the harness", () => {
    const state = workspace();
    const held = Array.from({ length: 10 }, (_, index) =>
      asking({ harness: index % 2 === 0 ? "h" : "other" }),
    );
    for (const request of held) expect(verdictOf(decide(state, request, start))).toBe("admitted");
    expect(verdictOf(decide(state, asking(), start))).toBe("M203");
    settleRequest(state, record(held[3]?.requestId ?? ""), start);
    expect(verdictOf(decide(state, asking(), start))).toBe("admitted");
    expect(verdictOf(decide(state, asking(), start))).toBe("M203");
  });

  it("counts model lists and token counts in the window, and gives them no slot", () => {
    const state = workspace();
    for (let index = 0; index < 199; index += 1) call(state, { ask: { weight: "light" } });
    expect(state.leases.byId.size).toBe(0);
    expect(call(state)).toBe("admitted");
    expect(call(state, { ask: { weight: "light" } })).toBe("M201");
  });

  it("counts a refused request nowhere", () => {
    const state = workspace({
      budgets: [{ metric: "requests", period: "day", max: 0, action: "block" }],
    });
    for (let index = 0; index < 500; index += 1) expect(call(state)).toBe("M200");
    expect(counted(state)).toBe(0);
    expect(state.leases.byId.size).toBe(0);
    expect(call(state, { ask: { harness: "other" } })).toBe("admitted");
  });

  it("answers the first of several refusals: key, window, slot, quota, limit", () => {
    const limits = [{ metric: "requests", period: "day", max: 0, action: "block" }] as const;
    const state = workspace({ budgets: [...limits] });
    state.monthlyRequests = 0;
    const others = Array.from({ length: 10 }, () => asking({ harness: "other" }));
    expect(call(state)).toBe("M204");
    state.monthlyRequests = 1000;
    for (const request of others) decide(state, request, start);
    state.monthlyRequests = 0;
    expect(call(state)).toBe("M203");
    for (let index = 0; index < 190; index += 1) call(state, { ask: { weight: "light" } });
    expect(call(state)).toBe("M201");
    expect(call(state, { ask: { keyHash: "nobody" } })).toBe("M005");
    addKey(state, "h", { expires_at: new Date(start).toISOString() });
    expect(call(state)).toBe("M004");
  });

  it("answers an old generation with the new snapshot, and counts nothing", () => {
    const state = workspace();
    withSnapshot(state, { ...state.snapshot, generation: 2 });
    const answer = decide(state, asking(), start);
    expect(answer).toEqual({
      verdict: "stale",
      snapshot: state.snapshot,
      key: { expires_at: null },
    });
    expect(counted(state)).toBe(0);
    expect(call(state, { ask: { generation: 2 } })).toBe("admitted");
  });

  it("refuses a key at the moment it expires", () => {
    const state = workspace();
    addKey(state, "h", { expires_at: new Date(start + 1000).toISOString() });
    expect(call(state, { now: start + 999 })).toBe("admitted");
    expect(call(state, { now: start + 1000 })).toBe("M004");
  });

  it("gives a repeated call its own slot again, not a second one", () => {
    const state = workspace();
    const request = asking();
    decide(state, request, start);
    expect(verdictOf(decide(state, request, start))).toBe("admitted");
    expect(state.leases.byId.size).toBe(1);
    expect(counted(state)).toBe(1);
    settleRequest(state, record(request.requestId), start);
    expect(state.leases.reserved.size).toBe(0);
  });

  it("passes what it knows of the conversation, and of candidates that cool down", () => {
    const state = workspace();
    const first = asking({ session: "s" });
    decide(state, first, start);
    const session = {
      model,
      tier: "simple",
      lastUsed: start,
      cachedTokens: 1,
      inputTokens: 2,
      turns: 1,
    };
    const failed = {
      model,
      status: 500,
      ms: 1,
      outcome: "failed",
      coolUntil: start + 5000,
    } as const;
    settleRequest(
      state,
      { ...record(first.requestId), attempts: [failed], session: { key: "s", state: session } },
      start,
    );
    expect(decide(state, asking({ session: "s" }), start)).toMatchObject({
      session,
      cooling: { [model]: start + 5000 },
    });
    expect(decide(state, asking({ session: "s", harness: "other" }), start)).toMatchObject({
      session: null,
    });
  });
});

describe("variant B", () => {
  it("throttles each agent by the settings, and has no slots", () => {
    const state = workspace({ limits: throttled });
    const hold = (harness: string, now: number) =>
      verdictOf(decide(state, asking({ harness }), now));
    expect([hold("h", start), hold("h", start), hold("h", start)]).toEqual([
      "admitted",
      "admitted",
      "admitted",
    ]);
    expect(hold("h", start + 1999)).toBe("throttle");
    expect(hold("other", start)).toBe("admitted");
    expect(hold("h", start + 2000)).toBe("admitted");
    for (let index = 1; index < 8; index += 1) {
      for (let each = 0; each < 3; each += 1) hold("h", start + 2000 + index * 2000);
    }
    expect(state.leases.byId.size).toBeGreaterThan(10);
  });
});

describe("the benchmark build", () => {
  it("has no windows, slots or cool-downs, but budgets", () => {
    const limits = [{ metric: "requests", period: "day", max: 300, action: "block" }] as const;
    const state = workspace({ limits: noLimits, budgets: [...limits] });
    const verdicts = Array.from({ length: 301 }, () => verdictOf(decide(state, asking(), start)));
    expect(verdicts.filter((verdict) => verdict === "admitted")).toHaveLength(300);
    expect(verdicts.at(-1)).toBe("M200");
  });
});

describe("the monthly quota", () => {
  it("counts requests under way, and starts anew with the month", () => {
    const state = workspace();
    state.monthlyRequests = 3;
    const open = asking();
    decide(state, open, start);
    expect([call(state), call(state), call(state)]).toEqual(["admitted", "admitted", "M204"]);
    expect(decide(state, asking(), start)).toMatchObject({
      refusal: { code: "M204", limit: 3, used: 3 },
    });
    settleRequest(state, record(open.requestId), start);
    expect(call(state)).toBe("M204");
    expect(call(state, { now: Date.UTC(2026, 6, 1) })).toBe("admitted");
  });

  it("counts by months of UTC, in whatever time zone the workspace is put", () => {
    const state = workspace();
    state.monthlyRequests = 2;
    const now = Date.UTC(2026, 5, 30, 12);
    expect([call(state, { now }), call(state, { now }), call(state, { now })]).toEqual([
      "admitted",
      "admitted",
      "M204",
    ]);
    // In the first of these zones it is July already, in the second June goes on for longer.
    for (const timezone of ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"]) {
      const { snapshot } = state;
      withSnapshot(state, { ...snapshot, config: { ...snapshot.config, timezone } });
      expect(call(state, { now })).toBe("M204");
    }
    expect(call(state, { now: Date.UTC(2026, 6, 1) })).toBe("admitted");
  });

  it("counts a request in the month in which it began", () => {
    const state = workspace();
    const july = Date.UTC(2026, 6, 1);
    state.monthlyRequests = 1;
    const late = asking();
    expect(verdictOf(decide(state, late, july - 1))).toBe("admitted");
    settleRequest(state, record(late.requestId, { time: july - 1 }), july);
    expect(call(state, { now: july })).toBe("admitted");
    expect(call(state, { now: july })).toBe("M204");
  });

  it("is not touched by model lists and token counts", () => {
    const state = workspace();
    state.monthlyRequests = 1;
    expect(call(state, { ask: { weight: "light" } })).toBe("admitted");
    expect(call(state)).toBe("admitted");
    expect(call(state, { ask: { weight: "light" } })).toBe("admitted");
  });
});

describe("leases", () => {
  it("end when nobody renews them for 45 seconds", () => {
    const state = workspace();
    const request = asking();
    decide(state, request, start);
    expect(overdue(state.leases, start + leaseTime - 1)).toEqual([]);
    expect(overdue(state.leases, start + leaseTime)).toHaveLength(1);
  });

  it("book what was set aside for a lost request, and take it back when its settlement comes after all", () => {
    const state = workspace();
    const request = asking({
      candidates: [{ id: model, input: 1000, asked: 10, prices: { input: 2, output: 8 } }],
    });
    decide(state, request, start);
    const [lease] = state.leases.byId.values();
    if (lease === undefined) throw new Error("no lease");
    const rows = abandonRequest(state, lease, start);
    const day = () =>
      spentIn(state.spend, state.calendar, { harness: "h", period: "day", now: start });
    expect(day()).toMatchObject({ requests: 1, tokens: 1010, cost: 2080e6 });
    expect(release(state.leases, request.requestId)).toBeUndefined();
    const settled = record(request.requestId, { input: 900, output: 5, cost: 0.00184 });
    reverseAbandoned(state, rows, { record: settled, now: start });
    settleRequest(state, settled, start);
    expect(day()).toMatchObject({ requests: 1, tokens: 905, cost: 1840e6 });
  });
});
