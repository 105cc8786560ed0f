import { describe, expect, it } from "vitest";
import { longestEvent, sseParser, sseText, type SseEvent } from "../../src/lib/sse.ts";
import { chopped } from "../kit/chop.ts";
import { random } from "../kit/random.ts";

function eventsOf(pieces: readonly string[]): SseEvent[] {
  const events: SseEvent[] = [];
  const parser = sseParser((event) => events.push(event));
  for (const piece of pieces) parser.feed(piece);
  parser.end();
  return events;
}
const data = (...values: string[]) => values.map((value) => ({ event: undefined, data: value }));

describe("server-sent events", () => {
  it("end their lines with LF, CR or CRLF", () => {
    for (const end of ["\n", "\r", "\r\n"]) {
      const text = ["event: a", "data: 1", "", "data: 2", "", ""].join(end);
      expect(eventsOf([text])).toEqual([{ event: "a", data: "1" }, ...data("2")]);
    }
  });

  it("are not cut at the line ends of other worlds", () => {
    expect(eventsOf(["data: a\u2028b\u2029c\u0085d\n\n"])).toEqual(data("a\u2028b\u2029c\u0085d"));
  });

  it("may begin with a byte order mark, also in a read of its own", () => {
    expect(eventsOf(["\uFEFFdata: 1\n\n"])).toEqual(data("1"));
    expect(eventsOf(["", "\uFEFF", "data: \uFEFF\n\n"])).toEqual(data("\uFEFF"));
  });

  it("hold comments, other fields and values without a space", () => {
    expect(
      eventsOf([": hi\n\nid:7\nretry: no\nwhat: ever\ndata:1\n:\ndata\ndata:  2\n\n"]),
    ).toEqual(data("1\n\n 2"));
  });

  it("without data are none", () => {
    expect(eventsOf(["event: ping\n\n\n\n"])).toEqual([]);
  });

  it("count at the end of the body without their blank line", () => {
    expect(eventsOf(["data: 1\n\ndata: 2"])).toEqual(data("1", "2"));
    expect(eventsOf(["data: 1\r"])).toEqual(data("1"));
    expect(eventsOf(["data: 1\n\n"])).toEqual(data("1"));
  });

  it("are the same however the bytes are cut", () => {
    const text =
      '\uFEFF: c\r\n\r\nevent: é😀\r\ndata: {"x":\r\ndata: "東"}\r\n\r\ndata: 2\n\ndata: 3\r\rdata:4\r\n\r\n';
    const whole = eventsOf([text]);
    expect(whole).toHaveLength(4);
    for (let seed = 0; seed < 2000; seed++) {
      expect(eventsOf(chopped(new TextEncoder().encode(text), random(seed)))).toEqual(whole);
    }
  });

  it("that never end are refused, many short ones are not", () => {
    const piece = `data: ${"x".repeat(1 << 20)}\n`;
    const endless = sseParser(() => undefined);
    expect(() => {
      for (let fed = 0; fed <= longestEvent; fed += piece.length) endless.feed(piece);
    }).toThrow(RangeError);
    let count = 0;
    const many = sseParser(() => count++);
    for (let i = 0; i < 20; i++) many.feed(`${piece}\n: ${"c".repeat(1 << 20)}\n`);
    expect(count).toBe(20);
  });

  it("are written as they are read", () => {
    expect(eventsOf([sseText("a", '{"x":1}'), sseText(undefined, "[DONE]")])).toEqual([
      { event: "a", data: '{"x":1}' },
      ...data("[DONE]"),
    ]);
  });
});
