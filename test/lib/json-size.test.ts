import { describe, expect, it } from "vitest";
import { jsonSize, type JsonBounds } from "../../src/lib/json-size.ts";

const most: JsonBounds = { depth: 4, values: 100, names: 40, members: 5 };

describe("the values of a JSON text", () => {
  it.each([
    ["a bare value", "1", 1],
    ["objects in an array", "[{},{}]", 5],
    ["nested arrays", "[[[]]]", 4],
    ["members", '{"a":1,"b":"c"}', 3],
    ["what stands in strings does not count", String.raw`["[,{","\",,","\\",","]`, 5],
    ["a string without an end", '["a,,,,', 2],
  ])("%s", (_title, text, values) => {
    expect(jsonSize(text, most)).toEqual({ values });
  });

  it("are counted up to the first that is too many", () => {
    expect(jsonSize(`{"a":1,"b":[${"1,".repeat(1000)}1]}`, most)).toEqual({
      values: 101,
      over: { bound: "values", member: "b" },
    });
  });
});

describe("the depth of a JSON text", () => {
  const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

  it("is that of its deepest value, wherever it stands", () => {
    expect(jsonSize(`[${nested(3)},${nested(3)}]`, most).over).toBeUndefined();
    expect(jsonSize(`{"a":${nested(3)},"b":${nested(4)}}`, most).over).toEqual({
      bound: "depth",
      member: "b",
    });
    expect(jsonSize(nested(5), most).over).toEqual({ bound: "depth", member: undefined });
  });

  it("is not that of brackets in strings, nor lowered by brackets that nothing opened", () => {
    expect(jsonSize(JSON.stringify({ a: "[[[[[[", b: '\\"[[[[[' }), most).over).toBeUndefined();
    expect(jsonSize(`]]]]]]${nested(5)}`, most).over?.bound).toBe("depth");
  });
});

describe("the members of an object", () => {
  const object = (count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `"${at}":1`).join(",")}}`;

  it("are counted for each, and items of arrays are none", () => {
    expect(jsonSize(`[${object(5)},${object(5)},1,2,3,4]`, most).over).toBeUndefined();
    expect(jsonSize(`[${Array(6).fill(object(5)).join(",")}]`, most).over).toBeUndefined();
    expect(jsonSize(`{"a":[${Array(7).fill(object(5)).join(",")}]}`, most).over).toEqual({
      bound: "names",
      member: "a",
    });
    expect(jsonSize(`{"a":[${object(5)},{"b":${object(6)}}]}`, most).over).toEqual({
      bound: "members",
      member: "a",
    });
  });
});
