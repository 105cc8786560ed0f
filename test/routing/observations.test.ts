import { describe, expect, it } from "vitest";
import type { Message } from "../../src/core/request.ts";
import type { Observation } from "../../src/workspace/contract/outcomes.ts";
import type { SessionState } from "../../src/workspace/contract/session-state.ts";
import { observe } from "../../src/workspace/rules/outcomes.ts";
import {
  observationsOf,
  observedSessionKey,
  type ObservedCall,
  type ObservedEnding,
} from "../../src/routing/learning/observations.ts";
import { areNearlySame } from "../../src/routing/request/same-ask.ts";
import {
  assistant,
  call,
  decide,
  headers,
  instruction,
  result,
  modelRequest,
  user,
} from "./kit.ts";

const before: SessionState = {
  model: "lab/small",
  tier: "simple",
  lastUsed: 0,
  cachedTokens: 0,
  inputTokens: 100,
  turns: 1,
};
const schema = { type: "object", required: ["path"] };
const offered = [{ kind: "function", name: "read", schema, path: "tools[]" } as const];
const fine: ObservedEnding = { kind: "answered", stop: "end", calls: [] };

interface Given {
  messages?: Message[];
  session?: SessionState | null;
  ending?: ObservedEnding;
  maxOutput?: number;
  tools?: [];
}

/** What an `auto` request shows: of its own tier, and of the one before. */
function seen({ messages = [user("hi")], session = null, ending = fine, ...more }: Given) {
  const asked = modelRequest(messages, { tools: [...offered], ...more });
  const decision = decide(asked);
  const found = observationsOf({
    decision,
    model: "lab/small",
    session,
    request: () => asked,
    ending,
  });
  const own = found.filter(({ what }) => what !== "rephrased");
  expect(own.every(({ tier }) => tier === decision.need)).toBe(true);
  return found.map(({ what }) => what);
}

const called = (input: string, more: Partial<ObservedCall> = {}): ObservedEnding => ({
  kind: "answered",
  stop: "tools",
  calls: [{ name: "read", input, ...more }],
});

describe("the end of a request", () => {
  it("counts as served", () => {
    expect(seen({})).toEqual(["served"]);
  });

  it("counts a failure of all candidates, and of a stream, as an error", () => {
    expect(seen({ ending: { kind: "failed" } })).toEqual(["served", "errors"]);
  });

  it("is unknown when the client left", () => {
    expect(seen({ ending: { kind: "unknown" } })).toEqual([]);
  });

  it.each(["length", "context_full"] as const)("counts a stop for %s as truncation", (stop) => {
    const ending: ObservedEnding = { kind: "answered", stop, calls: [] };
    expect(seen({ ending, maxOutput: 4000 })).toEqual(["served", "truncated"]);
    expect(seen({ ending })).toEqual(["served", "truncated"]);
  });

  it("does not count an answer that the client wanted short as truncated", () => {
    const ending: ObservedEnding = { kind: "answered", stop: "length", calls: [] };
    expect(seen({ ending, maxOutput: 16 })).toEqual(["served"]);
  });

  it("says nothing for background requests", () => {
    const messages = [instruction("Generate a short title"), user("x")];
    expect(seen({ messages, tools: [] })).toEqual([]);
  });
});

describe("a call of a tool is bad", () => {
  it.each([
    ["with text that is no JSON", `{"path": "a`],
    ["with an array", `["a"]`],
    ["with null", "null"],
    ["without a member that the schema requires", `{"file":"a"}`],
    ["without any input where the schema requires some", ""],
    ["with the member below another that is named __proto__", `{"__proto__":{"path":1}}`],
  ])("%s", (_name, input) => {
    expect(seen({ ending: called(input) })).toEqual(["served", "bad_calls"]);
  });

  it.each([
    ["what the schema requires is there", called(`{"path":"a","more":1}`)],
    ["it calls a tool without a schema", called("{}", { name: "other" })],
    ["a tool of that name in another namespace has the schema", called("{}", { namespace: "n" })],
    ["the input is too long to be read", called("x".repeat(100_000))],
  ])("but not when %s", (_name, ending) => {
    expect(seen({ ending })).toEqual(["served"]);
  });
});

describe("an ask that comes again", () => {
  const ask = "Fix the login bug in the settings page";
  const again = (second: string | Message, between: Message[] = [assistant("Done.")]) =>
    seen({
      messages: [user(ask), ...between, typeof second === "string" ? user(second) : second],
      session: before,
    }).includes("rephrased");

  it("counts for the tier of the answer before", () => {
    const asked = modelRequest([user(ask), assistant("Done."), user(`Please, ${ask}!`)]);
    const decision = { ...decide(asked), need: "complex" as const };
    const given = { decision, model: "lab/large", request: () => asked, ending: fine };
    expect(observationsOf({ ...given, session: before })).toEqual<Observation[]>([
      { tier: "simple", what: "rephrased" },
      { tier: "complex", what: "served" },
    ]);
  });

  it("may differ in order, case and marks, and have client markup around it", () => {
    expect(again("in the settings page: FIX the login bug!!")).toBe(true);
    expect(again(user("<system-reminder>Be kind.</system-reminder>", ask))).toBe(true);
  });

  it.each([
    ["another ask", "Now write tests for the parser and run them"],
    ["more work", `${ask}, then add tests for it and describe them in the changelog`],
    ["a word to go on", "continue"],
  ])("is not %s", (_name, second) => {
    expect(again(second)).toBe(false);
  });

  it("does not count after tools were called, nor inside their loop", () => {
    const worked = [assistant("Looking", call("1")), user(result("1")), assistant("Done.")];
    expect(again(ask, worked)).toBe(false);
    expect(again(user(result("1")), [assistant("Done."), user(ask), assistant(call("1"))])).toBe(
      false,
    );
  });

  it("does not count while it fails: clients send such a request once more", () => {
    const messages = [user(ask), assistant("Done."), user(ask)];
    const failed = seen({ messages, session: before, ending: { kind: "failed" } });
    expect(failed).toEqual(["served", "errors"]);
  });

  it("does not count when nothing answered in between", () => {
    expect(again(ask, [])).toBe(false);
  });

  it("does not count where nobody knows who answered, or a rule chose", () => {
    const messages = [user(ask), assistant("Done."), user(ask)];
    expect(seen({ messages })).toEqual(["served"]);
    expect(seen({ messages, session: { ...before, tier: "nightly" } })).toEqual(["served"]);
  });
});

describe("nearly the same words", () => {
  it.each([
    ["write me a poem about the old harbour", "please write me a poem about the old harbour"],
    ["請把這段話翻譯成英文好嗎", "請把這段話翻譯成英文"],
  ])("%s = %s", (one, other) => {
    expect(areNearlySame(one, other)).toBe(true);
  });

  it.each([
    ["what is the product of 17 and 23", "what is the product of 17 and 24"],
    ["translate the word cat into french", "translate the word moon into german"],
    ["go on please", "go on please"],
    ["", ""],
  ])("%s ≠ %s", (one, other) => {
    expect(areNearlySame(one, other)).toBe(false);
  });
});

describe("a model named by the client", () => {
  const direct = (session: SessionState | null, model = "lab/large") =>
    observationsOf({
      decision: undefined,
      model,
      session,
      request: () => modelRequest([user("hi")]),
      ending: fine,
    });

  it("counts against the tier that auto had chosen", () => {
    expect(direct(before)).toEqual([{ tier: "simple", what: "overridden" }]);
  });

  it("counts nothing without such an answer, or when it is the same model", () => {
    expect(direct(null)).toEqual([]);
    expect(direct({ ...before, tier: "direct" })).toEqual([]);
    expect(direct(before, before.model)).toEqual([]);
  });

  it("counts for the session that auto served; background requests belong to none", () => {
    const asked = modelRequest([
      instruction("Be brief."),
      user("fix it"),
      assistant("ok"),
      user("more"),
    ]);
    const input = { request: asked, headers: headers(), harness: { id: "h" } };
    expect(observedSessionKey(input)).toBe(decide(asked).sessionKey);
    const title = modelRequest([instruction("Generate a short title"), user("fix it")]);
    expect(observedSessionKey({ ...input, request: title })).toBeUndefined();
  });
});

describe("counts", () => {
  it("add up by tier and kind and leave the given ones alone", () => {
    const one = observe({}, { tier: "simple", what: "served" });
    const two = observe(one, { tier: "simple", what: "errors" });
    expect(observe(two, { tier: "complex", what: "served" })).toMatchObject({
      simple: { served: 1, errors: 1, truncated: 0 },
      complex: { served: 1, errors: 0 },
    });
    expect(one.simple?.errors).toBe(0);
  });
});
