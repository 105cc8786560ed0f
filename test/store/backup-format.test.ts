/** The file of a backup: nobody alters it unnoticed, and nothing in it takes more memory than a record may. */
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { ByteReader } from "../../src/lib/bytes.ts";
import { joined } from "../../src/lib/bytes.ts";
import { BackupOpener, BackupSealer } from "../../src/store/backup/format.ts";
import { checkedPassphrase } from "../../src/store/backup/passphrase.ts";
import { type BackupRecord, FrameReader, writeFrame } from "../../src/store/backup/records.ts";
import { keyringOf } from "../../src/store/keyring.ts";

const passphrase = "correct horse battery";
const own = await keyringOf(Buffer.alloc(32, 1).toString("base64"));
const foreign = await keyringOf(Buffer.alloc(32, 2).toString("base64"));
const head = 48;
const chunk = 65_536 + 16;

/** In pieces that fit nothing. */
function readerOf(bytes: Uint8Array): ByteReader {
  let at = 0;
  return {
    async read() {
      const piece = bytes.subarray(at, (at += 10_007));
      return piece.length === 0 ? undefined : piece;
    },
    async cancel() {},
  };
}

async function sealed(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const sealer = await BackupSealer.begin(passphrase, own);
  const pieces = [sealer.head];
  for (const part of parts) for await (const piece of sealer.add(part)) pieces.push(piece);
  return joined([...pieces, await sealer.end()]);
}

async function opened(file: Uint8Array, ring = own) {
  const opener = await BackupOpener.begin(readerOf(file), { passphrase, ring });
  const parts: Uint8Array[] = [];
  for (let part = await opener.next(); part !== undefined; part = await opener.next())
    parts.push(part);
  return { bytes: joined(parts), vouched: opener.isVouchedFor };
}

async function recordsIn(parts: readonly Uint8Array[]): Promise<BackupRecord[]> {
  const waiting = [...parts];
  const frames = new FrameReader(async () => waiting.shift());
  const records: BackupRecord[] = [];
  for (let next = await frames.read(); next !== undefined; next = await frames.read())
    records.push(next);
  return records;
}

const content = new Uint8Array(4 * 65_536 + 100);
let file: Uint8Array;
beforeAll(async () => {
  for (let at = 0; at < content.length; at += 65_536)
    crypto.getRandomValues(content.subarray(at, at + 65_536));
  file = await sealed([content.subarray(0, 70_000), content.subarray(70_000)]);
});

describe("a sealed file", () => {
  it("gives back what was sealed, and is known again by its deployment alone", async () => {
    const { bytes, vouched } = await opened(file);
    expect(Buffer.compare(bytes, content)).toBe(0);
    expect(vouched).toBe(true);
    expect((await opened(file, foreign)).vouched).toBe(false);
  });

  it("holds nothing but one empty chunk where there is nothing", async () => {
    const empty = await sealed([]);
    expect(empty.length).toBe(head + 32 + 16);
    expect((await opened(empty)).bytes.length).toBe(0);
  });

  it("is refused with one bit flipped, wherever it is", async () => {
    const places = [
      0,
      9,
      10,
      20,
      30,
      40,
      head,
      head + chunk - 1,
      head + 3 * chunk,
      file.length - 1,
    ];
    for (const place of places) {
      const flipped = file.slice();
      flipped[place] = (flipped[place] ?? 0) ^ 1;
      await expect(opened(flipped), String(place)).rejects.toThrow(/^(?:file|passphrase): /);
    }
  });

  it("is refused where it was cut off, at the end of a chunk too", async () => {
    for (let end = head; end < file.length; end += chunk)
      await expect(opened(file.subarray(0, end)), String(end)).rejects.toThrow("file: ");
    await expect(opened(file.subarray(0, head + 5))).rejects.toThrow("file: ");
    await expect(opened(file.subarray(0, 47))).rejects.toThrow("is not a backup");
    await expect(opened(new Uint8Array(0))).rejects.toThrow("is empty");
  });

  it("is refused with chunks swapped, repeated, left out or added", async () => {
    const start = file.subarray(0, head);
    const chunks = [0, 1, 2, 3, 4].map((n) =>
      file.subarray(head + n * chunk, Math.min(file.length, head + (n + 1) * chunk)),
    );
    for (const order of [
      [1, 0, 2, 3, 4],
      [0, 0, 1, 2, 3, 4],
      [0, 2, 3, 4],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4, 4],
    ]) {
      const given = joined([start, ...order.flatMap((n) => chunks[n] ?? [])]);
      await expect(opened(given), order.join()).rejects.toThrow("was cut off, altered or damaged");
    }
  });

  it("names the passphrase where another one was given", async () => {
    const wrong = BackupOpener.begin(readerOf(file), { passphrase: "correct horse batterx" });
    await expect(wrong).rejects.toThrow("passphrase: is wrong for this backup");
  });

  it("is not asked for endless work by its head", async () => {
    const greedy = file.slice();
    greedy[10] = 255;
    await expect(opened(greedy)).rejects.toThrow("file: was altered");
  });

  it("is refused in words where a newer version wrote it", async () => {
    const newer = file.slice();
    newer[8] = 2;
    await expect(opened(newer)).rejects.toThrow("newer version");
  });
});

describe("records", () => {
  const end: BackupRecord = { type: "end", rows: 3 };

  it("come back as they were written, however the parts are cut", async () => {
    const rows: BackupRecord = {
      type: "rows",
      of: "workspace:default",
      table: "keys",
      columns: ["id", "last4"],
      rows: [
        ["ü\u0000\ud83d\ude00", 1.5],
        [null, -0.25],
      ],
    };
    const bytes = joined([
      await writeFrame(JSON.stringify(rows)),
      await writeFrame(JSON.stringify(end)),
    ]);
    for (const size of [1, 7, bytes.length]) {
      const parts = [];
      for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
      expect(await recordsIn(parts)).toEqual([rows, end]);
    }
  });

  it("are refused where they would inflate without end", async () => {
    const bomb = gzipSync(Buffer.alloc(60_000_000));
    await expect(recordsIn([framed(bomb)])).rejects.toThrow("too long");
  });

  it("are refused where a frame says that it is huge", async () => {
    await expect(recordsIn([new Uint8Array([255, 255, 255, 255, 0])])).rejects.toThrow("too long");
  });

  it("are refused where they are cut off, no JSON, or of no known type", async () => {
    const frame = await writeFrame(JSON.stringify(end));
    await expect(recordsIn([frame.subarray(0, -1)])).rejects.toThrow("ends within a record");
    for (const text of [
      "",
      "{",
      "[]",
      '{"type":"more"}',
      '{"type":"end","rows":"3"}',
      '{"type":"end","rows":1,"x":1}',
    ])
      await expect(recordsIn([await writeFrame(text)]), text).rejects.toThrow(
        "file: contains a record",
      );
    await expect(recordsIn([framed(Buffer.from("no gzip"))])).rejects.toThrow("can't be read");
  });

  it("name no table that could be anything but one", async () => {
    const rows = {
      type: "rows",
      of: "workspace:default",
      table: 'x"; DROP TABLE keys',
      columns: ["id"],
      rows: [],
    };
    await expect(recordsIn([await writeFrame(JSON.stringify(rows))])).rejects.toThrow("file: ");
  });
});

it("takes passphrases from 12 to 1,024 characters, and those alone", () => {
  expect(checkedPassphrase("x".repeat(12))).toBe("x".repeat(12));
  // The same letter, typed as one and as two.
  expect(checkedPassphrase("u\u0308".repeat(12))).toBe("ü".repeat(12));
  for (const wrong of [undefined, "", "x".repeat(11), "x".repeat(1025), "x".repeat(1_000_000), 7])
    expect(() => checkedPassphrase(wrong)).toThrow("passphrase: ");
});

function framed(body: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, body.length);
  return joined([length, body]);
}
