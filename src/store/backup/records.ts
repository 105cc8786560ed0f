/** What a backup is made of: records as JSON, in frames. The first is its header, the last its end. */
import * as z from "zod";
import { joined } from "../../lib/bytes.ts";
import { parseJson } from "../../lib/json.ts";
import { damagedBackup } from "./format.ts";

/** A value of a table. */
export type StoredValue = string | number | null;

/** Whose tables rows belong to: the directory's, or those of the workspace with this id. */
const ownerSchema = z.string().regex(/^(?:directory|workspace:.{1,255})$/s);
const nameSchema = z.string().regex(/^[a-z0-9_]{1,64}$/);

const headerSchema = z.strictObject({
  type: z.literal("header"),
  /** Version of the gateway that wrote it. */
  gateway: z.string().max(64),
  /** ISO 8601 UTC. */
  created: z.string().max(64),
  /** The whole deployment, or one of its workspaces. */
  scope: z.enum(["deployment", "workspace"]),
  workspaces: z.array(
    z.strictObject({
      id: z.string().min(1).max(255),
      name: z.string(),
      /** Of its tables. */
      schema: z.int().min(1).max(10_000),
    }),
  ),
  /** What credentials are sealed with inside the file: 32 random bytes, base64. */
  credential_key: z.string().max(64),
  /** The deployment's `ENCRYPTION_KEY`, where its administrator made the file. */
  encryption_keys: z.string().max(10_000).optional(),
});
/** What the file holds. */
export type BackupHeader = z.infer<typeof headerSchema>;

const rowsSchema = z.strictObject({
  type: z.literal("rows"),
  of: ownerSchema,
  table: nameSchema,
  columns: z.array(nameSchema).min(1).max(100),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
});
/** Rows of a table. */
export type BackupRows = z.infer<typeof rowsSchema>;

/** The rows of these tables so far do not count: they changed while they were read, and follow once more. */
const againSchema = z.strictObject({
  type: z.literal("again"),
  of: ownerSchema,
  tables: z.array(nameSchema),
});
const endSchema = z.strictObject({
  type: z.literal("end"),
  /** How many rows the file holds, those of `again` included. */
  rows: z.number(),
});

const recordSchema = z.discriminatedUnion("type", [
  headerSchema,
  rowsSchema,
  againSchema,
  endSchema,
]);
/** One of them. */
export type BackupRecord = z.infer<typeof recordSchema>;

/** Bytes of one frame at most, compressed and not: a row holds 2 MB, which JSON may write sixfold. */
const longestFrame = 20_000_000;
const lengthBytes = 4;
const slice = 16_384;

/** The record as a frame. */
export async function writeFrame(record: string): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(record);
  const body = await piped(new CompressionStream("gzip"), bytes, Infinity);
  const length = new Uint8Array(lengthBytes);
  new DataView(length.buffer).setUint32(0, body.length);
  return joined([length, body]);
}

/** Cuts parts of a file into records. */
export class FrameReader {
  readonly #next: () => Promise<Uint8Array | undefined>;
  #waiting: Uint8Array[] = [];
  #length = 0;

  /** `next`: the next part; undefined at the end. */
  constructor(next: () => Promise<Uint8Array | undefined>) {
    this.#next = next;
  }

  /** The next record; undefined at the end. Throws a 400 where there is none. */
  async read(): Promise<BackupRecord | undefined> {
    const head = await this.#take(lengthBytes);
    if (head === undefined) return undefined;
    const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
    if (length > longestFrame) throw damagedBackup("contains a record that is too long");
    const body = await this.#take(length);
    if (body === undefined) throw damagedBackup("ends within a record");
    return recordOf(await inflatedFrame(body));
  }

  /** Undefined at the end. */
  async #take(length: number): Promise<Uint8Array | undefined> {
    while (this.#length < length) {
      const part = await this.#next();
      if (part === undefined) break;
      this.#waiting.push(part);
      this.#length += part.length;
    }
    if (this.#length === 0) return undefined;
    if (this.#length < length) throw damagedBackup("ends within a record");
    const whole = joined(this.#waiting);
    this.#waiting = [whole.subarray(length)];
    this.#length -= length;
    return whole.subarray(0, length);
  }
}

async function inflatedFrame(body: Uint8Array): Promise<string> {
  try {
    const bytes = await piped(new DecompressionStream("gzip"), body, longestFrame);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw damagedBackup("contains a record that can't be read or is too long");
  }
}

/** What comes out of the stream, up to so many bytes. It is fed slices: the runtime inflates a slice whole. */
async function piped(
  { readable, writable }: CompressionStream | DecompressionStream,
  bytes: Uint8Array,
  most: number,
): Promise<Uint8Array> {
  const reader = readable.getReader();
  const feeding = fed(writable.getWriter(), bytes);
  feeding.catch(() => undefined);
  const pieces: Uint8Array[] = [];
  let total = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    total += next.value.length;
    if (total > most) {
      reader.cancel().catch(() => undefined);
      throw new RangeError("too long");
    }
    pieces.push(next.value);
  }
  await feeding;
  return joined(pieces);
}

async function fed(writer: WritableStreamDefaultWriter, bytes: Uint8Array): Promise<void> {
  for (let from = 0; from < bytes.length; from += slice)
    await writer.write(bytes.slice(from, from + slice));
  await writer.close();
}

function recordOf(text: string): BackupRecord {
  const value = parseJson(text);
  if (value === undefined) throw damagedBackup("contains a record that can't be read");
  const parsed = recordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw damagedBackup("contains a record that this version does not know");
}
