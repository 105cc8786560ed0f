import { describe, expect, it } from "vitest";
import { readRequest as readChat } from "../../src/formats/chat/request/read-request.ts";
import { readRequest as readMessages } from "../../src/formats/messages/request/read-request.ts";
import { readRequest as readResponses } from "../../src/formats/responses/request/read-request.ts";
import type { JsonObject } from "../../src/lib/json.ts";
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

const trivial = "What is the capital of France?";
const hard = "Prove that every finite integral domain is a field. Give every lemma.";

const tierOf = (ask: string, client: Record<string, string> = {}) =>
  decide(modelRequest([user(ask)]), { headers: headers(client) }).tier;

describe("ultrathink", () => {
  const said = [
    `ultrathink ${trivial}`,
    `${trivial} Ultrathink.`,
    `Please (ultrathink): ${trivial}`,
    "> an older message\n\nultrathink about this",
    'Rename "x" to "y" and ultrathink about "z"',
    "Here is the code:\n```\nlet a;\n```\nultrathink",
    "it's late, but ultrathink, that's all",
    "if a < b then ultrathink > all",
  ];
  it.each(said)("counts where the human says it: %j", (ask) => {
    expect(tierOf(ask, claudeCode)).toBe("reasoning");
  });

  const quoted = [
    "Rename the variable in\n```js\nconst ultrathink = 1;\n```\nto x",
    "What does `ultrathink` do?",
    "What does `claude --ultrathink on` do?",
    'What does "ultrathink" mean?',
    "What does “ultrathink” mean?",
    "print('ultrathink')",
    "> ultrathink\n\nwho said this?",
    "<document>\nultrathink about it\n</document>\nWho wrote this?",
    "ultrathinking is a word",
  ];
  it.each(quoted)("counts for nothing where it is quoted: %j", (ask) => {
    expect(decide(modelRequest([user(ask)])).by).toBe("scorer");
  });
});

describe("plan mode", () => {
  const developer = (...texts: string[]) => ({
    role: "instruction" as const,
    blocks: texts.map((text) => ({ kind: "text" as const, text })),
  });
  const plan = "<collaboration_mode># Plan Mode (Conversational)\nYou work in phases.";
  const usual = "<collaboration_mode># Collaboration Mode: Default\nYou are now in it.";
  const by = (...messages: Parameters<typeof modelRequest>[0]) =>
    decide(modelRequest(messages), { headers: headers(codex) }).notes.join(" ");

  it("is read from what a client announces before the ask, in any part of its instructions", () => {
    const permissions = `<permissions instructions>${"x".repeat(1500)}`;
    expect(by(developer("You are Codex", permissions, plan), user(trivial))).toContain("plan mode");
    expect(by(developer(`You are Codex. ${"x".repeat(9000)}${plan}`), user(trivial))).toContain(
      "plan mode",
    );
  });

  it("holds until the client announces another mode", () => {
    const first = [developer(plan), user("hi"), user("and more")];
    expect(by(...first, user(trivial))).toContain("plan mode");
    expect(by(...first, developer(usual), user(trivial))).not.toContain("plan mode");
  });

  it("does not follow from a human's words beside client markup", () => {
    const ask = `<system-reminder>x</system-reminder>\nPlan mode is active. ${trivial}`;
    const { notes } = decide(modelRequest([instruction("You are Claude Code"), user(ask)]), {
      headers: headers(claudeCode),
    });
    expect(notes.join(" ")).not.toContain("plan mode");
  });
});

describe("effort in each format", () => {
  const asked = {
    none: [{ reasoning_effort: "none" }, { reasoning: { effort: "none" } }, off()],
    low: [{ reasoning_effort: "low" }, { reasoning: { effort: "low" } }, budget(1024)],
    high: [{ reasoning_effort: "high" }, { reasoning: { effort: "high" } }, budget(16_384)],
  } satisfies Record<string, [JsonObject, JsonObject, JsonObject]>;

  function off(): JsonObject {
    return { thinking: { type: "disabled" } };
  }
  function budget(tokens: number): JsonObject {
    return { thinking: { type: "enabled", budget_tokens: tokens } };
  }
  const tiersOf = (
    ask: string,
    [chat, responses, messages]: [JsonObject, JsonObject, JsonObject],
  ) => {
    const said = { messages: [{ role: "user", content: ask }] };
    return [
      readChat({ model: "auto", max_completion_tokens: 32_000, ...said, ...chat }),
      readResponses({ model: "auto", max_output_tokens: 32_000, input: ask, ...responses }),
      readMessages({ model: "auto", max_tokens: 32_000, ...said, ...messages }),
    ].map((read) => decide(read).tier);
  };

  it("caps and floors the same tiers", () => {
    expect(tiersOf(hard, asked.none)).toEqual(["standard", "standard", "standard"]);
    expect(tiersOf(hard, asked.low)).toEqual(["standard", "standard", "standard"]);
    expect(tiersOf(trivial, asked.high)).toEqual(["complex", "complex", "complex"]);
  });

  it("is no intent where a client switches its default thinking off", () => {
    const { tier } = decide(
      readMessages({
        model: "auto",
        max_tokens: 9,
        messages: [{ role: "user", content: hard }],
        ...off(),
      }),
      {
        headers: headers(claudeCode),
      },
    );
    expect(tier).toBe("reasoning");
  });
});

describe("one request in three formats", () => {
  it("is judged from the same estimate of its length, with tools, schemas and images", () => {
    const schema = { type: "object", properties: { path: { type: "string" } } };
    const url = "data:image/png;base64,iVBORw0KGgo=";
    const name = "read";
    const chat = readChat({
      model: "auto",
      tools: [{ type: "function", function: { name, parameters: schema } }],
      response_format: { type: "json_schema", json_schema: { name: "x", schema } },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "hi" },
            { type: "image_url", image_url: { url } },
          ],
        },
      ],
    });
    const responses = readResponses({
      model: "auto",
      tools: [{ type: "function", name, parameters: schema }],
      text: { format: { type: "json_schema", name: "x", schema } },
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "hi" },
            { type: "input_image", image_url: url },
          ],
        },
      ],
    });
    const messages = readMessages({
      model: "auto",
      max_tokens: 100,
      tools: [{ name, input_schema: schema }],
      output_config: { format: { type: "json_schema", schema } },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "hi" },
            {
              type: "image",
              source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
            },
          ],
        },
      ],
    });
    const { signals } = decide(chat);
    expect(decide(responses).signals).toEqual(signals);
    expect(decide(messages).signals).toEqual(signals);
  });
});

describe("a deviation from what the client always sends", () => {
  const easy = [user("rename the variable")];
  const plain = decide(modelRequest(easy, { tools: tools(20) }), {
    headers: headers(claudeCode),
  }).tier;

  it.each([
    ["adaptive thinking, effort high", { effort: "high", mode: "adaptive" as const }],
    ["the older budget", { budget: 31_999, mode: "budget" as const }],
  ])("Claude Code: %s changes nothing", (_name, reasoning) => {
    expect(
      decide(modelRequest(easy, { tools: tools(20), reasoning }), { headers: headers(claudeCode) })
        .tier,
    ).toBe(plain);
  });

  it.each([undefined, "medium"])("Codex: effort %s changes nothing", (effort) => {
    const without = decide(modelRequest(easy, { tools: tools(9) }), {
      headers: headers(codex),
    }).tier;
    expect(
      decide(
        modelRequest(easy, {
          tools: tools(9),
          reasoning: { ...(effort && { effort }), summary: "auto" },
        }),
        { headers: headers(codex) },
      ).tier,
    ).toBe(without);
  });

  it.each(["xhigh", "max"])("effort %s floors reasoning, whoever sends it", (effort) => {
    for (const given of [{}, claudeCode, codex])
      expect(
        decide(modelRequest(easy, { reasoning: { effort } }), { headers: headers(given) }).tier,
      ).toBe("reasoning");
  });

  it.each(["low", "minimal", "none"])("effort %s caps standard", (effort) => {
    expect(
      decide(
        modelRequest([user("Prove that every finite integral domain is a field.")], {
          reasoning: { effort },
        }),
      ).tier,
    ).toBe("standard");
  });

  it("a stated high effort of an unknown client floors complex", () => {
    expect(decide(modelRequest(easy, { reasoning: { effort: "high" } })).tier).toBe("complex");
  });

  it("a saved effort counts as the client's own", () => {
    expect(
      decide(modelRequest(easy), { harness: { id: "h", routing: tierConfig, effort: "max" } }).tier,
    ).toBe("reasoning");
    expect(
      decide(modelRequest(easy, { reasoning: { effort: "max" } }), {
        harness: { id: "h", routing: tierConfig, effort: "low" },
      }).tier,
    ).not.toBe("reasoning");
  });

  it("ultrathink counts only in the human's own words", () => {
    const under = (messages: Parameters<typeof modelRequest>[0]) =>
      decide(modelRequest(messages, { tools: tools(20) }), { headers: headers(claudeCode) }).tier;
    expect(under([user("ultrathink: rename the variable")])).toBe("reasoning");
    expect(
      under([
        user("<system-reminder>say ultrathink for more</system-reminder>", "rename the variable"),
      ]),
    ).toBe(plain);
    expect(
      under([user("rename the variable"), assistant(call("a")), user(result("a", "ultrathink"))]),
    ).toBe(plain);
    expect(under([user("rename the variable ultrathinker")])).toBe(plain);
  });

  it("plan mode floors complex until it is left, and only the client can say so", () => {
    const active =
      "<system-reminder>Plan mode is active. The user does not want you to execute yet.</system-reminder>";
    const left =
      "<system-reminder>## Exited Plan Mode\nYou have exited plan mode.</system-reminder>";
    const under = (
      messages: Parameters<typeof modelRequest>[0],
      given: Record<string, string> = claudeCode,
    ) => decide(modelRequest(messages, { tools: tools(20) }), { headers: headers(given) }).tier;
    expect(under([user(active, "rename the variable")])).toBe("complex");
    expect(
      under([
        user(active, "rename the variable"),
        assistant("ok"),
        user(left, "rename the variable"),
      ]),
    ).toBe(plain);
    expect(
      decide(modelRequest([user("Plan mode is active. rename the variable")]), {
        headers: headers(claudeCode),
      }).reason,
    ).not.toContain("plan mode");
  });
});
