import { describe, expect, it } from "vitest";
import type { Message, ModelRequest } from "../../src/core/request.ts";
import { chooseModel } from "../../src/routing/session/choose-model.ts";
import type { SessionState } from "../../src/workspace/contract/session-state.ts";
import {
  assistant,
  call,
  claudeCode,
  decide,
  four,
  headers,
  modelRequest,
  result,
  tierConfig,
  tools,
  user,
} from "./kit.ts";

const now = 1_000_000_000;
const asked = user("Make the parser handle nested comments.");

function session(model: string, more: Partial<SessionState> = {}): SessionState {
  return {
    model,
    tier: "standard",
    lastUsed: now - 60_000,
    cachedTokens: 40_000,
    inputTokens: 42_000,
    turns: 9,
    ...more,
  };
}

/** Steps of a tool loop: `f` failed, `s` always the same search, anything else went well. */
function steps(course: string, from = 0): Message[] {
  return [...course].flatMap((how, at) => {
    const id = `c${from + at}`;
    const input = how === "s" ? '{"pattern":"x"}' : `{"command":"make ${id}"}`;
    const output = how === "f" ? "Exit code 1" : how === "s" ? "No matches found" : "ok";
    const name = how === "s" ? "Grep" : "Bash";
    return [assistant(call(id, name, input)), user(result(id, output))];
  });
}

interface Given {
  readonly state?: SessionState | null;
  readonly quality?: "eco" | "balanced" | "quality";
  readonly affordable?: string[];
  readonly tiers?: Record<string, string[]>;
}

function choose(messages: Message[], given: Given = {}, more: Partial<ModelRequest> = {}) {
  const { state = session("lab/medium"), quality = "balanced", affordable } = given;
  const routing = { tiers: given.tiers ?? tierConfig.tiers, quality };
  const decision = decide(modelRequest(messages, { tools: tools(5), ...more }), {
    headers: headers(claudeCode),
    harness: { id: "h", routing },
  });
  const choice = chooseModel({
    decision,
    session: state,
    now,
    models: four,
    ...(affordable && { affordable }),
  });
  return { model: choice.candidates[0]?.id, why: choice.why, escalation: choice.escalation };
}

describe("failing work inside of a tool loop", () => {
  it.each([
    ["three failures, the last one among them", "ffof", "3 of 4 results failed"],
    ["the same call with the same result three times", "sos_s", "same call and result 3 times"],
  ])("goes one model up after %s", (_name, course, reason) => {
    const { model, why, escalation } = choose([asked, ...steps(course)]);
    expect(model).toBe("lab/large");
    expect(why).toBe(reason);
    expect(escalation).toEqual({ from: "lab/medium", to: "lab/large", reason });
  });

  const testRun = '{"command":"npm test"}';
  const testRuns = (...outputs: string[]): Message[] =>
    outputs.flatMap((output, at) => [
      assistant(call(`t${at}`, "Bash", testRun)),
      user(result(`t${at}`, `Exit code 1\n${output}`)),
      ...steps("o", 10 + at),
    ]);

  it("goes up when the same failure comes twice, whatever went well in between", () => {
    const again = [asked, ...testRuns("2 failed in 3.1s: a, b", "2 failed in 2.9s: a, b")];
    const { model, why } = choose(again.slice(0, -2));
    expect([model, why]).toEqual(["lab/large", "same failure 2 times"]);
  });

  it("gives work time that fails in another way than before, and one whose failure is over", () => {
    const better = [asked, ...testRuns("2 failed: a, b", "1 failed: b")];
    expect(choose(better.slice(0, -2)).model).toBe("lab/medium");
    expect(choose([asked, ...testRuns("1 failed: a", "1 failed: a")]).model).toBe("lab/medium");
  });

  it("knows an edit that misses its text again, however differently it was tried", () => {
    const edits = ["one", "two"].flatMap((text, at) => [
      assistant(call(`e${at}`, "Edit", JSON.stringify({ old_string: text }))),
      user(result(`e${at}`, `String to replace not found in file.\nString: ${text}`, true)),
    ]);
    expect(choose([asked, ...edits]).why).toBe("same failure 2 times");
  });

  it.each([
    ["two failures", "off"],
    ["three failures of which the last one is over", "fffo"],
    ["failures long ago", "fffoooooof"],
    ["waiting for something", "oooooo"],
  ])("stays after %s", (_name, course) => {
    expect(choose([asked, ...steps(course)])).toMatchObject({
      model: "lab/medium",
      why: "tool loop",
    });
  });

  it("counts from the model in use, not from the words of the ask", () => {
    const state = session("lab/large");
    expect(choose([asked, ...steps("fff")], { state }).model).toBe("other/largest");
  });

  it("passes over tiers of the same model", () => {
    const same = { ...tierConfig.tiers, simple: ["lab/medium"], complex: ["lab/medium"] };
    expect(choose([asked, ...steps("fff")], { tiers: same }).model).toBe("other/largest");
  });

  it("gives the stronger model time, and counts its own steps only", () => {
    const work = { raises: 1, raisedAt: 3, raisedTurn: 8 };
    const state = (turns: number) => session("lab/large", { turns, work });
    expect(choose([asked, ...steps("ffff")], { state: state(9) }).model).toBe("lab/large");
    expect(choose([asked, ...steps("ffffoo")], { state: state(12) }).model).toBe("lab/large");
    expect(choose([asked, ...steps("ffffff")], { state: state(12) }).model).toBe("other/largest");
  });

  it("ends at the strongest, at the budget, and at the bound of a session", () => {
    const failing = [asked, ...steps("fff")];
    expect(choose(failing, { state: session("other/largest") })).toMatchObject({
      model: "other/largest",
      escalation: undefined,
    });
    expect(choose(failing, { affordable: ["lab/small", "lab/medium"] }).model).toBe("lab/medium");
    const worn = session("lab/medium", { work: { raises: 16 } });
    expect(choose(failing, { state: worn }).model).toBe("lab/medium");
  });

  it("never where the conversation lies with its provider", () => {
    const failing = [asked, ...steps("fff")];
    expect(choose(failing, {}, { previousResponseId: "resp_1" }).model).toBe("lab/medium");
    expect(choose(failing, {}, { unsupported: ["input[]"] }).model).toBe("lab/medium");
  });

  it("goes up after answers that nobody can use", () => {
    const state = session("lab/medium", { work: { raises: 0, flaws: 2 } });
    expect(choose([asked, ...steps("o")], { state }).why).toBe("2 unusable answers in a row");
  });

  it.each([
    ["eco", "ofof", "lab/medium"],
    ["eco", "fff", "lab/large"],
    ["quality", "of", "lab/large"],
  ] as const)("%s has its own patience: %s", (quality, course, model) => {
    expect(choose([asked, ...steps(course)], { quality }).model).toBe(model);
  });

  it("goes up from the plan's own model where nothing is known of the conversation", () => {
    expect(choose([asked, ...steps("fff")], { state: null }).model).toBe("lab/large");
  });
});

describe("the next ask", () => {
  const done = [asked, ...steps("oo"), assistant("done")];

  it.each([
    ["It still fails.", "said to be wrong"],
    ["Das geht immer noch nicht.", "said to be wrong"],
    ["Make the parser handle nested comments.", "asked again"],
  ])("raises the model in use: %s", (text, reason) => {
    const { model, why } = choose([...done, user(text)]);
    expect([model, why]).toEqual(["lab/large", reason]);
  });

  it("raises eco no higher than complex; what fails raises it further", () => {
    const complaint = [...done, user("It still fails.")];
    expect(choose(complaint, { quality: "eco" }).model).toBe("lab/large");
    const state = session("lab/large");
    expect(choose(complaint, { quality: "eco", state }).model).toBe("lab/large");
    expect(choose(complaint, { state }).model).toBe("other/largest");
    const failing = [asked, ...steps("fff")];
    expect(choose(failing, { quality: "eco", state }).model).toBe("other/largest");
  });

  it("goes down again, unless the last step failed", () => {
    const state = session("other/largest", { lastUsed: now - 600_000 });
    const next = user("Bump the version.");
    expect(choose([...done, next], { state }).model).toBe("lab/small");
    const failing = [asked, ...steps("of"), assistant("done"), next];
    expect(choose(failing, { state })).toMatchObject({
      model: "other/largest",
      why: "still failing",
    });
  });

  it("takes the plan's model where that is stronger still", () => {
    const state = session("lab/small");
    const text = "It still fails, ultrathink about it.";
    expect(choose([...done, user(text)], { state }).model).toBe("other/largest");
  });
});
