import { describe, expect, it, vi } from "vitest";
import type { JsonObject } from "../../src/lib/json.ts";
import { clientFormats } from "../../src/formats/index.ts";
import { estimateRequest } from "../../src/tokens/estimate.ts";
import { TextCounter } from "../../src/tokens/text-counter.ts";
import { textTokens } from "../../src/tokens/text-tokens.ts";

const kinds = [
  "The quick brown fox jumps over the lazy dog, and nobody minds. ",
  "export const a = (b: number): string => `${b * 2}`; // 0x1f\n",
  "Zażółć gęślą jaźń. 日本語のテキストもあります。",
  '{"id":"c2ln9a8f","values":[12,34,56.7]}',
];

/** Texts of about a kilobyte, each of one kind. */
function texts(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const kind = kinds[at % kinds.length] ?? "";
    return kind.repeat(Math.ceil(1000 / kind.length));
  });
}

const countAll = (all: readonly string[]): number => {
  const counter = new TextCounter();
  return all.reduce((sum, text) => sum + counter.count(text), 0);
};

/** Characters that are looked at meanwhile. */
function charactersRead(work: () => void): number {
  const read = vi.spyOn(String.prototype, "charCodeAt");
  work();
  const { length } = read.mock.calls;
  read.mockRestore();
  return length;
}

describe("the texts of a request", () => {
  it("are counted whole while they are few", () => {
    const few = texts(100);
    const whole = few.reduce((sum, text) => sum + textTokens(text), 0);
    expect(countAll(few)).toBeCloseTo(whole, 6);
  });

  it("are weighed by parts of them where they are many, and come to about as much", () => {
    const many = texts(4000);
    const whole = many.reduce((sum, text) => sum + textTokens(text), 0);
    expect(countAll(many) / whole).toBeGreaterThan(0.85);
    expect(countAll(many) / whole).toBeLessThan(1.15);
  });

  it("never come to less when more follow", () => {
    const counter = new TextCounter();
    for (const text of texts(1000)) expect(counter.count(text)).toBeGreaterThan(0);
    expect(counter.count("")).toBe(0);
  });

  it("may all be short", () => {
    const short = Array.from({ length: 400_000 }, () => "ok, ");
    const counted = countAll(short);
    const whole = countAll(["ok, ".repeat(400_000)]);
    expect(counted / whole).toBeGreaterThan(0.9);
    expect(counted / whole).toBeLessThan(1.5);
  });
});

describe("the estimate of a long request", () => {
  const requestOf = (count: number): ReturnType<typeof clientFormats.chat.readRequest> => {
    const messages: JsonObject[] = texts(count).map((content, at) => ({
      role: at % 2 === 0 ? "user" : "assistant",
      content,
    }));
    return clientFormats.chat.readRequest({ model: "m", messages });
  };

  it("reads little more of four megabytes than of one", () => {
    const [one, four] = [requestOf(1000), requestOf(4000)].map((request) =>
      charactersRead(() => void estimateRequest(request)),
    );
    expect(four).toBeGreaterThan(0);
    expect(four).toBeLessThan(300_000);
    expect(four).toBeLessThan((one ?? 0) * 2.5);
  });
});
