/** Undoes compression bit by bit: a few kilobytes can hold gigabytes, and nobody may have to take them all. */
import type { ByteReader } from "./bytes.ts";

export type Compression = "gzip" | "deflate";

/** What came is not of the compression that it is said to be, or breaks off. */
export class NotCompressed extends Error {}

/** A byte of deflated data never holds more than this many. */
const mostPerByte = 1032;
const largestSlice = 4096;
const smallestSlice = 256;
/** Bytes that the decompressor may still hold back from what came before. */
const heldBack = 64 * 1024;

/**
 * The inflated bytes of `raw`. The runtime inflates all that it is given at once, whether anybody reads it or not:
 * it is given slices, the smaller the nearer `most` bytes are, so that little more than those are ever inflated.
 */
export function inflated(raw: ByteReader, format: Compression, most: number): ByteReader {
  const inflater = inflaterFor(format, sliceFor(most));
  let waiting: Uint8Array = new Uint8Array(0);
  let total = 0;
  const feed = async (): Promise<void> => {
    if (waiting.length === 0) {
      const next = await raw.read();
      if (next === undefined) return await inflater.end();
      waiting = next;
    }
    const size = sliceFor(most - total);
    await inflater.write(waiting.subarray(0, size));
    waiting = waiting.subarray(size);
  };
  return {
    async read() {
      for (;;) {
        const piece = inflater.taken();
        if (piece === "end") return undefined;
        if (piece !== undefined) {
          total += piece.length;
          return piece;
        }
        await feed();
      }
    },
    cancel: (reason) => raw.cancel(reason),
  };
}

/** How many compressed bytes may be given at once when `room` inflated ones still fit. */
function sliceFor(room: number): number {
  return Math.min(largestSlice, Math.max(smallestSlice, Math.floor(room / mostPerByte)));
}

interface Inflater {
  write(bytes: Uint8Array): Promise<void>;
  /** Nothing more is written: waits for the rest. It may be asked again. */
  end(): Promise<void>;
  /** What came out since: a copy, and once. Throws NotCompressed. */
  taken(): Uint8Array | "end" | undefined;
}

/** One read always waits: its buffer takes all that one slice can hold. */
function inflaterFor(format: Compression, slice: number): Inflater {
  const { readable, writable } = new DecompressionStream(format);
  const writer = writable.getWriter();
  const reader = readable.getReader({ mode: "byob" });
  let state: Uint8Array | "end" | "broken" | undefined;
  let settled: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;
  const readInto = (buffer: ArrayBufferLike): void => {
    state = undefined;
    settled = reader.read(new Uint8Array(buffer)).then(
      ({ value, done }) => void (state = done ? "end" : value),
      () => void (state = "broken"),
    );
  };
  const waits = (): boolean => state === undefined;
  const turn = async (written: Promise<void>): Promise<void> => {
    await written.catch(() => {
      state = "broken";
    });
    // What is there already is handed over within the turn.
    for (let step = 0; step < 4 && waits(); step++) await Promise.resolve();
  };
  readInto(new ArrayBuffer(slice * mostPerByte + heldBack));
  return {
    write: (bytes) => turn(writer.write(bytes)),
    async end() {
      closing ??= turn(writer.close());
      await closing;
      await settled;
    },
    taken() {
      if (state === "broken") throw new NotCompressed();
      if (state === undefined || state === "end") return state;
      const piece = state.slice();
      readInto(state.buffer);
      return piece;
    },
  };
}
