/** An uploaded backup as it arrives: however long it is, its sender may not fall silent. */
import { byteReader, type ByteReader } from "../../lib/bytes.ts";
import { timedReader, TooSlow, type TimedReader } from "../../lib/timed-read.ts";
import { damagedBackup } from "../../store/backup/format.ts";

/** Milliseconds without a byte; files may be as long as they are. */
const patience = { idle: 60_000, total: Infinity };

/** What `read` makes of the body. Throws a 400 that names `file` where the sender is silent or breaks off. */
export async function readUploaded<Read>(
  body: ReadableStream<Uint8Array>,
  read: (reader: ByteReader) => Promise<Read>,
): Promise<Read> {
  const reader = patient(timedReader(byteReader(body), patience));
  try {
    return await read(reader);
  } catch (error) {
    // Nobody waits for the rest, nor for how its connection ends.
    reader.cancel().catch(() => undefined);
    throw error;
  } finally {
    reader.stop();
  }
}

/** A connection that ends, or is silent, is a file that was cut off. */
function patient(reader: TimedReader): TimedReader {
  return {
    ...reader,
    async read(into) {
      try {
        return await reader.read(into);
      } catch (error) {
        throw damagedBackup(error instanceof TooSlow ? "was sent too slowly" : "was cut off");
      }
    },
  };
}
