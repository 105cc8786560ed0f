/** Forms and JSON members of hostile clients and providers: refused or read, never for longer than their size. */
import { describe, expect, it } from "vitest";
import { topMembers, withValue } from "../../src/lib/json-member.ts";
import { boundaryOf, NotMultipart, readForm, writeForm } from "../../src/lib/multipart.ts";
import { fieldsOf } from "../../src/operations/fields.ts";
import { steepGrowth } from "./growth.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);
const part = (head: string, value: string): string => `--b\r\n${head}\r\n\r\n${value}\r\n`;
const named = (name: string): string => `Content-Disposition: form-data; name="${name}"`;
const closed = (...parts: string[]): Uint8Array => bytes(`${parts.join("")}--b--\r\n`);

describe("a form", () => {
  it("is read and written again, its values untouched", () => {
    const parts = [
      { name: "model", value: bytes("m") },
      { name: "empty", value: bytes("") },
      {
        name: 'q"uo\r\nte',
        filename: 'f"\r\nx: y',
        type: "audio/wav",
        value: bytes("\r\n--\r\n-b\r\n--bb"),
      },
    ];
    const read = readForm(writeForm(parts, "boundary"), "boundary");
    expect(read.map(({ value }) => decoder.decode(value))).toEqual(
      parts.map(({ value }) => decoder.decode(value)),
    );
    expect(read[2]).toMatchObject({ name: "q%22uo%0D%0Ate", filename: "f%22%0D%0Ax: y" });
  });

  it.each([
    ["nothing", bytes("")],
    ["no boundary", bytes("hello")],
    ["no end", bytes(part(named("a"), "x"))],
    ["no end of the headers", bytes(`--b\r\n${named("a")}\r\n`)],
    ["headers without end", bytes(`--b\r\nx: ${"y".repeat(20_000)}\r\n\r\nz\r\n--b--`)],
    ["a part without a name", closed(part("Content-Type: text/plain", "x"))],
    ["an encoded part", closed(part(`${named("a")}\r\nContent-Transfer-Encoding: base64`, "eA=="))],
    ["a boundary within its line", closed("--bx\r\n", part(named("a"), "x"))],
    ["too many parts", closed(...Array.from({ length: 1500 }, () => part(named("a"), "x")))],
  ])("with %s is none", (_, body) => {
    expect(() => readForm(body, "b")).toThrow(NotMultipart);
  });

  it("names its boundary, or is none", () => {
    expect(boundaryOf('multipart/form-data; charset=x; boundary="a b"')).toBe("a b");
    expect(boundaryOf("Multipart/Form-Data;boundary=abc")).toBe("abc");
    for (const type of [
      "multipart/mixed; boundary=a",
      "multipart/form-data",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"x".repeat(300)}`,
    ])
      expect(boundaryOf(type)).toBeUndefined();
  });

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "may have a field %s",
    (name) => {
      const fields = fieldsOf(
        readForm(closed(part(named(name), "x"), part(named("model"), "m")), "b"),
      );
      expect(Object.keys(fields)).toEqual([name, "model"]);
      expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
      expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    },
  );

  it("has one model, which is a text", () => {
    const read = (...parts: string[]) => fieldsOf(readForm(closed(...parts), "b"));
    expect(() => read(part(named("model"), "a"), part(named("model"), "b"))).toThrow(/model/);
    expect(() => read(part(`${named("model")}; filename="m"`, "a"))).toThrow(/model/);
    expect(
      read(part(named("model"), "7"), part(named("n"), "2"), part(named("stream"), "true")),
    ).toEqual({
      model: "7",
      n: 2,
      stream: true,
    });
  });
});

describe("the members of a text", () => {
  it.each([
    '{"model":"a"}',
    ' { "x" : [1,{"model":"no"}], "model" : "a" , "y":"}\\"" } ',
    '{"mod\\u0065l":"a","z":"\\\\"}',
    '{"n":-1.5e3,"t":true,"model":"a","u":null}',
  ])("are found at the top: %s", (text) => {
    const span = topMembers(text, ["model"])?.get("model");
    expect(span && text.slice(span.start, span.end)).toBe('"a"');
    const replaced = span === undefined ? "" : withValue(text, span, '"b"');
    expect(JSON.parse(replaced)).toEqual({ ...JSON.parse(text), model: "b" });
  });

  it.each([
    "",
    "[]",
    "{",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":[',
    '{"a":"',
    "{}x",
    "null",
    '{"a":1}{',
  ])("of what is no whole object: %s", (text) => expect(topMembers(text, ["a"])).toBeUndefined());

  it("are counted", () => {
    expect(topMembers('{"a":1,"a":2}', ["a"])?.get("a")?.times).toBe(2);
  });
});

describe("growth", () => {
  const shapes: Record<string, (count: number) => () => unknown> = {
    "line breaks": (count) => form("\r".repeat(count * 40)),
    "almost boundaries": (count) => form("\r\n--".repeat(count * 10)),
    "almost the boundary": (count) => form("\r\n--boundar".repeat(count * 5)),
    "blank lines": (count) => form("\r\n\r\n".repeat(count * 10)),
    members: (count) =>
      members(`{${Array.from({ length: count }, (_, at) => `"k${at}":1`).join()}}`),
    depth: (count) => members(`{"a":${"[".repeat(count)}${"]".repeat(count)}}`),
    backslashes: (count) => members(`{"a":"${"\\\\".repeat(count)}"}`),
    quotes: (count) => members(`{"a":"${'\\"'.repeat(count)}"}`),
    boundaries: (count) => () => boundaryOf(`multipart/form-data${"; boundary".repeat(count)}`),
  };
  const form = (value: string) => {
    const body = writeForm([{ name: "a", value: bytes(value) }], "boundary");
    return () => readForm(body, "boundary");
  };
  const members = (text: string) => () => topMembers(text, ["b"]);

  it.each(Object.keys(shapes))("work on %s grows as they do", (shape) => {
    const make = shapes[shape];
    const made = new Map<number, () => unknown>();
    const work = (count: number): void => {
      let run = made.get(count);
      if (run === undefined) made.set(count, (run = make?.(count) ?? (() => undefined)));
      run();
    };
    expect(steepGrowth(work)).toBeUndefined();
  });
});
