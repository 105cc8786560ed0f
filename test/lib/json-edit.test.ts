/** A member changed in the text of an object means what the changed object means, to every reader. */
import { describe, expect, it } from "vitest";
import { editedJson } from "../../src/lib/json-edit.ts";
import type { JsonObject, JsonValue } from "../../src/lib/json.ts";
import { random, type Random } from "../kit/random.ts";

const filler = "words without end, ".repeat(200);

/** The text edited so that the object has these members; `null` in `members` takes one out. */
function edit(text: string, members: Readonly<Record<string, JsonValue | undefined>>) {
  const value = JSON.parse(text) as JsonObject;
  const wanted = { ...value, ...members };
  const edited = editedJson(text, value, wanted);
  if (edited !== undefined) expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify(wanted)));
  return edited;
}

describe("an edited text", () => {
  it("has the new value in place of the old one, and is else as it was written", () => {
    const text = `{ "model" : "a\\"b", "n": 1.0, "big": 12345678901234567890, "text": "\\u00fc ${filler}" }\n`;
    expect(edit(text, { model: "c" })).toBe(text.replace('"a\\"b"', '"c"'));
    expect(edit(text, { n: 2 })).toBe(text.replace("1.0", "2"));
    expect(edit(text, {})).toBe(text);
  });

  it("lacks what was taken out, wherever it stood", () => {
    const text = `{"a": 1, "b": "x,}" , "c": true,\n"text": "${filler}", "d": null}`;
    expect(edit(text, { a: undefined })).toBe(text.replace('"a": 1,', ""));
    expect(edit(text, { b: undefined })).toBe(text.replace('"b": "x,}" ,', ""));
    expect(edit(text, { c: undefined })).toBe(text.replace('"c": true,', ""));
    expect(edit(text, { d: undefined })).toBe(text.replace(', "d": null', ""));
    expect(edit(text, { a: undefined, c: 5, d: undefined, e: [1] })).toBeDefined();
  });

  it("has what was added at its end", () => {
    const text = `{"model": "a", "text": "${filler}" } `;
    expect(edit(text, { model: "b", 'with "quotes"': { n: 1 } })).toBe(
      `{"model": "b", "text": "${filler}" ,"with \\"quotes\\"":{"n":1}} `,
    );
  });

  it("is changed in the object itself, not in what lies inside of it", () => {
    const inside = `{"model": "inner", "text": "${filler}: \\"model\\": \\"no\\" "}`;
    for (const text of [
      `{"model": "a", "first": ${inside}, "second": [${inside}]}`,
      `{"first": ${inside}, "model": "a", "second": [${inside}]}`,
      `{"first": ${inside}, "second": [${inside}], "model": "a"}`,
    ])
      expect(edit(text, { model: "b" })).toBe(text.replace('"model": "a"', '"model": "b"'));
  });

  it("keeps objects that were made anew with the same content", () => {
    const text = `{"model": "a", "options": {"usage": true}, "text": "${filler}"}`;
    expect(edit(text, { options: { usage: true } })).toBe(text);
  });
});

describe("nothing is edited where readers may disagree", () => {
  const cases: Readonly<Record<string, string>> = {
    "a name that stands there twice": `{"model": "x", "model": "a", "text": "${filler}"}`,
    "another name that stands there twice": `{"model": "a", "n": 1, "n": 2, "text": "${filler}"}`,
    "a name twice inside of a member": `{"model": "a", "list": [{"b": 1, "b": 2}], "text": "${filler}"}`,
    "a name twice beside a text that begins with a colon": `{"model" : "a", "n": 1, "n": ":", "text": "${filler}"}`,
    "a name that is written with escapes": `{"mod\\u0065l": "a", "text": "${filler}"}`,
    "another name with escapes": `{"model": "a", "x\\"model": 1, "text": "${filler}"}`,
    "names that are numbers": `{"model": "a", "1": {"model": "x"}, "text": "${filler}"}`,
    "too many colons": `{"model": "a", "text": "${":".repeat(4000)}"}`,
    "nesting without end": `{"model": "a", "list": ${"[".repeat(2000)}${"]".repeat(2000)}, "text": "${filler}"}`,
  };
  it.each(Object.entries(cases))("%s", (_, text) => {
    expect(edit(text, { model: "b" })).toBeUndefined();
  });

  it("an object that is changed inside", () => {
    const text = `{"model": "a", "options": {"usage": false}, "text": "${filler}"}`;
    expect(edit(text, { options: { usage: true } })).toBeUndefined();
  });

  it("nothing is left before what is added", () => {
    expect(edit(`{"model": "${filler}"}`, { model: undefined, n: 1 })).toBeUndefined();
  });
});

const names = ["model", "n", "stream", "a b", "ü", "name:", "", "1"] as const;

function anyValue(rolled: Random, levels: number): JsonValue {
  const kind = rolled.int(0, levels === 0 ? 3 : 5);
  if (kind === 0) return rolled.pick([":", '":', "a\\", '"model":', "\n : ", "plain", ""]);
  if (kind === 1) return rolled.pick([0, 1, -1.5, 1e21]);
  if (kind === 2) return rolled.pick([true, false, null]);
  if (kind === 3) return filler;
  if (kind === 4) return rolled.list(0, 3, () => anyValue(rolled, levels - 1));
  return Object.fromEntries(
    rolled.list(0, 4, () => [rolled.pick(names), anyValue(rolled, levels - 1)]),
  );
}

it("whatever the object, what is edited is what was wanted", () => {
  let edited = 0;
  for (let seed = 0; seed < 3000; seed++) {
    const rolled = random(seed);
    const object = { text: filler, ...(anyValue(rolled, 3) as JsonObject), model: "a" };
    const text = JSON.stringify(object, null, rolled.pick([0, 1, "\t"]));
    const members = rolled.list(0, 3, () => [rolled.pick(names), rolled.pick([undefined, 7, "x"])]);
    if (edit(text, Object.fromEntries(members) as JsonObject) !== undefined) edited += 1;
  }
  // Else this would test nothing.
  expect(edited).toBeGreaterThan(500);
});
