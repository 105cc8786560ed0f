/** Reads a form whose last part is a file, while it arrives: the fields before it, then the file, piece by piece. */
import { joined, type ByteReader } from "./bytes.ts";
import { NotMultipart, readForm } from "./multipart.ts";

/** A form with a file. */
export interface FormUpload {
  /** Fields that stand before the file. */
  readonly fields: ReadonlyMap<string, string>;
  /** Empty where none was chosen; undefined where the form has no file. Its `read` throws NotMultipart where it is cut off. */
  readonly file: ByteReader | undefined;
}

/** Bytes of the fields before the file, with their headers. */
const longestStart = 64 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
const [carriageReturn, blankLine] = [13, encoder.encode("\r\n\r\n")];

/** Throws NotMultipart. */
export async function readUpload(reader: ByteReader, boundary: string): Promise<FormUpload> {
  const start = new FormStart(boundary);
  for (;;) {
    const next = await reader.read();
    if (next === undefined) return { fields: fieldsIn(start.bytes, boundary), file: undefined };
    const found = start.add(next);
    if (found === undefined) continue;
    const fields = fieldsIn(start.bytes.subarray(0, found.part), boundary);
    const begin = start.bytes.subarray(found.content);
    return { fields, file: fileReader(reader, { begin, mark: markOf(boundary) }) };
  }
}

function markOf(boundary: string): Uint8Array {
  return encoder.encode(`\r\n--${boundary}`);
}

/** Where the boundary before the file begins, and where the file does. */
interface FileStart {
  readonly part: number;
  readonly content: number;
}

/** A form up to its file. No byte is looked at again and again: a sender may give each by itself. */
export class FormStart {
  readonly #mark: Uint8Array;
  #room = new Uint8Array(4096);
  #length = 0;
  /** Before this nothing more is to be found. */
  #from = 0;
  /** Where the boundary of a part begins whose head is not whole yet. */
  #part: number | undefined;

  constructor(boundary: string) {
    this.#mark = markOf(boundary);
  }

  /** What has come so far. */
  get bytes(): Uint8Array {
    return this.#room.subarray(0, this.#length);
  }

  /** Undefined while the file has not begun. Throws NotMultipart where there are too many bytes before it. */
  add(piece: Uint8Array): FileStart | undefined {
    if (this.#length > longestStart) throw new NotMultipart("its fields are too long");
    this.#keep(piece);
    for (let part = this.#nextPart(); part !== undefined; part = this.#nextPart()) {
      const end = this.#find(blankLine);
      if (end === undefined) return undefined;
      if (isFile(decoder.decode(this.#room.subarray(part, end))))
        return { part, content: end + blankLine.length };
      // The line break that ends the head is the one before the next boundary where the value is empty.
      this.#from = end + 2;
      this.#part = undefined;
    }
    return undefined;
  }

  #keep(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#room.length) {
      const room = new Uint8Array(Math.max(length, 2 * this.#room.length));
      room.set(this.bytes);
      this.#room = room;
    }
    this.#room.set(piece, this.#length);
    this.#length = length;
  }

  /** The part whose head comes next. */
  #nextPart(): number | undefined {
    if (this.#part !== undefined) return this.#part;
    // The first boundary has no line break before it.
    const first = this.#mark.subarray(2);
    const isFirst = this.#from === 0 && stands(first, this.bytes, 0);
    const found = isFirst ? 0 : this.#find(this.#mark);
    if (found === undefined) return undefined;
    this.#part = found;
    this.#from = found + (isFirst ? first.length : this.#mark.length);
    return found;
  }

  #find(mark: Uint8Array): number | undefined {
    const at = indexOf(this.bytes, mark, this.#from);
    if (at >= 0) return at;
    // It may have begun.
    this.#from = Math.max(this.#from, this.#length - mark.length);
    return undefined;
  }
}

/** Only at the beginning of a line: a pattern that begins anywhere would look at a long line again and again. */
function isFile(head: string): boolean {
  return /^content-disposition:[^\r\n]*;\s*filename\*?=/im.test(head);
}

function fieldsIn(bytes: Uint8Array, boundary: string): Map<string, string> {
  const begin = encoder.encode(`--${boundary}`);
  const isEmpty = bytes.length === 0;
  const end = encoder.encode(isEmpty ? `--${boundary}--\r\n` : `\r\n--${boundary}--\r\n`);
  const isWhole = indexOf(bytes, encoder.encode(`\r\n--${boundary}--`), 0) >= 0;
  if (!isEmpty && !stands(begin, bytes, 0)) throw new NotMultipart("its boundary is missing");
  const parts = readForm(isWhole ? bytes : joined([bytes, end]), boundary);
  return new Map(parts.map(({ name, value }) => [name, decoder.decode(value)]));
}

/** The bytes up to the next boundary; what may be its beginning is held back. */
function fileReader(
  reader: ByteReader,
  { begin, mark }: { begin: Uint8Array; mark: Uint8Array },
): ByteReader {
  let waiting = begin;
  let ended = false;
  return {
    async read() {
      while (!ended) {
        const end = indexOf(waiting, mark, 0);
        if (end >= 0) {
          ended = true;
          return end === 0 ? undefined : waiting.subarray(0, end);
        }
        const free = waiting.length - mark.length + 1;
        if (free > 0) {
          const piece = waiting.subarray(0, free);
          waiting = waiting.slice(free);
          return piece;
        }
        const next = await reader.read();
        if (next === undefined) throw new NotMultipart("it ends within the file");
        waiting = joined([waiting, next]);
      }
      return undefined;
    },
    cancel: (reason) => reader.cancel(reason),
  };
}

function indexOf(bytes: Uint8Array, mark: Uint8Array, from: number): number {
  let at = bytes.indexOf(carriageReturn, from);
  while (at >= 0 && !stands(mark, bytes, at)) at = bytes.indexOf(carriageReturn, at + 1);
  return at;
}

function stands(mark: Uint8Array, bytes: Uint8Array, at: number): boolean {
  let same = 0;
  while (same < mark.length && bytes[at + same] === mark[same]) same++;
  return same === mark.length;
}
