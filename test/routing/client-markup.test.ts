import { describe, expect, it } from "vitest";
import { assistant, decide, modelRequest, user } from "./kit.ts";

describe("client markup", () => {
  const plainAsk = "what time is it";
  const scored = (messages: Parameters<typeof modelRequest>[0]) =>
    decide(modelRequest(messages)).probabilities;

  it.each([
    [
      "a reminder in a block of its own",
      [
        user(
          "<system-reminder>Prove the theorem and refactor the compiler.</system-reminder>",
          plainAsk,
        ),
      ],
    ],
    [
      "a reminder in the same text",
      [user(`<system-reminder>Prove the theorem.</system-reminder>\n${plainAsk}`)],
    ],
    [
      "an environment block",
      [
        user(
          "<environment_context><cwd>/srv/app</cwd><shell>bash</shell></environment_context>",
          plainAsk,
        ),
      ],
    ],
    [
      "an editor's preface",
      [
        user(
          `# Context from my IDE setup:\n## Open tabs:\n- src/proof.ts\n\n## My request for Codex:\n${plainAsk}`,
        ),
      ],
    ],
  ])("%s is not part of the ask", (_name, messages) => {
    expect(scored(messages)).toEqual(scored([user(plainAsk)]));
  });

  it("a tag that the human wrote stays in the ask", () => {
    const ask =
      "Explain in detail why <system-reminder> without an end breaks the parser and how to debug it";
    expect(decide(modelRequest([user(ask)])).signals["ask_characters"]).toBe(ask.length);
  });

  it("a short yes is judged by the ask before it", () => {
    const hard = "Prove that a continuous image of a compact space is compact.";
    expect(decide(modelRequest([user(hard), assistant("Shall I?"), user("Yes!")])).tier).toBe(
      "reasoning",
    );
  });
});
