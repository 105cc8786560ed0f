/** What errors keep of the requests that they quote. */
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../../src/lib/json.ts";
import { everyRule, redactedError } from "../../src/redaction/redact.ts";

const story = 'Once upon a time, in a land far away, there lived a "tester".\nShe was happy.';
const schema = { type: "object", properties: { place: { type: "string" } } };
const request: JsonValue = {
  model: "lab/a-model-with-a-long-name",
  max_completion_tokens: 100,
  messages: [{ role: "user", content: [{ type: "text", text: story }] }],
  tools: [{ name: "t", parameters: schema }],
};

function kept(text: string, most = 500): string {
  return redactedError({ text, most, request, model: "lab/a-model-with-a-long-name" }, everyRule);
}

describe("an error", () => {
  it("keeps nothing of a text that it quotes, whole or in part, as it is or as JSON", () => {
    expect(kept(`too long: ${story}!`)).toBe("too long: [redacted]!");
    expect(kept(`bad: ${JSON.stringify(story)}`)).toBe('bad: "[redacted]"');
    const echo = kept(JSON.stringify(request), 5_000);
    for (const word of ["Once", "land", "tester", "happy"]) expect(echo).not.toContain(word);
  });

  it("is compared with lists and objects of any width", () => {
    const many = Array.from({ length: 300_000 }, () => 1);
    const wide: JsonValue = [many, Object.fromEntries(many.map((_, at) => [`m${at}`, 1])), story];
    const found = redactedError({ text: story, most: 500, request: wide, model: "m" }, everyRule);
    expect(found).toBe("[redacted]");
  });

  it.each([0, 1, 7, 11, 12, 30])("keeps nothing of a quotation from %i on", (from) => {
    for (let length = 24; from + length <= story.length; length++)
      expect(kept(`<${story.slice(from, from + length)}>`)).toBe("<[redacted]>");
  });

  it("keeps what helps: names of members and models, its own words", () => {
    for (const text of [
      "Unsupported parameter: 'max_completion_tokens' is not supported with this model.",
      "The model `lab/a-model-with-a-long-name` does not exist.",
      "messages.0.content: prompt is too long: 210000 tokens > 200000 maximum",
    ])
      expect(kept(text)).toBe(text);
  });

  it("of a request that is too long to be compared keeps its beginning only", () => {
    const long = { messages: ["a".repeat(5_000_000), story] };
    const text = `prompt is too long. ${"x".repeat(200)} ${story}`;
    const words = redactedError({ text, most: 500, request: long, model: "" }, everyRule);
    expect(words).toMatch(/^prompt is too long\. x{80}\[redacted\]$/);
  });

  it("with sequences of one hash in their thousands ends its search", () => {
    const message = `no: ${"xBBxxBBxBBxx".repeat(400)}`;
    const others = { messages: ["xAaxxAaxAaxx".repeat(80_000), "a".repeat(1_000_000)] };
    const words = redactedError(
      { text: message, most: 500, request: others, model: "" },
      everyRule,
    );
    expect(words).toMatch(/^no: [xB]{96}\[redacted\]$/);
  });

  it("is cut behind that", () => {
    const text = `${".".repeat(490)}${story}`;
    expect(kept(text)).toBe(`${".".repeat(490)}[redacted]`);
  });
});
