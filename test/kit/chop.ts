/** A provider's bytes as they may arrive: cut anywhere, inside a letter, between CR and LF. */
import type { Random } from "./random.ts";

/** The decoded pieces of a random cut of these bytes, as a streaming decoder hands them on. */
export function chopped(bytes: Uint8Array, rng: Random): string[] {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let at = 0;
  const style = rng.int(0, 3);
  while (at < bytes.length) {
    const size = pieceSize(style, rng, bytes.length);
    pieces.push(decoder.decode(bytes.subarray(at, at + size), { stream: true }));
    at += size;
  }
  pieces.push(decoder.decode());
  return pieces;
}

function pieceSize(style: number, rng: Random, total: number): number {
  if (style === 0) return rng.int(1, 3);
  if (style === 1) return rng.int(1, 64);
  if (style === 2) return rng.int(1, Math.max(1, total));
  return rng.chance(0.5) ? 1 : rng.int(1, 400);
}
