/** However long a backup is, reading it holds a chunk and a record of it: as much for twice the rows. */
import { describe, expect, it } from "vitest";
import { joined, type ByteReader } from "../../src/lib/bytes.ts";
import { timedReader } from "../../src/lib/timed-read.ts";
import { BackupOpener, BackupSealer } from "../../src/store/backup/format.ts";
import { FrameReader, writeFrame } from "../../src/store/backup/records.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import { collectGarbage } from "../kit/garbage.ts";

const passphrase = "correct horse battery";
const head = 48;
/** Bytes of a chunk in the file, and of what it carries. */
const chunk = 65_536 + 16;
const carried = 65_536 - 32;
const pieceLength = 16_384;

/** Text that does not get shorter by compressing it. */
function noise(length: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(length))).toString("base64");
}

/** A file of so many rows, and where each of its records ends in it. */
async function fileOf(rows: number): Promise<{ bytes: Uint8Array; ends: number[] }> {
  const ring = await keyringOf(Buffer.alloc(32, 1).toString("base64"));
  const sealer = await BackupSealer.begin(passphrase, ring);
  const pieces = [sealer.head];
  const ends: number[] = [];
  let length = 0;
  for (let row = 0; row < rows; row += 1) {
    const record = { type: "rows", of: "workspace:default", table: "requests", columns: ["text"] };
    const frame = await writeFrame(JSON.stringify({ ...record, rows: [[noise(36_000)]] }));
    for await (const piece of sealer.add(frame)) pieces.push(piece);
    length += frame.length;
    ends.push(head + Math.ceil(length / carried) * chunk);
  }
  return { bytes: joined([...pieces, await sealer.end()]), ends };
}

/** Gives copies, and counts what it gave and how much of that is still held. */
function watchedReader(bytes: Uint8Array) {
  const pieces: WeakRef<Uint8Array>[] = [];
  let given = 0;
  const reader: ByteReader = {
    async read() {
      const piece = bytes.slice(given, given + pieceLength);
      if (piece.length === 0) return undefined;
      given += piece.length;
      pieces.push(new WeakRef(piece));
      return piece;
    },
    async cancel() {},
  };
  const held = async (): Promise<number> => {
    await collectGarbage();
    return pieces.reduce((sum, piece) => sum + (piece.deref()?.length ?? 0), 0);
  };
  return { reader, given: () => given, held };
}

async function mostInFlight(rows: number): Promise<{ ahead: number; held: number }> {
  const { bytes, ends } = await fileOf(rows);
  const { reader, given, held } = watchedReader(bytes);
  const timed = timedReader(reader, { idle: 60_000, total: Infinity });
  const opener = await BackupOpener.begin(timed, { passphrase });
  const frames = new FrameReader(() => opener.next());
  const most = { ahead: 0, held: 0 };
  for (const end of ends) {
    await frames.read();
    most.ahead = Math.max(most.ahead, given() - Math.min(end, bytes.length));
    most.held = Math.max(most.held, await held());
  }
  timed.stop();
  return most;
}

describe("reading a backup", () => {
  it.each([20, 40])("of %d rows is a piece ahead, and holds no more than a chunk", async (rows) => {
    const { ahead, held } = await mostInFlight(rows);
    expect(ahead).toBeLessThanOrEqual(pieceLength);
    expect(held).toBeLessThanOrEqual(chunk);
  });
});
