import { describe, expect, it } from "vitest";
import {
  assistant,
  claudeCode,
  decide,
  headers,
  instruction,
  modelRequest,
  tools,
  user,
} from "./kit.ts";

describe("background requests", () => {
  it.each([
    [
      "an instruction that asks for a title",
      modelRequest([
        instruction("Generate a concise, sentence-case title (3-7 words)."),
        user("Prove that the theorem holds and refactor the parser"),
      ]),
    ],
    [
      "a title generator",
      modelRequest([
        instruction("You are a title generator. You output ONLY a thread title."),
        user("Design a database"),
      ]),
    ],
    [
      "a topic check",
      modelRequest([
        instruction("Analyze if this message indicates a new conversation topic."),
        user("why does it crash?"),
      ]),
    ],
    ["a connection test", modelRequest([user("quota")], { maxOutput: 1 })],
  ])("%s is simple", (_name, asked) => {
    const decision = decide(asked, { headers: headers(claudeCode) });
    expect(decision.tier).toBe("simple");
    expect(decision.affinity).toBe("fixed");
  });

  it("a small model's name makes no side task of a request that offers tools", () => {
    const asked = modelRequest([user("fix the parser")], { tools: tools(15) });
    const decision = decide(asked, { requestedModel: "gemini-3.8-flash" });
    expect(decision).toMatchObject({ role: "main", tier: "simple" });
    const side = decide(modelRequest([user("hi")]), { requestedModel: "gemini-3.8-flash" });
    expect(side).toMatchObject({ role: "background", tier: "simple" });
  });

  it.each(["claude-haiku-4-5-20251001", "gpt-5.4-nano", "gpt-5-mini"])(
    "a request for %s is simple",
    (requestedModel) => {
      expect(
        decide(modelRequest([user("Design a database and explain it in detail")]), {
          requestedModel,
        }).tier,
      ).toBe("simple");
    },
  );

  it("minimax is not mini", () => {
    expect(
      decide(
        modelRequest([
          user(
            "Design a job queue, compare two storage engines and explain the trade-offs in detail.",
          ),
        ]),
        { requestedModel: "minimax-m2" },
      ).tier,
    ).toBe("complex");
  });

  it.each([
    [
      "Codex",
      modelRequest([
        user("fix it"),
        assistant("done"),
        user("You are performing a CONTEXT CHECKPOINT COMPACTION. Create a handoff summary."),
      ]),
    ],
    [
      "Claude Code",
      modelRequest(
        [
          user("fix it"),
          assistant("done"),
          user(
            "Your task is to create a detailed summary of the conversation so far, paying close attention.",
          ),
        ],
        { tools: tools(20) },
      ),
    ],
  ])("compaction of %s stays on the session's model", (_name, asked) => {
    const decision = decide(asked);
    expect(decision.by).toBe("compaction");
    expect(decision.affinity).toBe("inherit");
  });

  it("a background request does not share the conversation's session key", () => {
    const given = { headers: headers({ "x-gateway-session": "s1" }) };
    const side = decide(modelRequest([instruction("Generate a short title"), user("x")]), given);
    expect(side.sessionKey).not.toBe(decide(modelRequest([user("x")]), given).sessionKey);
  });
});
