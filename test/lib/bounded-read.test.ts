import { describe, expect, it } from "vitest";
import { readWithin, TooLong } from "../../src/lib/bounded-read.ts";
import { byteReader, type ByteReader } from "../../src/lib/bytes.ts";
import { timedReader, TooSlow } from "../../src/lib/timed-read.ts";
import { collectGarbage } from "../kit/garbage.ts";

/** A stream of so many pieces of a kilobyte; how many were asked for. */
function pieces(count: number): { reader: ByteReader; given: () => number } {
  let given = 0;
  const pull = (controller: { enqueue(piece: Uint8Array): void; close(): void }): void => {
    if (given === count) return controller.close();
    given += 1;
    controller.enqueue(new Uint8Array(1024).fill(given));
  };
  const stream = new ReadableStream<Uint8Array>({ pull });
  return { reader: byteReader(stream), given: () => given };
}

describe("a read within bounds", () => {
  it.each([undefined, 3 * 1024])("gives all bytes, with the length %s", async (length) => {
    const bytes = await readWithin(pieces(3).reader, { cap: 3 * 1024, length });
    expect(bytes.length).toBe(3 * 1024);
    expect([bytes[0], bytes[1024], bytes[3071]]).toEqual([1, 2, 3]);
  });

  it("ends at the cap, however much would come", async () => {
    const { reader, given } = pieces(1_000_000);
    await expect(readWithin(reader, { cap: 10 * 1024 })).rejects.toThrow(TooLong);
    expect(given()).toBeLessThan(20);
  });

  it("ends where whoever is told of its growth says so", async () => {
    const { reader, given } = pieces(1_000_000);
    const grown = (total: number): void => {
      if (total > 5 * 1024) throw new RangeError("no room");
    };
    await expect(readWithin(reader, { cap: 1e9, grown })).rejects.toThrow("no room");
    expect(given()).toBeLessThan(10);
  });
});

describe("a timed read", () => {
  const silent: ByteReader = {
    read: () => new Promise(() => undefined),
    cancel: () => Promise.resolve(),
  };

  it("ends when nothing comes", async () => {
    const reader = timedReader(silent, { idle: 20, total: 10_000 });
    await expect(reader.read()).rejects.toThrow(TooSlow);
    reader.stop();
  });

  it("ends when too little comes for too long", async () => {
    const trickle: ByteReader = {
      read: () => new Promise((resolve) => setTimeout(() => resolve(new Uint8Array(1)), 10)),
      cancel: () => Promise.resolve(),
    };
    const reader = timedReader(trickle, { idle: 10_000, total: 100 });
    await expect(readWithin(reader, { cap: 1000 })).rejects.toThrow(TooSlow);
    reader.stop();
  });

  it("keeps no piece that was read, however long it lasts", async () => {
    const reader = timedReader(pieces(20).reader, { idle: 10_000, total: Infinity });
    const read: WeakRef<Uint8Array>[] = [];
    while (read.length < 20) read.push(await referenceOf(reader));
    await collectGarbage();
    // The last one may still lie in a register.
    const held = read.slice(0, -1).filter((piece) => piece.deref() !== undefined);
    expect(held).toEqual([]);
    reader.stop();
  });
});

/** The next piece, which is held by nobody but the reader. */
async function referenceOf(reader: ByteReader): Promise<WeakRef<Uint8Array>> {
  return new WeakRef((await reader.read()) ?? new Uint8Array());
}
