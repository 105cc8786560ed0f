/** Limits of workspace, harness, key and person: one decision about all of them. */
import { limitStates } from "../../../src/workspace/rules/limit-states.ts";
import { describe, expect, it } from "vitest";
import { limitNodes } from "../../../src/policy/refusal.ts";
import { limitMessage } from "../../../src/policy/policy.ts";
import type { LimitEntry } from "../../../src/store/config.ts";
import type { BudgetRefusal } from "../../../src/policy/refusal.ts";
import { decide } from "../../../src/workspace/rules/admission.ts";
import { limitViews } from "../../../src/workspace/rules/limit-view.ts";
import { nodesOf } from "../../../src/workspace/rules/nodes.ts";
import {
  abandonRequest,
  crossed,
  reverseAbandoned,
  settleRequest,
  withPerson,
} from "../../../src/workspace/rules/settlement.ts";
import { dropKey } from "../../../src/workspace/rules/state.ts";
import { random, type Random } from "../../kit/random.ts";
import { seeds } from "../../kit/sample.ts";
import { asking, limitedWorkspace, type PathLimits, record, start, verdictOf } from "./kit.ts";

const path = { harness: "h", key: "key_h", person: "usr_1" };

function block(metric: LimitEntry["metric"], max: number): LimitEntry {
  return { metric, period: "day", max, action: "block" };
}

describe("limits on the path of a request", () => {
  it.each(limitNodes)(
    "hold at the %s, which the refusal names with the time of its reset",
    (node) => {
      const state = limitedWorkspace({ [node]: [block("requests", 2)] });
      const first = asking();
      expect(verdictOf(decide(state, first, start))).toBe("admitted");
      expect(verdictOf(decide(state, asking(), start))).toBe("admitted");
      const answer = decide(state, asking(), start);
      if (answer.verdict !== "refused") throw new Error(answer.verdict);
      expect(answer.refusal).toMatchObject({
        code: "M200",
        node,
        used: 2,
        limit: 2,
        resets_at: "2026-06-11T00:00:00.000Z",
      });
      // The code says that it is a budget's.
      const words = limitMessage(answer.refusal as BudgetRefusal, "agent");
      expect(words).toContain(`of this ${node === "harness" ? "agent" : node} is reached`);
      expect(words).toContain("2026-06-11T00:00:00Z");
      settleRequest(state, record(first.requestId), start);
      expect(verdictOf(decide(state, asking(), start))).toBe("M200");
    },
  );

  it("are held and freed all together", () => {
    const state = limitedWorkspace({});
    const request = asking();
    decide(state, request, start);
    expect([...state.leases.reserved.keys()]).toEqual(nodesOf(path));
    settleRequest(state, record(request.requestId, { cost: 0.5 }), start);
    expect(state.leases.reserved.size).toBe(0);
    expect(usedAt(state, "cost")).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  it("are booked for a lost request, and set right by its late settlement", () => {
    const state = limitedWorkspace({});
    const request = asking();
    decide(state, request, start);
    const lease = state.leases.byId.get(request.requestId);
    if (lease === undefined) throw new Error("no lease");
    const lost = abandonRequest(state, lease, start);
    expect(lost.path).toEqual(path);
    expect(usedAt(state, "tokens")).toEqual([20, 20, 20, 20]);
    const late = record(request.requestId, { input: 1, output: 2 });
    reverseAbandoned(state, lost, { record: late, now: start });
    settleRequest(state, { ...late, key_id: "key_h" }, start);
    expect(usedAt(state, "tokens")).toEqual([3, 3, 3, 3]);
    expect(usedAt(state, "requests")).toEqual([1, 1, 1, 1]);
  });

  it("that only notify are told of at every node, once they are exceeded", () => {
    const notify: LimitEntry = { ...block("tokens", 5), action: "notify" };
    const state = limitedWorkspace(Object.fromEntries(limitNodes.map((node) => [node, [notify]])));
    expect(crossed(limitStates(state, path, start))).toEqual([]);
    settleRequest(state, { ...record("r"), key_id: "key_h", person: "usr_1" }, start);
    expect(crossed(limitStates(state, path, start)).map(({ name, used }) => [name, used])).toEqual(
      nodesOf(path).map((name) => [name, 20]),
    );
  });

  it("of a key end with the key, those of its person go on", () => {
    const state = limitedWorkspace({ person: [block("requests", 5)] });
    const request = asking();
    decide(state, request, start);
    const key = state.keys.get("h");
    if (key !== undefined) dropKey(state, key);
    const { rows, path: booked } = settleRequest(state, record(request.requestId), start);
    expect(booked).toEqual({ harness: "h", person: "usr_1" });
    expect(withPerson(rows, booked).map(({ harness }) => harness)).toEqual([
      ...rows.map(() => "h"),
      ...rows.map(() => "person:usr_1"),
    ]);
    expect(limitViews(state, start)).toMatchObject([
      { node: "person", id: "usr_1", harness: "", used: 1 },
    ]);
  });
});

/** What is used at every node of the path, from the workspace down. */
function usedAt(
  state: ReturnType<typeof limitedWorkspace>,
  metric: LimitEntry["metric"],
): number[] {
  const limits = [block(metric, 1e9)];
  state.snapshot = { ...state.snapshot, config: { ...state.snapshot.config, limits } };
  state.harnesses.set("h", { id: "h", name: "H", limits });
  const key = state.keys.get("h");
  if (key !== undefined) state.keysById.set(key.id, { ...key, limits });
  state.people.set("usr_1", { limits, left: false });
  return limitViews(state, start).map(({ used }) => used);
}

const prices = { input: 3, output: 15 };

function anyLimits(rng: Random): PathLimits {
  const entries = limitNodes.map((node) => {
    const metric = rng.pick(["cost", "tokens", "requests"] as const);
    const max = {
      cost: rng.int(1, 300) / 100,
      tokens: rng.int(1, 60_000),
      requests: rng.int(1, 20),
    };
    return [node, rng.int(0, 3) === 0 ? [] : [block(metric, max[metric])]];
  });
  return Object.fromEntries(entries) as PathLimits;
}

it("whatever is limited where, ten requests at once never overrun a node", () => {
  for (const seed of seeds(1000)) {
    const rng = random(seed);
    const state = limitedWorkspace(anyLimits(rng));
    for (let race = 0; race < 4; race += 1) {
      const requests = Array.from({ length: 10 }, () => {
        const candidate = {
          id: "lab/one",
          input: rng.int(0, 5000),
          asked: rng.int(1, 4096),
          prices,
        };
        return { candidate, request: asking({ candidates: [candidate] }) };
      });
      const admitted = requests.filter(
        ({ request }) => decide(state, request, start).verdict === "admitted",
      );
      for (const { candidate, request } of admitted) {
        const output = rng.int(0, candidate.asked);
        const cost = (candidate.input * prices.input + output * prices.output) / 1e6;
        settleRequest(
          state,
          record(request.requestId, { input: candidate.input, output, cost }),
          start,
        );
      }
    }
    for (const { node, used, max } of limitViews(state, start))
      expect(used, `seed ${seed}, ${node}`).toBeLessThanOrEqual(max + 1e-9);
    expect(state.leases.reserved.size).toBe(0);
  }
});
