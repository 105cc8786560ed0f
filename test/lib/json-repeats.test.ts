import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/lib/json.ts";
import { repeatParser } from "../../src/lib/json-repeats.ts";

const parser = (reusable = true): ReturnType<typeof repeatParser> =>
  repeatParser({ changing: new Set(["text", "more", "n"]), reusable: () => reusable });

/** Each text read by one parser, as a text of its own would be. */
function expectAsParsed(texts: readonly string[]): void {
  const parse = parser();
  for (const text of texts) expect(parse(text), text).toEqual(parseJson(text));
}

const event = (text: string, n: number | string = 1): string =>
  `{"id":"a","list":[{"n":${n},"text":${text},"end":null}],"same":"x"}`;

describe("texts that repeat each other are read as if each was parsed", () => {
  it.each([
    ["plain", ['"a"', '"b"', '"c d"', '""', '"e"']],
    [
      "escaped",
      ['"a"', '"b"', String.raw`"q\"uote"`, String.raw`"\\"`, String.raw`"\u00e9\n"`, '"é😀"'],
    ],
    ["with halves of characters", ['"a"', '"b"', String.raw`"\ud83d"`, '"\ud83d"', '"c"']],
    ["that are no strings", ['"a"', '"b"', "null", "3", '{"text":"b"}', '"c"']],
    ["that are no JSON", ['"a"', '"b"', '"\u0001"', String.raw`"\x"`, '"c', '"d"e"', '"f"']],
    ["that end in the middle", ['"a"', '"b"', String.raw`"c\"`, '"d"']],
  ])("%s", (_name, texts) => {
    expectAsParsed(texts.map((text) => event(text)));
  });

  it("with whole numbers that change, and others", () => {
    const numbers = [1, 2, 30, 0, "007", -5, 1.5, "1e3", "12345678901234567890", "9".repeat(15), 4];
    expectAsParsed(numbers.map((n) => event(`"${n}"`, n)));
  });

  it("with several members that change, and members by the same name", () => {
    expectAsParsed(
      ["a", "b", "c", "text", '"'].map((text) => {
        const json = JSON.stringify(text);
        return `{"text":${json},"more":${json},"text":${json},"inner":{"more":${json}}}`;
      }),
    );
  });

  it("when what stays the same changes", () => {
    expectAsParsed([
      event('"a"'),
      event('"b"'),
      event('"c"').replace('"x"', '"y"'),
      event('"d"').replace('"x"', '"y"'),
      `${event('"e"')} `,
      `${event('"f"')}}`,
      event('"g"').replace('"id":"a"', '"text":"g"'),
      event('"h"').replace('"id":"a"', '"text":"h"'),
      "[1]",
      "",
      event('"i"'),
    ]);
  });

  it("when other members change", () => {
    expectAsParsed(
      ["1", "2", "3"].map((id) => `{"id":"${id}","__proto__":"${id}","text":"t${id}"}`),
    );
  });
});

describe("an object is used again", () => {
  it("where nobody keeps it", () => {
    const parse = parser();
    const values = ['"a"', '"b"', '"c"', '"d"'].map((text) => parse(event(text)));
    expect(values[3]).toBe(values[2]);
  });

  it("only where nobody keeps it", () => {
    const parse = parser(false);
    const values = ['"a"', '"b"', '"c"', '"d"'].map((text) => parse(event(text)));
    expect(values).toEqual(['"a"', '"b"', '"c"', '"d"'].map((text) => parseJson(event(text))));
  });
});

it("a stream that never repeats itself costs a few attempts", () => {
  let asked = 0;
  const parse = repeatParser({
    changing: new Set(["text"]),
    reusable: () => {
      asked++;
      return false;
    },
  });
  for (let at = 0; at < 1000; at++) parse(`{"text":"${at}"}`);
  expect(asked).toBeLessThan(10);
});
