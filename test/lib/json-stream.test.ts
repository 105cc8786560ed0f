import { describe, expect, it } from "vitest";
import { exactly } from "../../src/lib/exact.ts";
import type { JsonValue } from "../../src/lib/json.ts";
import { jsonBeginning, jsonBytes } from "../../src/lib/json-stream.ts";

function written(value: JsonValue): string {
  const pieces: Buffer[] = [];
  for (const bytes of jsonBytes(value)) pieces.push(Buffer.from(bytes));
  return Buffer.concat(pieces).toString();
}

const long = 100_000;
const longInteger = '{"a":[12345678901234567890,1]}';
const values: { title: string; value: JsonValue }[] = [
  { title: "bare values", value: [null, true, false, 0, -1.5, 1e300, "", "a"] },
  { title: "empty things", value: { a: {}, b: [], c: { d: [[]] } } },
  { title: "members without a value", value: { a: undefined, b: 1, c: undefined } },
  { title: "names to escape", value: { 'a"b\n': 1, "\u2028": 2, __proto__x: 3 } },
  { title: "a long text", value: { a: "word ".repeat(long) } },
  { title: "a long text to escape", value: { a: 'x"\\\n\u0001\u007f'.repeat(long) } },
  { title: "characters of every width", value: ["aé€😀".repeat(long), "é", "😀"] },
  { title: "pairs on every cut", value: [`a${"😀".repeat(long)}`, "😀".repeat(long)] },
  {
    title: "lone surrogates",
    value: ["\ud83d".repeat(long), "\ude00\ud83d", `${"a".repeat(32767)}\ud83d`],
  },
  { title: "many small ones", value: Array.from({ length: long }, (_, at) => ({ at })) },
  { title: "exact integers", value: exactly({ a: [12345678901234567000, 1] }, longInteger) },
];

describe("JSON as bytes", () => {
  it.each(values)("is what JSON.stringify writes: $title", ({ value }) => {
    const text = JSON.stringify(value);
    expect(written(value) === text).toBe(true);
  });

  it.each(values)("begins as JSON.stringify does: $title", ({ value }) => {
    const text = JSON.stringify(value);
    for (const most of [0, 1, 100, 40_000, Infinity])
      expect(jsonBeginning(value, most) === text.slice(0, most)).toBe(true);
  });

  it("is written no further than its beginning needs", () => {
    let read = 0;
    const items = Array.from({ length: 1000 }, () => "word ".repeat(1000));
    const value = new Proxy(items, {
      get(target, name, receiver): unknown {
        if (/^\d+$/.test(String(name))) read += 1;
        return Reflect.get(target, name, receiver);
      },
    });
    expect(jsonBeginning(value, 40_000)).toHaveLength(40_000);
    expect(read).toBeLessThan(100);
  });

  it("holds no more than a piece of a long text at a time", () => {
    let longest = 0;
    for (const { length } of jsonBytes({ a: "€".repeat(50 * long) }))
      longest = Math.max(longest, length);
    expect(longest).toBeLessThan(256 * 1024);
  });
});
