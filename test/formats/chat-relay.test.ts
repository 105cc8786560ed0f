import { describe, expect, it } from "vitest";
import { hideUsage } from "../../src/formats/chat/reply/hide-usage.ts";
import { chopped } from "../kit/chop.ts";
import { random } from "../kit/random.ts";

function filtered(...pieces: string[]): string {
  const filter = hideUsage();
  return pieces.map((piece) => filter.feed(piece)).join("") + filter.end();
}
const head = '"id":"c","object":"chat.completion.chunk"';
const content = '"choices":[{"index":0,"delta":{"content":"x"},"finish_reason":null}]';
const usage = '"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}';
const done = "data: [DONE]\n\n";

describe("usage that only the gateway asked for", () => {
  it("leaves a relayed stream as if it had not been asked for", () => {
    const plain = `: hi\n\ndata: {${head},${content}}\n\ndata: {${head},${content}}\n\n`;
    const asked = plain.replaceAll("}]}", '}],"usage":null}');
    expect(filtered(`${asked}data: {${head},"choices":[],${usage}}\n\n${done}`)).toBe(plain + done);
  });

  const nulls: [string, string, string][] = [
    ["first", `{"usage":null,${head}}`, `{${head}}`],
    ["first, with space", `{ "usage" : null , ${head}}`, `{ ${head}}`],
    ["between", `{${head},"usage": null,${content}}`, `{${head},${content}}`],
    ["last, with space", `{${head}, "usage": null }`, `{${head} }`],
    ["alone", `{"usage":null}`, `{}`],
  ];
  it.each(nulls)("is cut out where it stands %s", (_, before, after) => {
    expect(filtered(`data: ${before}\n\n`)).toBe(`data: ${after}\n\n`);
  });

  const untouched = [
    `{${head},"choices":[{"delta":{"content":"\\",\\"usage\\":null}"},"usage":null}]}`,
    `{${head},"x_groq":{"usage":null},${content}}`,
    `{${head},${content},${usage}}`,
    `{${head},"choices":[],"usage":{},"error":1}x`,
    `{${head},"choices":[]}`,
    `"usage"`,
    `{"a":"usage","b":null}`,
    `[{"usage":null}]`,
  ];
  it.each(untouched)("is not what stands in %s", (data) => {
    expect(filtered(`data: ${data}\n\n`)).toBe(`data: ${data}\n\n`);
  });

  it("is found beside any line ends, and in an event without its blank line", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const kept = `data: {${head},${content}}${end}${end}`;
      expect(
        filtered(`${kept}event: message${end}data: {"choices":[],${usage}}${end}${end}${kept}`),
      ).toBe(kept + kept);
    }
    expect(filtered(`data: {"choices":[],${usage}}`)).toBe("");
  });

  it("does not hold content back", () => {
    const filter = hideUsage();
    const event = `data: {${head},${content}}\n\n`;
    expect(filter.feed(event)).toBe(event);
    expect(filter.feed(event.replace('"id"', '"usage":null,"id"'))).toBe(event);
    expect(filter.feed("data: {")).toBe("");
    expect(filter.feed('"a":"\u2028"}\n\n: c\n')).toBe('data: {"a":"\u2028"}\n\n');
    expect(filter.end()).toBe(": c\n");
  });

  it("is taken out the same however the bytes are cut", () => {
    const text = [
      `data: {${head},${content},"usage":null}\r\n\r\n`,
      `: comment 東京 "usage"\n\n`,
      `event: x\ndata: {"a":"\u2028é","usage":null}\n\n`,
      `data: {"choices":[],${usage},"b":"😀"}\r\r`,
      `data: {"choices":[],\ndata: ${usage}}\n\n`,
      done,
    ].join("");
    const expected = filtered(text);
    expect(expected).not.toContain("prompt_tokens");
    expect(expected).toContain(': comment 東京 "usage"\n\n');
    const bytes = new TextEncoder().encode(text);
    for (let seed = 0; seed < 3000; seed++)
      expect(filtered(...chopped(bytes, random(seed)))).toBe(expected);
  });
});
