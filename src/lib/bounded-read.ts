/** Reads a byte stream to its end, as long as it stays within bounds. */
import { joined, type ByteReader } from "./bytes.ts";

/** More bytes came than are wanted; what is left of the stream is the caller's to read or to cancel. */
export class TooLong extends Error {}

export interface ReadBounds {
  /** Most bytes. */
  readonly cap: number;
  /** Bytes that will come, where the sender has said so: they are written in place, instead of joined at the end. */
  readonly length?: number | undefined;
  /** Told how many bytes there are so far, before they are kept. What it throws ends the read. */
  readonly grown?: ((total: number) => void) | undefined;
}

/**
 * All bytes of a stream. Throws TooLong over the cap, as soon as it is known.
 *
 *     const bytes = await readWithin(byteReader(response.body), { cap: 1024 * 1024 });
 */
export async function readWithin(reader: ByteReader, bounds: ReadBounds): Promise<Uint8Array> {
  const { cap, grown } = bounds;
  const pieces = collector(bounds);
  let total = 0;
  for (let piece = await reader.read(); piece !== undefined; piece = await reader.read()) {
    total += piece.length;
    if (total > cap) throw new TooLong();
    grown?.(total);
    pieces.add(piece);
  }
  return pieces.whole();
}

interface Collector {
  add(piece: Uint8Array): void;
  whole(): Uint8Array;
}

function collector({ cap, length }: ReadBounds): Collector {
  return length !== undefined && length <= cap ? inPlace(length) : inPieces();
}

/** Pieces that are joined at the end exist twice for a moment. */
function inPieces(): Collector {
  const pieces: Uint8Array[] = [];
  return { add: (piece) => void pieces.push(piece), whole: () => joined(pieces) };
}

function inPlace(length: number): Collector {
  const whole = new Uint8Array(length);
  let at = 0;
  return {
    add(piece) {
      if (at + piece.length > length) throw new TooLong();
      whole.set(piece, at);
      at += piece.length;
    },
    whole: () => whole.subarray(0, at),
  };
}
