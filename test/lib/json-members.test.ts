import { describe, expect, it } from "vitest";
import { jsonMembers } from "../../src/lib/json-members.ts";

const objects = [
  "{}",
  " { } \n",
  '{"a":1,"b":"x\\"}","c":[1,{"d":"]"}],"e":null,"f":-1.5e3,"g":true,"h":{"a":{}}}',
  '{"a":1,"a":2,"\\u0062":"\\\\","":"","__proto__":{"x":1}}',
  '{ "a" : [ 1 , 2 ] , "b" : false }',
  '{"long":12345678901234567890}',
];

describe("the members of an object's text", () => {
  it.each(objects)("of %s are those that JSON.parse finds", (text) => {
    const members = jsonMembers(text);
    const parsed = [...(members ?? [])].map(([name, value]) => [name, JSON.parse(value)]);
    expect(parsed).toEqual(Object.entries(JSON.parse(text) as object));
  });

  it("are as they were written", () => {
    expect(jsonMembers('{"n":12345678901234567890,"s": "\\u00fc" }')).toEqual(
      new Map([
        ["n", "12345678901234567890"],
        ["s", '"\\u00fc"'],
      ]),
    );
  });

  const others = [
    "",
    "[]",
    "null",
    "{",
    '{"a"',
    '{"a":',
    '{"a":}',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{"a":1}}',
    '{"a":1} x',
    '{"a":"x}',
    '{"a":[1}',
    "{a:1}",
    '{"a":01}',
    '{"a":1 "b":2}',
    '{"\\x":1}',
  ];
  it.each(others)("are none in %s", (text) => {
    expect(jsonMembers(text)).toBeUndefined();
  });
});
