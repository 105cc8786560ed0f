/** Where the work on an ask begins, for agents and for other clients with tools. */
import { describe, expect, it } from "vitest";
import { tierRank } from "../../src/routing/contract/tier.ts";
import type { Message, Tool } from "../../src/core/request.ts";
import {
  assistant,
  call,
  claudeCode,
  codex,
  decide,
  headers,
  instruction,
  modelRequest,
  result,
  tierConfig,
  tools,
  user,
} from "./kit.ts";

const named = (...names: string[]): Tool[] =>
  names.map((name) => ({ kind: "function", name, path: "tools[]" }));
const talk: Message[] = [1, 2, 3].flatMap((n) => [
  user(`Make the ${["parser", "lexer", "printer"][n - 1]} handle nested comments.`),
  assistant(call(`c${n}`)),
  user(result(`c${n}`)),
  assistant("done"),
]);
const clients = {
  "Claude Code": claudeCode,
  Codex: codex,
  Cline: { "user-agent": "Cline/3.40.0" },
  Roo: { "x-title": "Roo Code" },
  "an unknown client": { "user-agent": "node" },
};
const rankOf = (messages: Message[], given: Record<string, string>, offered = tools(20)): number =>
  tierRank(decide(modelRequest(messages, { tools: offered }), { headers: headers(given) }).need);

describe.each(Object.entries(clients))("with 20 tools, for %s", (_name, given) => {
  it.each(["thanks", "hi", "ls", "run the tests", "commit this", "Danke!", "谢谢"])(
    "%s is little work, also after other asks",
    (ask) => {
      expect(rankOf([user(ask)], given)).toBeLessThanOrEqual(1);
      expect(rankOf([...talk, user(ask)], given)).toBeLessThanOrEqual(1);
    },
  );
});

describe("a client that is not known", () => {
  const work = "The login test fails on CI with a timeout, find out why and fix it.";
  const long = instruction("You help with software. ".repeat(600));

  it.each([
    ["by its tools", [instruction("You help with software. ".repeat(80))], named("bash", "edit")],
    ["by many tools and long instructions", [long], tools(12)],
  ])("is an agent %s: tools and history say nothing of the work", (_name, before, offered) => {
    expect(rankOf([...before, ...talk, user(work)], {}, offered)).toBe(1);
  });

  it("is none with other tools: a dialogue with a hard ask is complex", () => {
    const policy = instruction("You are a support agent of an airline. ".repeat(150));
    const offered = named(
      ..."get_user get_order list_flights book cancel change refund transfer pay".split(" "),
    );
    const hard =
      "I want to change the outbound flight to the cheapest one after noon, keep the return, move my bags, and get the difference back to my gift card; if that isn't allowed, cancel everything that can be refunded.";
    expect(rankOf([policy, ...talk, user(hard)], {}, offered)).toBeGreaterThanOrEqual(2);
  });
});

describe("an agent's work", () => {
  const hard =
    "Compare three strategies for sharding the events table and develop a migration plan without downtime.";

  it.each([
    ["eco", "standard"],
    ["balanced", "complex"],
    ["quality", "complex"],
  ] as const)("that is surely hard begins higher: %s", (quality, tier) => {
    const harness = { id: "h", routing: { ...tierConfig, quality } };
    const given = { headers: headers(claudeCode), harness };
    expect(decide(modelRequest([user(hard)]), given).need).toBe(tier);
  });

  const subagent = { ...claudeCode, "x-claude-code-request-class": "subagent" };

  const searcher = instruction("You are a file search specialist for Claude Code.");

  it.each([
    ["by its name", { ...subagent, "x-claude-code-agent-type": "Explore" }, { tools: tools(5) }],
    ["by its tools", subagent, { tools: named("Read", "Grep", "Glob", "Bash") }],
    ["by its instructions", claudeCode, { tools: tools(5), messages: [searcher, user(hard)] }],
  ])("that only looks for things begins lowest, known %s", (_name, given, more) => {
    const decision = decide(modelRequest([user(hard)], more), { headers: headers(given) });
    expect([decision.role, decision.need]).toEqual(["subagent", "simple"]);
  });

  it("that is delegated otherwise begins by its own ask", () => {
    const asked = modelRequest([user(hard)], { tools: named("Read", "Grep", "Edit") });
    expect(decide(asked, { headers: headers(subagent) }).need).toBe("complex");
  });
});

describe("a request for one token", () => {
  it.each([
    ["quota", "background"],
    ["hi", "background"],
    ["Is the answer above correct? Reply yes or no.", "main"],
    ["7 * 8 =", "main"],
  ])("%s is for %s", (ask, role) => {
    expect(decide(modelRequest([user(ask)], { maxOutput: 1 })).role).toBe(role);
  });

  it("that wants probabilities is no test of the connection", () => {
    const asked = modelRequest([user("hi")], { maxOutput: 1, sampling: { logprobs: true } });
    expect(decide(asked).role).toBe("main");
  });
});
