/** Reads a byte stream to its end, as long as it stays within bounds. */
import { joined, type ByteReader } from "./bytes.ts";

/** More bytes came than are wanted; what is left of the stream is the caller's to read or to cancel. */
export class TooLong extends Error {}

export interface ReadBounds {
  /** Most bytes. */
  readonly cap: number;
  /** How many bytes will come, where the sender is held to it. */
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
  const { cap, length, grown } = bounds;
  if (length !== undefined && length <= cap) return await readInPlace(reader, length, grown);
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (let piece = await reader.read(); piece !== undefined; piece = await reader.read()) {
    total += piece.length;
    if (total > cap) throw new TooLong();
    grown?.(total);
    pieces.push(piece);
  }
  return joined(pieces);
}

/** Into one array from the beginning: pieces that are joined at the end exist twice for a moment. */
async function readInPlace(
  reader: ByteReader,
  length: number,
  grown: ReadBounds["grown"],
): Promise<Uint8Array> {
  grown?.(length);
  let whole: Uint8Array = new Uint8Array(length);
  for (let at = 0; at < length;) {
    const piece = await reader.read(whole.subarray(at));
    if (piece === undefined) throw new Error("the stream ended before its stated length");
    // Readers that cannot read in place leave the array as it was.
    if (whole.length === 0) whole = new Uint8Array(piece.buffer);
    else whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
