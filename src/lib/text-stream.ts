/** A long text as a stream of bytes of a known length: as bytes it never exists as a whole. */
import { characterEnd } from "./unicode-slice.ts";

/** Characters that are encoded at once, each of which becomes at most three bytes. */
const slice = 64 * 1024;
const widest = 3;

/** The UTF-8 of a text, given in pieces: to join them would copy it. */
export function textStream(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const { readable, writable } = new FixedLengthStream(textLength(pieces));
  // Whoever reads the stream knows how it ended.
  pump(pieces, writable.getWriter()).catch(() => undefined);
  return readable;
}

/** Bytes of a text in UTF-8. */
function textLength(pieces: readonly string[]): number {
  let length = 0;
  for (const { written } of encoded(pieces)) length += written;
  return length;
}

async function pump(
  pieces: readonly string[],
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  for (const { room, written } of encoded(pieces)) await writer.write(room.subarray(0, written));
  await writer.close();
}

/** What was written into the one array that all slices are written into: good until the next. */
interface Encoded {
  readonly room: Uint8Array;
  readonly written: number;
}

function* encoded(pieces: readonly string[]): Generator<Encoded> {
  const encoder = new TextEncoder();
  const room = new Uint8Array((slice + 1) * widest);
  for (const piece of pieces)
    for (let at = 0; at < piece.length;) {
      const end = characterEnd(piece, at + slice);
      const { written } = encoder.encodeInto(piece.slice(at, end), room);
      yield { room, written };
      at = end;
    }
}
