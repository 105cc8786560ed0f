import { describe, expect, it } from "vitest";
import type { SessionState } from "../../src/workspace/contract/session-state.ts";
import { chooseModel } from "../../src/routing/session/choose-model.ts";
import { stayOrSwitchCosts } from "../../src/routing/session/stay-or-switch.ts";
import { tokenRates, stayCost, switchCost } from "../../src/routing/models/conversation-cost.ts";
import type { Block, ModelRequest } from "../../src/core/request.ts";
import type { ListedModel } from "../../src/providers/connection/connection.ts";
import {
  assistant,
  call,
  decide,
  four,
  headers,
  instruction,
  large,
  largest,
  medium,
  model,
  priced,
  result,
  small,
  text,
  tierConfig,
  tools,
  modelRequest,
  user,
} from "./kit.ts";

const now = 1_000_000_000;
const minute = 60_000;
const easy = user("what's the weather like tomorrow");
const hard = user(
  "Design a job queue that survives restarts, compare two storage engines and explain the trade-offs in detail.",
);
const filler =
  "the handler reads a record from the queue and writes the result to the store before it acknowledges it ";
const long = assistant(filler.repeat(2500));

function state(of: ListedModel, more: Partial<SessionState> = {}): SessionState {
  return {
    model: of.id,
    tier: "complex",
    lastUsed: now - minute,
    cachedTokens: 48_000,
    inputTokens: 50_000,
    turns: 6,
    ...more,
  };
}

function choose(
  asked: ModelRequest,
  session: SessionState | null,
  more: { now?: number; affordable?: string[]; models?: ListedModel[] } = {},
) {
  const models = more.models ?? four;
  return chooseModel({
    decision: decide(asked, { models }),
    session,
    now: more.now ?? now,
    models,
    ...(more.affordable && { affordable: more.affordable }),
  });
}

const ids = (choice: { candidates: ListedModel[] }): string[] =>
  choice.candidates.map(({ id }) => id);

describe("session affinity", () => {
  it("a new conversation takes the plan's order", () => {
    expect(ids(choose(modelRequest([hard]), null))).toEqual([large.id]);
  });

  it("a model that is gone is no state", () => {
    expect(ids(choose(modelRequest([hard]), state(model("gone/gone"))))).toEqual([large.id]);
  });

  it("work that needs more goes up at once, however warm the cache", () => {
    const choice = choose(modelRequest([easy, long, hard]), state(small));
    expect(choice.verdict).toBe("switch");
    expect(ids(choice)[0]).toBe(large.id);
  });

  it("a warm prefix keeps the model when the work gets easy", () => {
    const choice = choose(modelRequest([hard, long, easy]), state(medium));
    expect(choice.verdict).toBe("stay");
    expect(ids(choice)[0]).toBe(medium.id);
    expect(choice.costs?.stay).toBeLessThanOrEqual(choice.costs?.switch ?? 0);
  });

  it("a model so cheap that it pays off at once is taken even from a warm prefix", () => {
    const steps = Array.from({ length: 9 }, (_, at) => [
      assistant(call(`c${at}`)),
      user(result(`c${at}`)),
    ]).flat();
    const worked = modelRequest([hard, ...steps, long, easy]);
    expect(choose(worked, state(largest)).verdict).toBe("switch");
  });

  it("a small prefix is not worth an expensive model", () => {
    const choice = choose(
      modelRequest([hard, assistant("done"), easy]),
      state(large, { cachedTokens: 200, inputTokens: 300 }),
    );
    expect(choice.verdict).toBe("switch");
    expect(ids(choice)[0]).toBe(small.id);
  });

  it("with a cold cache the cheapest model of the tier is taken", () => {
    const choice = choose(
      modelRequest([hard, long, easy]),
      state(large, { lastUsed: now - 6 * minute }),
    );
    expect(ids(choice)[0]).toBe(small.id);
  });

  it("a client that pays for an hour of cache is cold after an hour", () => {
    const cached = user({
      kind: "text",
      text: "what's the weather like tomorrow",
      cache: { ttl: "1h", path: "" },
    });
    const asked = modelRequest([hard, long, cached]);
    expect(choose(asked, state(medium, { lastUsed: now - 30 * minute })).verdict).toBe("stay");
    expect(choose(asked, state(medium, { lastUsed: now - 61 * minute })).verdict).toBe("switch");
  });
});

describe("a request that must stay on its model", () => {
  const loop = modelRequest([hard, assistant(call("a")), user(result("a"))], { tools: tools(3) });
  const easyLoop = modelRequest([easy, assistant(call("a")), user(result("a"))], {
    tools: tools(3),
  });

  it.each([
    ["upwards", loop, small],
    ["downwards", easyLoop, largest],
  ])("no switch inside a tool loop, %s", (_name, asked, standing) => {
    const choice = choose(asked, state(standing));
    expect(choice.verdict).toBe("stay");
    expect(ids(choice)[0]).toBe(standing.id);
  });

  it("not even when the loop took longer than the cache lives", () => {
    expect(ids(choose(loop, state(small, { lastUsed: now - 60 * minute })))[0]).toBe(small.id);
  });

  it.each([
    user("<system-reminder>The list of tasks is empty.</system-reminder>"),
    user("<environment_context>\n<cwd>/x</cwd>\n</environment_context>"),
    instruction("Mind the time."),
  ])("what a client puts after the results does not end the loop", (behind) => {
    const asked = modelRequest([easy, assistant(call("a")), user(result("a")), behind], {
      tools: tools(3),
      reasoning: { effort: "max" },
    });
    expect(ids(choose(asked, state(small)))[0]).toBe(small.id);
    const spoken = { ...asked, messages: [...asked.messages, user("go and prove it")] };
    expect(ids(choose(spoken, state(small)))[0]).toBe(largest.id);
  });

  const opaque = (type: string, format: "messages" | "responses"): Block => {
    const weight = "essential" as const;
    return { kind: "opaque", format, type, raw: {}, weight, path: "" };
  };

  it.each([
    assistant("let me look", opaque("server_tool_use", "messages")),
    user(opaque("mcp_approval_response", "responses")),
  ])("an answer that its provider paused continues there", (last) => {
    const asked = modelRequest([easy, last], { reasoning: { effort: "max" } });
    expect(ids(choose(asked, state(small)))[0]).toBe(small.id);
  });

  it("a conversation with item references stays with the provider that has them", () => {
    const asked = modelRequest([easy, hard], {
      unsupported: ["input[]"],
      reasoning: { effort: "max" },
    });
    const late = { lastUsed: now - 60 * minute };
    expect(ids(choose(asked, state(small, late)))[0]).toBe(small.id);
    const beside = [small, medium, large, model("lab/largest", priced(5, 25))];
    const tiers = { ...tierConfig.tiers, reasoning: ["lab/largest"] };
    const decision = decide(asked, { models: beside, harness: { id: "h", routing: { tiers } } });
    const choice = chooseModel({ decision, session: state(small, late), now, models: beside });
    expect(ids(choice)[0]).toBe("lab/largest");
  });

  it("text that comes with the results do not end the loop", () => {
    const asked = modelRequest(
      [easy, assistant(call("a")), user(result("a"), text("also prove the theorem"))],
      { tools: tools(3) },
    );
    expect(ids(choose(asked, state(small)))[0]).toBe(small.id);
  });

  it("a provider that stores the conversation keeps it", () => {
    const asked = modelRequest([hard], { previousResponseId: "resp_1" });
    expect(ids(choose(asked, state(small)))[0]).toBe(small.id);
  });

  it("reasoning that another provider cannot read is not given up to save money", () => {
    const thought = assistant(
      {
        kind: "thinking",
        text: "",
        path: "",
        state: { format: "messages", origin: "other", type: "signature", data: "x" },
      },
      "done",
    );
    const choice = choose(
      modelRequest([hard, thought, easy]),
      state(largest, { cachedTokens: 100, inputTokens: 200 }),
    );
    expect(choice.why).toBe("its reasoning");
    expect(ids(choice)[0]).toBe(largest.id);
  });

  it("compaction stays with the conversation's model", () => {
    const asked = modelRequest([
      hard,
      long,
      user("You are performing a CONTEXT CHECKPOINT COMPACTION. Summarise."),
    ]);
    expect(ids(choose(asked, state(largest)))[0]).toBe(largest.id);
  });

  it("a loop is left only by a model that cannot serve it", () => {
    const blind = model("lab/blind", { ...priced(1, 5), inputModalities: ["text"] });
    const seeing = model("lab/seeing", { ...priced(3, 15), inputModalities: ["text", "image"] });
    const routing = {
      tiers: {
        simple: ["lab/blind"],
        standard: ["lab/blind"],
        complex: ["lab/seeing"],
        reasoning: ["lab/seeing"],
      },
    };
    const image = {
      kind: "media",
      media: "image",
      source: { type: "url", url: "https://example.com/a.png" },
      path: "",
    } as const;
    const asked = modelRequest(
      [
        easy,
        assistant(call("a")),
        user({ kind: "result", id: "a", call: "function", blocks: [image], path: "" }),
      ],
      { tools: tools(1) },
    );
    const models = [blind, seeing];
    const decision = decide(asked, { models, harness: { id: "h", routing } });
    expect(ids(chooseModel({ decision, session: state(blind), now, models }))[0]).toBe(
      "lab/seeing",
    );
  });
});

describe("rules, fallbacks and budgets", () => {
  it("a header rule takes precedence over the session", () => {
    const routing = {
      ...tierConfig,
      headers: [{ name: "nightly", header: "x-job", value: "n", models: ["lab/small"] }],
    };
    const decision = decide(modelRequest([hard]), {
      headers: headers({ "x-job": "n" }),
      harness: { id: "h", routing },
    });
    expect(ids(chooseModel({ decision, session: state(largest), now, models: four }))).toEqual([
      small.id,
    ]);
  });

  it("candidates beyond the budget are left out, the conversation's model too", () => {
    const asked = modelRequest([hard, long, easy]);
    const choice = choose(asked, state(large), { affordable: [small.id, medium.id] });
    expect(ids(choice)).toEqual([small.id]);
  });

  it("the plan names the models on which a session may stay, so that they can be priced", () => {
    const { candidates, stayCandidates } = decide(modelRequest([easy]));
    expect([...candidates, ...stayCandidates].toSorted()).toEqual(
      four.map(({ id }) => id).toSorted(),
    );
  });

  it("a fallback is not the equal of its tier's primary, which is tried again", () => {
    const routing = { tiers: { ...tierConfig.tiers, reasoning: ["other/largest", "lab/large"] } };
    const decision = decide(
      modelRequest([user("Prove that a continuous image of a compact space is compact.")]),
      { harness: { id: "h", routing } },
    );
    expect(ids(chooseModel({ decision, session: state(large), now, models: four }))[0]).toBe(
      largest.id,
    );
  });

  it("without prices nothing is moved for money", () => {
    const free = [
      model("lab/small"),
      model("lab/medium"),
      model("lab/large"),
      model("other/largest"),
    ];
    expect(choose(modelRequest([hard, long, easy]), state(large), { models: free }).verdict).toBe(
      "stay",
    );
  });
});

describe("costs", () => {
  const currentRates = tokenRates(large);
  const targetRates = tokenRates(medium);
  if (!currentRates || !targetRates) throw new Error("both have prices");

  it("a switch writes the prefix once more than staying reads it", () => {
    const outlook = { cachedTokens: 100_000, newTokens: 1000, requests: 1 };
    expect(switchCost(targetRates, outlook) - stayCost(targetRates, outlook)).toBeCloseTo(
      100_000 * (1.25 - 0.1) * 1e-6,
      12,
    );
  });

  it("the longer the work goes on, the better a cheaper model looks", () => {
    const gain = (requestsPerAsk: number): number => {
      const costs = stayOrSwitchCosts({
        currentRates,
        targetRates,
        session: state(large),
        decision: { inputTokens: 50_000, requestsPerAsk, quality: "balanced" },
      });
      return costs.stay - costs.switch;
    };
    expect(gain(8)).toBeGreaterThan(gain(1));
  });

  it("eco goes down as if the work never needed the stronger model again", () => {
    const switching = (quality: "eco" | "balanced"): number =>
      stayOrSwitchCosts({
        currentRates,
        targetRates,
        session: state(large),
        decision: { inputTokens: 50_000, requestsPerAsk: 4, quality },
      }).switch;
    expect(switching("eco")).toBeLessThan(switching("balanced"));
  });

  it("the larger the prefix, the worse a switch looks", () => {
    const loss = (tokens: number): number => {
      const costs = stayOrSwitchCosts({
        currentRates,
        targetRates,
        session: state(large, { cachedTokens: tokens, inputTokens: tokens }),
        decision: { inputTokens: tokens, requestsPerAsk: 1, quality: "balanced" },
      });
      return costs.switch - costs.stay;
    };
    expect(loss(150_000)).toBeGreaterThan(loss(10_000));
  });
});

it("the reason says what was done", () => {
  expect(choose(modelRequest([hard, long, easy]), state(medium)).reason).toMatch(
    /^tier=simple; session=stay\(48k warm, stay \$/,
  );
});
