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
  const mark = encoder.encode(`\r\n--${boundary}`);
  let start: Uint8Array = new Uint8Array(0);
  for (;;) {
    const head = fileHead(start, mark);
    if (head !== undefined) {
      const fields = fieldsIn(start.subarray(0, head.from), boundary);
      return { fields, file: fileReader(reader, { begin: start.subarray(head.to), mark }) };
    }
    if (start.length > longestStart) throw new NotMultipart("its fields are too long");
    const next = await reader.read();
    if (next === undefined) return { fields: fieldsIn(start, boundary), file: undefined };
    start = joined([start, next]);
  }
}

/** Where the boundary before the file begins, and where its bytes do; undefined while that is not there. */
function fileHead(bytes: Uint8Array, mark: Uint8Array): { from: number; to: number } | undefined {
  // The first boundary has no line break before it.
  const first = mark.subarray(2);
  for (let from = stands(first, bytes, 0) ? 0 : indexOf(bytes, mark, 0); from >= 0;) {
    const head = from + (from === 0 ? first.length : mark.length);
    const end = indexOf(bytes, blankLine, head);
    if (end < 0) return undefined;
    const text = decoder.decode(bytes.subarray(head, end));
    if (/content-disposition:[^\r\n]*;\s*filename\*?=/i.test(text))
      return { from, to: end + blankLine.length };
    // The line break that ends the head is the one before the next boundary where the value is empty.
    from = indexOf(bytes, mark, end + 2);
  }
  return undefined;
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
