import { describe, expect, it } from "vitest";
import type { RoutingEntry } from "../../src/store/config.ts";
import { chooseModel } from "../../src/routing/session/choose-model.ts";
import { claudeCode, decide, four, headers, modelRequest, tierConfig, tools, user } from "./kit.ts";

const asked = modelRequest([user("Rename the variable.")], { tools: tools(3) });

function decideAs(requestClass: string, roles: RoutingEntry["roles"], more: RoutingEntry = {}) {
  return decide(asked, {
    headers: headers({ ...claudeCode, "x-claude-code-request-class": requestClass }),
    harness: { id: "h", routing: { ...tierConfig, ...more, roles } },
  });
}

describe("the settings of a role", () => {
  it("give it models of its own, whatever the tier; others keep theirs", () => {
    const roles = { subagent: { models: ["lab/large"] } };
    const decision = decideAs("subagent", roles);
    expect(decision).toMatchObject({ candidates: ["lab/large"], by: "role", affinity: "fixed" });
    expect(decideAs("main", roles).by).toBe("scorer");
  });

  it("give it tiers of its own; the tiers that it does not name are the harness's", () => {
    const own = { background: { tiers: { standard: ["other/largest"] } } };
    expect(decideAs("auxiliary", own).candidates[0]).toBe("other/largest");
    const others = { background: { tiers: { simple: ["other/largest"] } } };
    expect(decideAs("auxiliary", others).candidates[0]).toBe("lab/medium");
  });

  it("give it a quality of its own", () => {
    const loss = { eco: "eco", quality: "quality" } as const;
    const [eco, quality] = [loss.eco, loss.quality].map(
      (value) => decideAs("main", { main: { quality: value } }).need,
    );
    expect(eco).toBe(decideAs("main", {}, { quality: "eco" }).need);
    expect(quality).toBe(decideAs("main", {}, { quality: "quality" }).need);
  });

  it("are passed over where none of the models is there", () => {
    const decision = decideAs("compaction", { compaction: { models: ["gone/model"] } });
    expect(decision).toMatchObject({ by: "compaction", need: "standard" });
    expect(decision.excluded.map(({ id }) => id)).toContain("gone/model");
  });
});

it("a conversation that was just compacted switches freely to the model of its tier", () => {
  const session = {
    model: "lab/medium",
    tier: "complex",
    lastUsed: 1000,
    cachedTokens: 100_000,
    inputTokens: 100_000,
    turns: 9,
  };
  const verdict = (compacted: Record<string, string>): string => {
    const said = headers({ ...claudeCode, ...compacted });
    const decision = decide(modelRequest([user("hello")]), { headers: said });
    return chooseModel({ decision, session, now: 2000, models: four }).verdict;
  };
  expect(verdict({})).toBe("stay");
  expect(verdict({ "x-claude-code-context-compacted": "manual" })).toBe("switch");
});
