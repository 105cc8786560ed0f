/** Reads byte streams in pieces of a fitting size, and cuts them between server-sent events. */
import { letOthersRun } from "./pace.ts";

/** Reads a byte stream piece by piece. */
export interface ByteReader {
  /**
   * The next bytes, or undefined at the end. The caller may keep them. `into` may take them: it is gone then, and what
   * comes back is its beginning, in the same memory.
   */
  read(into?: Uint8Array): Promise<Uint8Array | undefined>;
  /** Gives back what `read` gave: the next read may go into its memory. Missing: the reader has no use for it. */
  reuse?(bytes: Uint8Array): void;
  cancel(reason?: unknown): Promise<void>;
}

/** Largest size of one read in bytes: small while single events arrive, large as soon as they arrive in bulk. */
const smallRead = 4 * 1024;
const largeRead = 64 * 1024;
/** Bytes that show a bulk, which the runtime cuts at its own buffer of 4 KB; and reads without them that end it. */
const bulk = 2 * 1024;
const calmReads = 8;

/**
 * Others are served after so many bytes: a sender that is faster than its reader would have the thread to itself, because
 * a read of what is there already waits for nothing. What is made of them takes 5 to 20 ms. A short read counts as some.
 */
const stretch = 256 * 1024;
const leastRead = 1024;

/**
 * Native byte streams are read into buffers of a fitting size; others as they come. However much comes at once, others
 * are served in between.
 *
 *     const reader = byteReader(response.body);
 *     for (let bytes = await reader.read(); bytes; bytes = await reader.read()) use(bytes);
 */
export function byteReader(stream: ReadableStream<Uint8Array>): ByteReader {
  const byob = byobReader(stream);
  if (byob) return fittingReader(byob);
  const reader = stream.getReader();
  let unrested = 0;
  return {
    async read() {
      if (unrested >= stretch) {
        unrested = 0;
        await letOthersRun();
      }
      const { value, done } = await reader.read();
      if (done) return undefined;
      unrested += Math.max(leastRead, value.length);
      return value;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function fittingReader(byob: ReadableStreamBYOBReader): ByteReader {
  let calm = calmReads;
  let spare: ArrayBufferLike | undefined;
  let unrested = 0;
  const memory = (): Uint8Array => {
    const size = calm < calmReads ? largeRead : smallRead;
    const reused = spare?.byteLength === size ? spare : undefined;
    spare = undefined;
    return reused === undefined ? new Uint8Array(size) : new Uint8Array(reused);
  };
  return {
    async read(into) {
      if (unrested >= stretch) {
        unrested = 0;
        await letOthersRun();
      }
      const { value, done } = await byob.read(into ?? memory());
      if (done) return undefined;
      unrested += Math.max(leastRead, value.length);
      calm = value.length >= bulk ? 0 : calm + 1;
      return value;
    },
    reuse(bytes) {
      spare = bytes.buffer;
    },
    cancel: (reason) => byob.cancel(reason),
  };
}

function byobReader(stream: ReadableStream<Uint8Array>): ReadableStreamBYOBReader | undefined {
  try {
    return stream.getReader({ mode: "byob" });
  } catch {
    // A stream made in JavaScript without `type: "bytes"` has no such reader.
    return undefined;
  }
}

/** Cuts a byte stream after blank lines, so that every piece holds whole server-sent events. */
export interface EventCutter {
  /** The events that are complete with these bytes; empty when none is. Throws RangeError over `longest` waiting bytes. */
  feed(chunk: Uint8Array): Uint8Array;
  /** The bytes of an event that did not end. */
  rest(): Uint8Array;
  /** Whether it keeps the last chunk as it is, memory and all. */
  keeps(): boolean;
}

const nothing = new Uint8Array(0);

/**
 * Cuts between events. `longest`: most bytes that may wait for the end of an event.
 *
 *     const cutter = eventCutter(1024 * 1024);
 *     for await (const chunk of body) send(cutter.feed(chunk));
 *     send(cutter.rest());
 */
export function eventCutter(longest: number): EventCutter {
  let waiting: Uint8Array[] = [];
  let waitingLength = 0;
  let keeps = false;
  return {
    feed(chunk) {
      keeps = false;
      if (waitingLength === 0 && endsWithBlankLine(chunk)) return chunk;
      const end = lastEventEnd(joined(waiting.slice(-3)), chunk);
      if (end === chunk.length && waitingLength === 0) return chunk;
      if (end === 0) {
        waiting.push(chunk);
        keeps = true;
        waitingLength += chunk.length;
        if (waitingLength > longest)
          throw new RangeError("The provider's stream holds an event that is too long.");
        return nothing;
      }
      const whole = joined([...waiting, chunk.subarray(0, end)]);
      // Half an event is small: its copy lets go of the chunk.
      const rest = chunk.slice(end);
      waiting = rest.length > 0 ? [rest] : [];
      waitingLength = rest.length;
      return whole;
    },
    rest: () => joined(waiting),
    keeps: () => keeps,
  };
}

/** Most chunks are whole events, whose lines end with LF. */
function endsWithBlankLine(chunk: Uint8Array): boolean {
  return chunk[chunk.length - 1] === 10 && chunk[chunk.length - 2] === 10;
}

/**
 * Index in `chunk` just after the last blank line, which may have begun in the bytes before it; 0 when there is
 * none. `LF LF`, `CR LF CR LF` and `CR CR` are blank lines.
 */
function lastEventEnd(before: Uint8Array, chunk: Uint8Array): number {
  const byteAt = (index: number): number | undefined =>
    index >= 0 ? chunk[index] : before[before.length + index];
  for (let at = chunk.length - 1; at >= 0; at--) {
    const byte = chunk[at];
    if (byte !== 10 && byte !== 13) continue;
    const previous = byteAt(at - 1);
    if (previous === byte) return at + 1;
    if (byte === 10 && previous === 13 && byteAt(at - 2) === 10) return at + 1;
  }
  return 0;
}

/** Several byte arrays in one. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first = nothing] = parts;
  if (parts.length <= 1) return first;
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
