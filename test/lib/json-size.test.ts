import { describe, expect, it } from "vitest";
import { countValues } from "../../src/lib/json-size.ts";

describe("the values of a JSON text", () => {
  it.each([
    ["a bare value", "1", 1],
    ["objects in an array", "[{},{}]", 5],
    ["nested arrays", "[[[]]]", 4],
    ["members", '{"a":1,"b":"c"}', 3],
    ["what stands in strings does not count", String.raw`["[,{","\",,","\\",","]`, 5],
    ["a string without an end", '["a,,,,', 2],
  ])("%s", (_title, text, values) => {
    expect(countValues(text, 100)).toBe(values);
  });

  it("are counted up to the first that is too many", () => {
    expect(countValues("[".repeat(1000), 10)).toBe(11);
  });
});
