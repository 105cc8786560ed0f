import { describe, expect, it } from "vitest";
import { countTokens, estimateTokens, estimateTurn } from "../../src/core/tokens.ts";
import { assistant, call, instruction, result, turn, user } from "../kit/neutral.ts";

/** Tokens a character. */
const rate = (text: string): number => estimateTokens(text) / text.length;

const prose =
  "The committee met in the morning to discuss what had been decided a week before, and nobody could say who had " +
  "taken the notes. After some time the oldest member remembered that they were kept in the library. ";

describe("the estimate of a text", () => {
  it("is nothing for nothing and something for anything", () => {
    expect(estimateTokens("")).toBe(0);
    for (const text of ["a", "7", "é", "好", "🙂", "\n", "{"]) {
      expect(estimateTokens(text)).toBeGreaterThan(0);
    }
  });

  it("counts a token for four to five and a half letters of English", () => {
    expect(rate(prose)).toBeGreaterThan(1 / 5.5);
    expect(rate(prose)).toBeLessThan(1 / 4);
  });

  it("counts more for code, JSON and digits than for prose", () => {
    const json = JSON.stringify({ id: 48_213, tags: ["a", "b"], open: true, ratio: 0.25 });
    expect(rate(json)).toBeGreaterThan(rate(prose) * 1.3);
    expect(rate("if (a[i] !== b[j]) { n += 2; }")).toBeGreaterThan(rate(prose) * 1.3);
    expect(rate("3141592653589793")).toBeGreaterThan(0.3);
  });

  it("counts about one a letter for Chinese and Japanese, and less for alphabets", () => {
    expect(rate("会议在早上举行讨论了一周之前决定的事情")).toBeCloseTo(1, 1);
    expect(rate("委員会は朝に集まりました")).toBeCloseTo(1, 1);
    const russian = rate("Комитет собрался утром чтобы обсудить решение");
    expect(russian).toBeGreaterThan(rate(prose));
    expect(russian).toBeLessThan(0.6);
  });

  it("does not take a page of blanks for words", () => {
    expect(estimateTokens(" ".repeat(4000))).toBeLessThan(200);
  });

  it("of a long text follows from its windows: the same mixture, the same rate", () => {
    const long = prose.repeat(10_000);
    expect(long.length).toBeGreaterThan(1_000_000);
    expect(rate(long)).toBeCloseTo(rate(prose.repeat(10)), 2);
  });

  it("grows with every part that is added", () => {
    for (const part of [prose, "会议", "{}[]();", "1234567", "\n\nx", "Ελληνικά"])
      expect(estimateTokens(prose + part)).toBeGreaterThan(estimateTokens(prose));
  });
});

describe("the estimate of a request", () => {
  const image = {
    kind: "media",
    media: "image",
    source: { type: "url", url: "https://example.com/a.png" },
    path: "messages[].content[]",
  } as const;
  const plain = turn({ messages: [user("hello")] });
  const tool = {
    kind: "function",
    name: "get_weather",
    description: "Tells the weather of a city.",
    schema: { type: "object", properties: { city: { type: "string" } } },
    path: "tools[]",
  } as const;

  it("counts instructions, tools, calls, results and images", () => {
    const richer = [
      turn({ messages: [instruction(prose), user("hello")] }),
      turn({ tools: [tool] }),
      turn({
        messages: [user("hello"), assistant(call("c", "f", { a: 1 })), user(result("c", "r"))],
      }),
      turn({ messages: [user("hello", image)] }),
      turn({ output: { type: "schema", schema: tool.schema } }),
    ];
    for (const one of richer) expect(estimateTurn(one)).toBeGreaterThan(estimateTurn(plain));
  });

  it("counts what is inside a result like what is outside", () => {
    const inside = turn({ messages: [assistant(call("c", "f")), user(result("c", image))] });
    const outside = turn({ messages: [assistant(call("c", "f")), user(result("c"), image)] });
    expect(estimateTurn(inside)).toBe(estimateTurn(outside));
  });

  it("depends on who reads it: Anthropic puts instructions of its own before tools", () => {
    const asked = turn({ tools: [tool] });
    expect(estimateTurn(asked, "messages") - estimateTurn(asked, "chat")).toBeGreaterThan(300);
    expect(estimateTurn(plain, "messages")).toBeLessThan(20);
  });

  it("leaves out tools that wait to be loaded", () => {
    expect(estimateTurn(turn({ tools: [tool, { ...tool, name: "b", deferred: true }] }))).toBe(
      estimateTurn(turn({ tools: [tool] })),
    );
  });

  it("is the count that a client is told", () => {
    expect(countTokens(plain)).toBe(estimateTurn(plain));
    expect(Number.isInteger(countTokens(turn({ messages: [user(prose, image)] })))).toBe(true);
  });
});
