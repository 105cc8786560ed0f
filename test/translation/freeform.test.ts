import { describe, expect, it } from "vitest";
import {
  freeformReader,
  freeformSchema,
  unwrapFreeform,
  wrapFreeform,
} from "../../src/translation/freeform.ts";
import { anyText } from "../kit/generate.ts";
import { random } from "../kit/random.ts";

function readInPieces(json: string, cut: (left: number) => number): string {
  const reader = freeformReader();
  let text = "";
  for (let at = 0; at < json.length;) {
    const size = cut(json.length - at);
    text += reader.feed(json.slice(at, at + size));
    at += size;
  }
  return text + reader.end();
}

describe("a freeform input as a function's arguments", () => {
  it("comes back as it was, whole and in any pieces", () => {
    for (let seed = 0; seed < 2000; seed++) {
      const rng = random(seed);
      const text = anyText(rng);
      const json = wrapFreeform(text);
      expect(unwrapFreeform(json)).toBe(text);
      expect(readInPieces(json, () => rng.int(1, 5))).toBe(text);
    }
  });

  it("is read with every escape and with white space round the members", () => {
    const json = '  { "input" :  "a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00z" } ';
    const meant = 'a"\\/\b\f\n\r\té😀z';
    expect(unwrapFreeform(json)).toBe(meant);
    for (const size of [1, 2, 3, 7]) expect(readInPieces(json, () => size)).toBe(meant);
  });

  it("tells its text while it arrives", () => {
    const reader = freeformReader();
    expect(reader.feed('{"input":"*** Begin')).toBe("*** Begin");
    expect(reader.feed(" Patch\\")).toBe(" Patch");
    expect(reader.feed("n+x")).toBe("\n+x");
    expect(reader.feed('"}')).toBe("");
    expect(reader.end()).toBe("");
  });

  it("never tells half of a surrogate pair", () => {
    const reader = freeformReader();
    expect(reader.feed('{"input":"x\\ud83d')).toBe("x");
    expect(reader.feed("\\ude00y")).toBe("😀y");
    expect(reader.feed("😀".slice(0, 1))).toBe("");
    expect(reader.feed("😀".slice(1))).toBe("😀");
  });

  it("of another shape is told whole at the end", () => {
    for (const json of ['{"patch":"x"}', '"x"', "x", '{"other":1,"input":"x"}']) {
      const reader = freeformReader();
      expect(reader.feed(json)).toBe("");
      expect(reader.end()).toBe("x");
    }
    expect(unwrapFreeform('{"a":1,"b":2}')).toBe('{"a":1,"b":2}');
    expect(unwrapFreeform("")).toBe("");
  });

  it("that breaks off keeps what came", () => {
    expect(readInPieces('{"input":"abc', () => 4)).toBe("abc");
  });

  it("is described with the grammar that it must follow", () => {
    const schema = JSON.stringify(
      freeformSchema({ type: "grammar", syntax: "lark", definition: "start: X" }),
    );
    expect(schema).toContain("start: X");
    expect(freeformSchema()).toMatchObject({ type: "object", required: ["input"] });
  });
});
