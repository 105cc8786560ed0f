import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../src/core/request.ts";
import type { RoutingDecision } from "../../src/routing/contract/decision.ts";
import type { RoutingInput } from "../../src/routing/contract/input.ts";
import {
  assistant,
  call,
  claudeCode,
  decide,
  headers,
  instruction,
  modelRequest,
  result,
  text,
  tools,
  user,
} from "./kit.ts";

/** Words that are scored far above what a background task needs. */
const hardAsk =
  "Prove that the scheduler is free of deadlocks, refactor the parser and design a new storage engine in detail.";
const work = modelRequest([instruction("You are Claude Code."), user(hardAsk)], {
  tools: tools(20),
});

function said(given: Record<string, string>, more: Partial<RoutingInput> = {}): RoutingDecision {
  return decide(work, { headers: headers({ ...claudeCode, ...given }), ...more });
}

const codex = { "user-agent": "codex_exec/0.169.0 (Linux)", originator: "codex_exec" };
const turn = (metadata: object): Record<string, string> => ({
  ...codex,
  "x-codex-turn-metadata": JSON.stringify(metadata),
});

describe("what clients say a request is for", () => {
  it.each<[Record<string, string>, string]>([
    [{ "x-claude-code-request-class": "main" }, "main"],
    [{ "x-claude-code-request-class": "subagent" }, "subagent"],
    [{ "x-claude-code-request-class": "workflow" }, "subagent"],
    [{ "x-claude-code-request-class": "compaction" }, "compaction"],
    [{ "x-claude-code-request-class": "auxiliary" }, "background"],
    [{ "x-claude-code-compaction": "reactive" }, "compaction"],
    [{ "x-claude-code-agent-id": "a1" }, "subagent"],
    [{ "x-claude-code-request-class": "subagent", "x-claude-code-agent-type": "Plan" }, "plan"],
    [
      { "x-claude-code-request-class": "subagent", "x-claude-code-agent-type": "Explore" },
      "subagent",
    ],
    [{ "x-claude-1p-request-class": "summary-extraction" }, "background"],
    [{ "x-claude-1p-request-class": "blocking-subagent" }, "subagent"],
    [turn({ request_kind: "turn" }), "main"],
    [turn({ request_kind: "prewarm" }), "background"],
    [turn({ request_kind: "turn", compaction: { trigger: "auto" } }), "compaction"],
    [turn({ request_kind: "turn", thread_source: "subagent" }), "subagent"],
    [turn({ request_kind: "turn", parent_thread_id: "t0" }), "subagent"],
    [{ ...codex, "x-openai-subagent": "collab_spawn" }, "subagent"],
    [{ ...codex, "x-openai-subagent": "compact" }, "compaction"],
    [{ ...codex, "x-openai-subagent": "guardian" }, "safety"],
    [{ ...codex, "x-openai-memgen-request": "true" }, "background"],
    [{ "user-agent": "opencode/1.2.3", "x-parent-session-id": "ses_1" }, "subagent"],
  ])("%j is %s", (given, role) => {
    expect(said(given).role).toBe(role);
  });

  it.each<Record<string, string>>([
    { "x-claude-code-request-class": "safety" },
    { "x-claude-code-request-class": "constructor" },
    { "x-claude-code-request-class": "compaction, main" },
    { "x-claude-code-request-class": "x".repeat(100_000) },
    { "x-claude-code-compaction": "yes" },
    { "x-codex-turn-metadata": "{" },
    { "x-codex-turn-metadata": "[".repeat(10_000) },
    { "x-codex-turn-metadata": '{"request_kind":{"a":1}}' },
    { "x-codex-turn-metadata": `{"request_kind":"prewarm","a":"${"x".repeat(100_000)}"}` },
    { "x-openai-subagent": "toString" },
    { "x-claude-code-agent-id": "" },
  ])("a value that no client sends is as if nothing had been said", (given) => {
    const plain = said({});
    const decision = said(given);
    expect([decision.role, decision.tier, decision.by]).toEqual(["main", plain.tier, plain.by]);
  });

  it("a side request of an unknown kind gets no weak model", () => {
    expect(said({ "x-claude-code-request-class": "auxiliary" }).need).toBe("standard");
  });

  it("compaction, safety checks and background tasks are not scored by what they talk about", () => {
    for (const stated of ["compaction", "auxiliary"])
      expect(said({ "x-claude-code-request-class": stated }).by).not.toBe("scorer");
    expect(said({ ...codex, "x-openai-subagent": "guardian" }).need).toBe("standard");
  });

  it("compaction stays on the session's model; planning needs a capable one", () => {
    expect(said({ "x-claude-code-compaction": "auto" }).affinity).toBe("inherit");
    const planning = said({
      "x-claude-code-request-class": "subagent",
      "x-claude-code-agent-type": "Plan",
    });
    expect(["complex", "reasoning"]).toContain(planning.need);
  });

  it("an agent has a conversation of its own, by whatever id its session has", () => {
    const main = said({ "x-claude-code-session-id": "s" });
    const one = said({ "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a" });
    const two = said({ "x-claude-code-session-id": "s", "x-claude-code-agent-id": "b" });
    const again = said({ "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a" });
    expect(new Set([main, one, two].map(({ sessionKey }) => sessionKey)).size).toBe(3);
    expect(again.sessionKey).toBe(one.sessionKey);
    const thread = said({ ...codex, "session-id": "s", "thread-id": "t" });
    expect(thread.sessionKey).not.toBe(said({ ...codex, "session-id": "s" }).sessionKey);
    expect(said({ ...codex, "session-id": "s", "thread-id": "s" }).sessionKey).toBe(
      said({ ...codex, "session-id": "s" }).sessionKey,
    );
  });

  it("a conversation that was just compacted is cold", () => {
    expect(said({ "x-claude-code-context-compacted": "auto" }).compacted).toBe(true);
    expect(said({ "x-claude-code-context-compacted": "perhaps" }).compacted).toBe(false);
  });
});

const classifier: Partial<ModelRequest> = { model: "claude-sonnet-5", maxOutput: 64 };
const longSystem = `${"Judge the action. ".repeat(2000)}Begin with <block>yes</block> or <block>no</block>.`;
const output = (...names: string[]): Partial<ModelRequest> => ({
  output: {
    type: "schema",
    schema: { type: "OBJECT", properties: Object.fromEntries(names.map((name) => [name, {}])) },
  },
});
const gemini = headers({ "user-agent": "GeminiCLI/0.61.0/gemini-3.8-flash (linux; x64)" });

describe("what a request's form shows", () => {
  it.each<[string, ModelRequest, readonly [role: string, need: string]]>([
    [
      "the classifier's first question",
      modelRequest([instruction("Judge."), user(hardAsk)], { ...classifier, stop: ["</block>"] }),
      ["safety", "standard"],
    ],
    [
      "the classifier's second question",
      modelRequest([instruction(longSystem), user(hardAsk)], { ...classifier, maxOutput: 8192 }),
      ["safety", "standard"],
    ],
    [
      "a title",
      modelRequest([instruction("You are Claude Code."), user(hardAsk)], output("title")),
      ["background", "simple"],
    ],
    [
      "the question of Gemini CLI's router",
      modelRequest([user(hardAsk)], output("complexity_reasoning", "complexity_score")),
      ["background", "simple"],
    ],
    ["a quota probe", modelRequest([user("quota")], { maxOutput: 1 }), ["background", "simple"]],
    [
      "a judge that asks for one token",
      modelRequest([user(hardAsk)], { maxOutput: 1 }),
      ["main", "complex"],
    ],
  ])("%s", (_name, request, expected) => {
    const decision = decide(request, { headers: headers(claudeCode) });
    expect([decision.role, decision.need]).toEqual(expected);
  });

  it("a request without tools at the end of work with tools is compaction", () => {
    const worked = [user(hardAsk), assistant(call("c1")), user(result("c1"))];
    const asked = [...worked, assistant("done"), user("Summarize what happened.")];
    const given = { headers: headers(claudeCode) };
    expect(decide(modelRequest(asked), given).role).toBe("compaction");
    expect(decide(modelRequest(asked, { tools: tools(3) }), given).role).toBe("main");
    expect(decide(modelRequest(asked)).role).toBe("main");
  });

  it("a schema with more than a title, a stop sequence with tools and a long cap are ordinary work", () => {
    for (const more of [
      output("title", "body"),
      { stop: ["</block>"], tools: tools(1) },
      { maxOutput: 100 },
    ])
      expect(decide(modelRequest([instruction("Help."), user(hardAsk)], more)).role).toBe("main");
  });

  it("what is said goes before the form, the form before words", () => {
    const title = modelRequest([user(text("[SUGGESTION MODE: go on]"))], output("title"));
    const stated = { "x-claude-code-request-class": "main" };
    expect(decide(title, { headers: headers(stated) }).role).toBe("main");
    expect(decide(title).notes).toContain("by=title");
  });

  it("Gemini CLI's own defaults are no intent", () => {
    const given = { reasoning: { effort: "high", budget: 8192 } } as const;
    const asked = modelRequest([user("hello")], { ...given, tools: tools(16) });
    expect(decide(asked, { headers: gemini }).by).toBe("scorer");
  });
});
