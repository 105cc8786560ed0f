/** A long text as a stream of bytes of a known length: as bytes it never exists as a whole. */
import { pieceStream } from "./piece-stream.ts";
import { characterEnd } from "./unicode-slice.ts";

/** Characters that are encoded at once, each of which becomes at most three bytes. */
const slice = 64 * 1024;
const widest = 3;

/** The UTF-8 of a text, given in pieces: to join them would copy it. */
export async function textStream(pieces: readonly string[]): Promise<ReadableStream<Uint8Array>> {
  return await pieceStream(() => encoded(pieces));
}

/** All slices are written into one array: each is good until the next. */
function* encoded(pieces: readonly string[]): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  const room = new Uint8Array((slice + 1) * widest);
  for (const piece of pieces)
    for (let at = 0; at < piece.length;) {
      const end = characterEnd(piece, at + slice);
      yield room.subarray(0, encoder.encodeInto(piece.slice(at, end), room).written);
      at = end;
    }
}
