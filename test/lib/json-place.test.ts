/** Where a JSON text is wrong, and where a path of it stands. */
import { describe, expect, it } from "vitest";
import { jsonFault, placeOfPath } from "../../src/lib/json-place.ts";

describe("a fault of a JSON text", () => {
  it.each([
    ["{}"],
    ["[]"],
    [' {"a": [1, -2.5e3, true, null, "x\\"y\\n"], "b": {"c": {}}} '],
    ["null"],
    ['"text"'],
    ["[[],[{}]]"],
  ])("is none in %s", (text) => {
    expect(jsonFault(text)).toBeUndefined();
  });

  it.each([
    ["", 1, 1],
    ['{"a": 1,\n}', 2, 1],
    ['{"a": 1\n "b": 2}', 2, 2],
    ["[1,\n 2", 2, 3],
    ['{\n"providers": [\n{"id": "x', 3, 8],
    ["model_list:\n  - name: x", 1, 1],
    ['{"a" 1}', 1, 6],
    ["{'a': 1}", 1, 2],
    ["[1]]", 1, 4],
    ["{} {}", 1, 4],
    ["[1}", 1, 3],
    ["[01]", 1, 2],
    [",", 1, 1],
    ['{"a": "x\ty"}', 1, 7],
    ["{1: 2}", 1, 2],
    ['"', 1, 1],
    ['"a\\', 1, 1],
    ['["a\\"]', 1, 2],
  ])("is found in %j", (text, line, column) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(jsonFault(text)).toMatchObject({ line, column });
  });

  it("is there exactly where the runtime finds one, in every beginning of a text", () => {
    const text = '{"a": [1, {"b": "c,]}"}, []], "d\\"": {"e": null}, "f": [{"g": -1}]}';
    for (let length = 0; length < text.length; length += 1)
      expect(jsonFault(text.slice(0, length)), text.slice(0, length)).toBeDefined();
    expect(jsonFault(text)).toBeUndefined();
  });

  it("is found in a long text of one value", () => {
    const long = `["${"x".repeat(2_000_000)}"]`;
    expect(jsonFault(long)).toBeUndefined();
    expect(jsonFault(`${long.slice(0, -1)}\n,}`)).toMatchObject({ line: 2, column: 2 });
    expect(jsonFault(`["${"\\n".repeat(1_000_000)}"]`)).toBeUndefined();
  });
});

describe("the place of a path", () => {
  const text = `{
  "providers": [
    { "id": "a" },
    { "id": "b",
      "headers": { "x, team": "1",
        "y": "2" } }
  ],
  "providers_after": 1
}`;

  it.each([
    [[], 1],
    [["providers"], 2],
    [["providers", 1], 4],
    [["providers", 1, "headers", "y"], 6],
    [["providers", 1, "headers", "x, team"], 5],
    [["providers_after"], 8],
    // What is missing is told by what it is missing in.
    [["providers", 0, "kind"], 3],
    [["providers", 9], 2],
    [["nothing"], 1],
  ])("%j is in line %d", (path, line) => {
    expect(placeOfPath(text, path).line).toBe(line);
  });
});
