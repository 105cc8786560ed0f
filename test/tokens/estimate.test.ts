import { describe, expect, it } from "vitest";
import { countTokens, estimateRequest } from "../../src/tokens/estimate.ts";
import { estimateTokens } from "../../src/tokens/text-tokens.ts";
import type { JsonObject } from "../../src/lib/json.ts";
import { assistant, call, instruction, result, turn, user } from "../kit/neutral.ts";
import { png } from "../kit/headers.ts";

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

  it("gives data that tokenizers cut badly its due: never more than so many characters a token", () => {
    const bytes = Uint8Array.from(
      { length: 3000 },
      (_, n) => (n * 7919 + (n >> 3) * 104_729) % 251,
    );
    const base64 = btoa(String.fromCharCode(...bytes));
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const rows = [
      { text: base64, atMost: 1.9 },
      { text: hex, atMost: 2.2 },
      { text: JSON.stringify(bytes), atMost: 2.4 },
      { text: JSON.stringify({ name: "a", kind: { type: "string" }, on: true }), atMost: 3.4 },
      { text: "for (let i = 0; i < n; i++) { total += rows[i].price * 1.19; }", atMost: 3.2 },
      { text: "2024-05-01T12:33:44.123Z GET /v1/models 200 12ms\n", atMost: 2.8 },
      { text: "qzxvkjwplmrtbndfghscqzxvkjwplmrtbndfghsc", atMost: 4 },
      { text: "会议在早上举行，讨论了一周之前决定的事情。", atMost: 1.2 },
      { text: "회의는 아침에 열렸다", atMost: 1.5 },
      { text: "🙂🚀🎉", atMost: 1 },
      { text: "ที่ประชุมในตอนเช้า", atMost: 2 },
    ];
    for (const { text, atMost } of rows)
      expect(text.length / estimateTokens(text), text.slice(0, 40)).toBeLessThan(atMost);
  });

  it("takes a space before a number for a token, and a ruled line for a few", () => {
    expect(estimateTokens("1 2 3 4 5 6 7 8")).toBeGreaterThanOrEqual(13);
    expect(estimateTokens("-".repeat(80))).toBeLessThan(8);
    expect(estimateTokens("─".repeat(80))).toBeLessThan(24);
  });

  it("takes letters with accents for parts of words", () => {
    expect(estimateTokens("buổi sáng thảo luận")).toBeLessThan(9);
    expect(estimateTokens("überprüft")).toBeLessThan(estimateTokens("u b e r p r u f t"));
  });

  it("never has fewer tokens for a text that goes on, however it goes on", () => {
    const parts = [
      "a",
      "A",
      "9",
      " ",
      "\n",
      "(",
      '"',
      "é",
      "字",
      "🙂",
      "—",
      "я",
      "word",
      "42",
      "--",
      "\t",
    ];
    let text = "";
    let before = 0;
    for (let n = 0; n < 4000; n++) {
      text += parts[(n * n + (n >> 4)) % parts.length] ?? "";
      const now = estimateTokens(text);
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
  });

  it("never has fewer tokens for a longer text where texts are no longer weighed whole", () => {
    const dense = '{"a":[1,22,333]}'.repeat(12_000);
    const long = dense + prose.repeat(2500) + "字".repeat(100_000) + " ".repeat(200_000);
    let before = 0;
    for (let length = 120_000; length <= long.length; length += 3331) {
      const now = estimateTokens(long.slice(0, length));
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
  });

  it("finds dense stretches wherever they stand in a long text", () => {
    const data = "会议在早上举行".repeat(30_000);
    const filler = prose.repeat(2000);
    const whole = data.length + estimateTokens(prose.repeat(50)) * 40;
    for (const text of [data + filler, filler + data]) {
      expect(estimateTokens(text)).toBeGreaterThan(whole * 0.85);
      expect(estimateTokens(text)).toBeLessThan(whole * 1.15);
    }
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
    for (const one of richer) expect(estimateRequest(one)).toBeGreaterThan(estimateRequest(plain));
  });

  it("counts what is inside a result like what is outside", () => {
    const inside = turn({ messages: [assistant(call("c", "f")), user(result("c", image))] });
    const outside = turn({ messages: [assistant(call("c", "f")), user(result("c"), image)] });
    expect(estimateRequest(inside)).toBe(estimateRequest(outside));
  });

  it("depends on who reads it: Anthropic puts instructions of its own before tools", () => {
    const asked = turn({ tools: [tool] });
    expect(estimateRequest(asked, "messages") - estimateRequest(asked, "chat")).toBeGreaterThan(
      300,
    );
    expect(estimateRequest(plain, "messages")).toBeLessThan(20);
  });

  it("leaves out tools that wait to be loaded", () => {
    expect(estimateRequest(turn({ tools: [tool, { ...tool, name: "b", deferred: true }] }))).toBe(
      estimateRequest(turn({ tools: [tool] })),
    );
  });

  it("counts a deferred tool once something names it", () => {
    const deferred = turn({ tools: [tool, { ...tool, name: "b", deferred: true }] });
    const named = {
      ...deferred,
      messages: [user("hello", result("c", { kind: "reference", tool: "b" }))],
    };
    const other = {
      ...deferred,
      messages: [user("hello", result("c", { kind: "reference", tool: "c" }))],
    };
    expect(estimateRequest(named)).toBeGreaterThan(estimateRequest(other) + 10);
  });

  it("counts what a schema describes whole for every reader, and its structure at most as it stands", () => {
    const described = (description: string): ReturnType<typeof turn> =>
      turn({
        tools: [
          {
            ...tool,
            schema: { type: "object", properties: { a: { type: "string", description } } },
          },
        ],
      });
    for (const reader of ["chat", "responses", "messages", "gemini"] as const) {
      const more =
        estimateRequest(described(prose + prose), reader) - estimateRequest(described(""), reader);
      expect(more).toBeGreaterThanOrEqual(2 * estimateTokens(prose) - 4);
    }
    expect(estimateRequest(described("a"), "chat")).toBeLessThan(
      estimateRequest(described("a"), "messages"),
    );
  });

  it("survives a schema of any depth and any number of members", () => {
    let deep: JsonObject = { type: "string" };
    for (let n = 0; n < 200_000; n++) deep = { items: deep };
    const wide = { enum: Array.from({ length: 200_000 }, (_, n) => `v${n}`) };
    expect(estimateRequest(turn({ tools: [{ ...tool, schema: deep }] }))).toBeGreaterThan(100_000);
    expect(estimateRequest(turn({ tools: [{ ...tool, schema: wide }] }))).toBeGreaterThan(200_000);
  });

  it("counts sealed reasoning by its length, for its maker only", () => {
    const thought = (data: string): ReturnType<typeof turn> =>
      turn({
        messages: [
          user("hello"),
          assistant(
            {
              kind: "thinking",
              text: "",
              path: "input[]",
              state: { format: "responses", type: "encrypted_content", data },
            },
            call("c", "f"),
          ),
          user(result("c", "r")),
        ],
      });
    const [short, long] = [thought("A".repeat(1000)), thought("A".repeat(9000))];
    const more = estimateRequest(long, "responses") - estimateRequest(short, "responses");
    expect(more).toBeGreaterThan(8000 / 8);
    expect(more).toBeLessThan(8000 / 3);
    expect(estimateRequest(long, "messages")).toBe(estimateRequest(short, "messages"));
    const asked = { ...long, messages: [...long.messages, user("and now?")] };
    expect(estimateRequest(asked, "responses")).toBeLessThan(estimateRequest(long, "responses"));
  });

  it("counts what the reader's own blocks say, and their pictures and sealed parts not as words", () => {
    const own = (raw: JsonObject): ReturnType<typeof turn> =>
      turn({
        messages: [
          assistant({
            kind: "opaque",
            format: "responses",
            type: "x_call",
            raw,
            weight: "auxiliary",
            path: "input[]",
          }),
        ],
      });
    const isSet = own({ type: "x_call", action: { query: prose } });
    expect(estimateRequest(isSet, "responses")).toBeGreaterThan(estimateTokens(prose));
    expect(estimateRequest(isSet, "messages")).toBeLessThan(20);
    const draws = own({ type: "x_call", result: png(1024, 1024) + "A".repeat(2_000_000) });
    expect(estimateRequest(draws, "responses")).toBeLessThan(2000);
  });

  it("is the count that a client is told", () => {
    expect(countTokens(plain)).toBe(estimateRequest(plain));
    expect(Number.isInteger(countTokens(turn({ messages: [user(prose, image)] })))).toBe(true);
  });
});
