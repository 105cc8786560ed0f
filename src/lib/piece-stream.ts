/** Bytes that are made piece by piece as a stream of a known length: as a whole they never exist. */
import { letOthersRun } from "./pace.ts";

/** Others are served after so many bytes: making them takes some ten milliseconds. */
const slice = 1024 * 1024;

/** The pieces as a stream. They are made twice, first for their length; each is used before the next is made. */
export async function pieceStream(
  make: () => Iterable<Uint8Array>,
): Promise<ReadableStream<Uint8Array>> {
  let length = 0;
  await forEachPiece(make(), (piece) => {
    length += piece.length;
  });
  const { readable, writable } = new FixedLengthStream(length);
  // Whoever reads the stream knows how it ended.
  pump(make(), writable.getWriter()).catch(() => undefined);
  return readable;
}

async function pump(
  pieces: Iterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
): Promise<void> {
  await forEachPiece(pieces, (piece) => writer.write(piece));
  await writer.close();
}

async function forEachPiece(
  pieces: Iterable<Uint8Array>,
  use: (piece: Uint8Array) => Promise<void> | void,
): Promise<void> {
  let bytes = 0;
  for (const piece of pieces) {
    await use(piece);
    bytes += piece.length;
    if (bytes < slice) continue;
    bytes = 0;
    await letOthersRun();
  }
}
