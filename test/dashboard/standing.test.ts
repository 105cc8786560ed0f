/** Banners: an event is shown while its condition holds, and no longer. */
import { describe, expect, it } from "vitest";
import { type PresentState, standingEvents } from "../../src/dashboard/pages/notices/standing.ts";
import type { WorkspaceEvent } from "../../src/workspace/contract/events.ts";

const now = Date.parse("2026-01-01T12:00:00Z");
const later = "2026-01-02T00:00:00.000Z";
const over = "2026-01-01T00:00:00.000Z";
const limit = { node: "harness", id: "h", metric: "cost", period: "day", max: 5 } as const;
const standing: PresentState = {
  now,
  limits: [{ ...limit, used: 5.1 }],
  quota: { limit: 100, used: 100 },
  down: ["p"],
  downInPart: [],
};

let seq = 0;

function event(type: WorkspaceEvent["type"], data: WorkspaceEvent["data"]): WorkspaceEvent {
  seq += 1;
  return { seq, id: `evt_${seq}`, type, time: "2026-01-01T11:00:00.000Z", data };
}

const reached = event("limit.reached", { ...limit, used: 5.1, resets_at: later });
const full = event("quota.reached", { resets_at: later });
const down = event("provider.down", { provider: "p" });
const up = event("provider.up", { provider: "p" });

describe("a banner", () => {
  it("stands while a limit, a quota or a provider is as the event says", () => {
    for (const one of [reached, full, down]) expect(standingEvents([one], standing)).toEqual([one]);
  });

  it("says of a provider whose other models answer meanwhile that they do", () => {
    const [shown] = standingEvents([down], { ...standing, downInPart: ["p"] });
    expect(shown?.data).toEqual({ provider: "p", others_answer: true });
  });

  it("stands while a limit refuses of which too little is left for a request", () => {
    const early = event("limit.reached", { ...limit, used: 4.9, resets_at: later });
    const limits = [{ ...limit, used: 4.9 }];
    expect(standingEvents([early], { ...standing, limits })).toEqual([early]);
  });

  it("goes with the period", () => {
    const past = event("limit.reached", { ...limit, used: 6, resets_at: over });
    expect(standingEvents([past, event("quota.reached", { resets_at: over })], standing)).toEqual(
      [],
    );
  });

  it("goes when the limit was raised or removed, the quota raised, the provider removed or made anew", () => {
    const events = [reached, full, down];
    const raised = [{ ...limit, max: 10, used: 5.1 }];
    const quota = { limit: 200, used: 100 };
    const changed = { now, limits: raised, quota, down: [], downInPart: [] };
    expect(standingEvents(events, changed)).toEqual([]);
    expect(standingEvents([reached], { ...standing, limits: [] })).toEqual([]);
    expect(standingEvents([full], { ...standing, quota: { limit: null, used: 100 } })).toEqual([]);
  });

  it("goes when the provider is up again, and comes back with the next failure", () => {
    expect(standingEvents([up, down], standing)).toEqual([]);
    expect(standingEvents([down, up], standing)).toEqual([down]);
  });

  it("stands once for what happened several times, and only for the newest three", () => {
    expect(standingEvents([down, down, down], standing)).toEqual([down]);
    const many = ["a", "b", "c", "d"].map((provider) => event("provider.down", { provider }));
    const failing = ["a", "b", "c", "d"];
    expect(standingEvents(many, { ...standing, down: failing })).toEqual(many.slice(0, 3));
  });

  it("is none of what is only near, done or over", () => {
    const others = [
      event("limit.near", { ...limit, resets_at: later }),
      event("key.created", { name: "k" }),
      event("spend.unusual", { cost: 9 }),
    ];
    expect(standingEvents(others, standing)).toEqual([]);
  });
});
