/** Reads what a refused caller is still sending, so that it reads the answer instead of a broken connection. */
import { byteReader, type ByteReader } from "../../lib/bytes.ts";
import { timedReader, type Patience } from "../../lib/timed-read.ts";

/** Most bytes that are read and forgotten. */
const mostDrained = 64 * 1024 * 1024;
/** How long a refused caller may go on sending. */
export const refusedPatience: Patience = { idle: 5000, total: 5000 };

/**
 * Reads and forgets, for a while; whoever stops sending gets the answer at once. Nothing is decompressed or kept. A
 * body that says it is longer than is worth reading is left alone.
 */
export async function readAway(raw: ByteReader, length = 0): Promise<void> {
  if (length > mostDrained) return;
  const reader = timedReader(raw, refusedPatience);
  try {
    for (let total = 0; total <= mostDrained;) {
      const piece = await reader.read();
      if (piece === undefined) return;
      total += piece.length;
    }
  } catch {
    // Too slow, or gone: it does not wait for the answer.
  } finally {
    reader.stop();
  }
}

/** The same for a body that nobody has begun to read: one that was left alone for its length is locked, not used. */
export async function letFinish({ body, bodyUsed, headers }: Request): Promise<void> {
  if (body === null || bodyUsed || body.locked) return;
  await readAway(byteReader(body), Number(headers.get("content-length") ?? 0));
}
