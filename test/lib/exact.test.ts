import { describe, expect, it } from "vitest";
import { losesDigits } from "../../src/lib/exact.ts";
import { parseJson } from "../../src/lib/json.ts";

const loses = (text: string): boolean => losesDigits(parseJson(text));

describe("a JSON value can have lost digits", () => {
  it.each([
    "9007199254740993",
    "-9007199254740993",
    '{"a":[{"b":12345678901234567890}]}',
    '{"__proto__":{"id":12345678901234567890}}',
    "[1e400]",
    "[[],{},null,99999999999999999999]",
  ])("when an integer in it is beyond the exact ones: %s", (text) => {
    expect(loses(text)).toBe(true);
  });

  it.each([
    "9007199254740991",
    "-9007199254740991",
    '"12345678901234567890"',
    '{"12345678901234567890":"12345678901234567890"}',
    "[0,-1,1.5,1e-300,true,null,{}]",
  ])("and not otherwise: %s", (text) => {
    expect(loses(text)).toBe(false);
  });

  it("is not looked for at any depth", () => {
    expect(loses(`${"[".repeat(100_000)}99999999999999999999${"]".repeat(100_000)}`)).toBe(false);
  });
});
