/** Reading a byte stream with a reused buffer where the stream can fill one. */

export interface ByteReader {
  /** The next bytes, or undefined at the end. The view stays the caller's. */
  read(): Promise<Uint8Array | undefined>;
  cancel(reason?: unknown): Promise<void>;
}

/** Bytes a read may bring: little while events trickle, more as soon as they come in bulk. */
const smallRead = 4 * 1024;
const largeRead = 64 * 1024;

/** Native byte streams are read into buffers of a fitting size; others as they come. */
export function byteReader(stream: ReadableStream<Uint8Array>): ByteReader {
  const byob = byobReader(stream);
  if (byob) {
    let size = smallRead;
    return {
      async read() {
        const { value, done } = await byob.read(new Uint8Array(size));
        if (done) return undefined;
        size = value.length === size ? largeRead : smallRead;
        return value;
      },
      cancel: (reason) => byob.cancel(reason),
    };
  }
  const reader = stream.getReader();
  return {
    async read() {
      const { value, done } = await reader.read();
      return done ? undefined : value;
    },
    cancel: (reason) => reader.cancel(reason),
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

/**
 * Index just behind the last complete server-sent event in `bytes` (behind its blank line), or 0 when none
 * ends in it. `LF LF`, `CR LF CR LF` and `CR CR` end an event.
 */
export function lastEventEnd(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at > 0; at--) {
    const byte = bytes[at];
    const before = bytes[at - 1];
    if (byte === 10 && before === 10) return at + 1;
    if (byte === 13 && before === 13) return at + 1;
    if (byte === 10 && before === 13 && at >= 3 && bytes[at - 2] === 10) return at + 1;
  }
  return 0;
}

/** Two byte arrays in one. */
export function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  if (second.length === 0) return first;
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
