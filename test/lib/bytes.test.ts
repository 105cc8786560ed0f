import { describe, expect, it } from "vitest";
import { byteReader, eventCutter } from "../../src/lib/bytes.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (piece: Uint8Array): string => new TextDecoder().decode(piece);

/** What comes out for these reads, and what is left. */
function cut(...reads: string[]): { pieces: string[]; rest: string } {
  const cutter = eventCutter(1000);
  return { pieces: reads.map((read) => text(cutter.feed(bytes(read)))), rest: text(cutter.rest()) };
}

describe("a stream is cut behind blank lines", () => {
  it.each([
    ["LF", "\n\n"],
    ["CRLF", "\r\n\r\n"],
    ["CR", "\r\r"],
  ])("%s, wherever the reads end", (_name, blank) => {
    const whole = `data: a${blank}data: b${blank}data: c`;
    for (let first = 1; first < whole.length; first++) {
      for (let second = first + 1; second < whole.length; second += 3) {
        const { pieces, rest } = cut(
          whole.slice(0, first),
          whole.slice(first, second),
          whole.slice(second),
        );
        expect(pieces.join("") + rest).toBe(whole);
        expect(rest).toBe("data: c");
        for (const piece of pieces)
          expect(piece === "" || piece.endsWith(blank.slice(-1))).toBe(true);
      }
    }
  });

  it("a read of whole events passes as it is, without a copy", () => {
    const cutter = eventCutter(1000);
    const read = bytes("data: a\n\ndata: b\n\n");
    expect(cutter.feed(read)).toBe(read);
  });

  it("an event that never ends is an error, not memory without end", () => {
    const cutter = eventCutter(10);
    expect(() => {
      for (let reads = 0; reads < 5; reads++) cutter.feed(bytes("data"));
    }).toThrow(RangeError);
  });
});

describe("others are served while a stream is read that always has more", () => {
  const cases: [name: string, given: { size: number; count: number; type?: "bytes" }][] = [
    ["native, in large pieces", { size: 64 * 1024, count: 40, type: "bytes" }],
    ["native, byte by byte", { size: 1, count: 2000, type: "bytes" }],
    ["made in JavaScript", { size: 64 * 1024, count: 40 }],
  ];
  it.each(cases)("%s", async (_name, { size, count, type }) => {
    let othersServed = 0;
    const other = setInterval(() => (othersServed += 1), 1);
    const stream = new ReadableStream<Uint8Array>({
      ...(type !== undefined && { type }),
      pull: (controller: { enqueue(chunk: Uint8Array): void }) =>
        controller.enqueue(new Uint8Array(size)),
    } as unknown as UnderlyingSource<Uint8Array>);
    const reader = byteReader(stream);
    for (let reads = 0; reads < count; reads++) await reader.read();
    clearInterval(other);
    await reader.cancel();
    expect(othersServed).toBeGreaterThan(3);
  });
});
