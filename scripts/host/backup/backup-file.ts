/** Reads a backup to its end on this machine, without a gateway: whether it is whole, and what it holds. */
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { byteReader } from "../../../src/lib/bytes.ts";
import { BackupOpener } from "../../../src/store/backup/format.ts";
import { type BackupHeader, FrameReader } from "../../../src/store/backup/records.ts";

/** What a whole file holds. */
export interface BackupContents {
  readonly header: BackupHeader;
  /** Rows by table, over all workspaces. */
  readonly rows: ReadonlyMap<string, number>;
}

/** Throws, in words for the user, where the passphrase is another one or the file is not whole. */
export async function readBackupFile(file: string, passphrase: string): Promise<BackupContents> {
  // A stream of bytes for the browser's API, which Node types by itself.
  const stream = Readable.toWeb(createReadStream(file)) as unknown as ReadableStream<Uint8Array>;
  const reader = byteReader(stream);
  try {
    const opener = await BackupOpener.begin(reader, { passphrase });
    return await contentsOf(new FrameReader(() => opener.next()));
  } catch (error) {
    await reader.cancel();
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(why.replace(/^file: /, `${file} `), { cause: error });
  }
}

async function contentsOf(frames: FrameReader): Promise<BackupContents> {
  const header = await frames.read();
  if (header?.type !== "header") throw new Error("file: is not a backup file");
  const counts = new Map<string, Map<string, number>>();
  for (let record = await frames.read(); record !== undefined; record = await frames.read()) {
    if (record.type === "end") return { header, rows: summed(counts) };
    if (record.type === "header") throw new Error("file: contains more than one header");
    const tables = counts.get(record.of) ?? new Map<string, number>();
    counts.set(record.of, tables);
    if (record.type === "again") for (const table of record.tables) tables.delete(table);
    else tables.set(record.table, (tables.get(record.table) ?? 0) + record.rows.length);
  }
  throw new Error("file: was cut off");
}

function summed(counts: ReadonlyMap<string, ReadonlyMap<string, number>>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const tables of counts.values())
    for (const [table, rows] of tables) sums.set(table, (sums.get(table) ?? 0) + rows);
  return sums;
}
