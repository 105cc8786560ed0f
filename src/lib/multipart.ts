/** Reads and writes bodies of `multipart/form-data` (RFC 7578), a part's value never copied before it is written again. */
import { joined } from "./bytes.ts";

/** A body that is no form, or one beyond every real one. */
export class NotMultipart extends Error {}

/** One part of a form. */
export interface FormPart {
  readonly name: string;
  /** Set where the part is a file. */
  readonly filename?: string;
  /** Its media type, where it says so. */
  readonly type?: string;
  readonly value: Uint8Array;
}

const mostParts = 1000;
/** Bytes of the header lines of one part. */
const longestHead = 16 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const [carriageReturn, lineFeed, dash] = [13, 10, 45];

/** The boundary that a media type names; undefined where it is no form's. */
export function boundaryOf(type: string): string | undefined {
  const match = /^\s*multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]*)"|([^\s;"]*))/is.exec(
    type,
  );
  const boundary = match?.[1] ?? match?.[2];
  return boundary !== undefined && /^[\x20-\x7e]{1,200}$/.test(boundary) ? boundary : undefined;
}

/** The parts in their order; values are views of `bytes`. Throws NotMultipart. */
export function readForm(bytes: Uint8Array, boundary: string): FormPart[] {
  const mark = encoder.encode(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  let at = firstPart(bytes, mark);
  while (!isLast(bytes, at)) {
    const head = headEnd(bytes, at);
    const start = head + 4;
    // The line break that ends the head is the one before the next boundary where the value is empty.
    const end = indexOf(bytes, mark, start - 2);
    if (end < 0) throw new NotMultipart("it ends within a part");
    parts.push(
      partOf(decoder.decode(bytes.subarray(at, head)), bytes.subarray(start, Math.max(start, end))),
    );
    if (parts.length > mostParts) throw new NotMultipart(`it has more than ${mostParts} parts`);
    at = afterMark(bytes, end + mark.length);
  }
  return parts;
}

/** The same parts as a body with this boundary, which must not stand in any of them. */
export function writeForm(parts: readonly FormPart[], boundary: string): Uint8Array {
  const pieces = parts.flatMap((part) => [
    encoder.encode(`--${boundary}\r\n${headOf(part)}\r\n\r\n`),
    part.value,
    encoder.encode("\r\n"),
  ]);
  return joined([...pieces, encoder.encode(`--${boundary}--\r\n`)]);
}

/** Behind the first boundary, before which there may be a preamble. */
function firstPart(bytes: Uint8Array, mark: Uint8Array): number {
  const begins = mark.subarray(2).every((byte, at) => bytes[at] === byte);
  const end = begins ? mark.length - 2 : indexOf(bytes, mark, 0) + mark.length;
  if (!begins && end < mark.length) throw new NotMultipart("its boundary is missing");
  return afterMark(bytes, end);
}

/** Behind the line of a boundary; where the last one ends, before its dashes. */
function afterMark(bytes: Uint8Array, from: number): number {
  if (isLast(bytes, from)) return from;
  let at = from;
  while (bytes[at] === 32 || bytes[at] === 9) at++;
  if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed)
    throw new NotMultipart("a boundary does not end its line");
  return at + 2;
}

function isLast(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === dash && bytes[at + 1] === dash;
}

const blankLine = encoder.encode("\r\n\r\n");

/** Where the header lines of a part end, before their blank line. */
function headEnd(bytes: Uint8Array, from: number): number {
  const end = indexOf(bytes.subarray(from, from + longestHead), blankLine, 0);
  if (end < 0) throw new NotMultipart("a part has no end of its headers");
  return from + end;
}

/** Linear: the mark begins with a carriage return and holds no other, so no byte is compared more than twice. */
function indexOf(bytes: Uint8Array, mark: Uint8Array, from: number): number {
  for (
    let at = bytes.indexOf(carriageReturn, from);
    at >= 0;
    at = bytes.indexOf(carriageReturn, at + 1)
  ) {
    let same = 1;
    while (same < mark.length && bytes[at + same] === mark[same]) same++;
    if (same === mark.length) return at;
  }
  return -1;
}

function partOf(head: string, value: Uint8Array): FormPart {
  const headers = new Map(
    head.split("\r\n").map((line): [string, string] => {
      const colon = line.indexOf(":");
      return [line.slice(0, Math.max(0, colon)).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const disposition = headers.get("content-disposition") ?? "";
  const encoding = (headers.get("content-transfer-encoding") ?? "binary").toLowerCase();
  if (!/^(?:binary|7bit|8bit)$/.test(encoding)) throw new NotMultipart("a part is encoded");
  const name = parameter(disposition, "name");
  if (name === undefined) throw new NotMultipart("a part has no name");
  const filename = parameter(disposition, "filename");
  const type = headers.get("content-type");
  return {
    name,
    ...(filename !== undefined && { filename }),
    ...(type !== undefined && { type }),
    value,
  };
}

/** A parameter of `Content-Disposition`, in quotes, plain, or encoded as RFC 5987 says. */
function parameter(disposition: string, name: string): string | undefined {
  const plain = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(
    disposition,
  );
  if (plain !== null) return plain[1]?.replace(/\\(["\\])/g, "$1") ?? plain[2];
  const encoded = new RegExp(`;\\s*${name}\\*=utf-8''([^\\s;]+)`, "i").exec(disposition)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** As browsers write them: nothing in a name can end its line or its quotes. */
function headOf({ name, filename, type }: FormPart): string {
  const file = filename === undefined ? "" : `; filename="${escaped(filename)}"`;
  const typed = type === undefined ? "" : `\r\nContent-Type: ${type.replace(/[\r\n]+/g, " ")}`;
  return `Content-Disposition: form-data; name="${escaped(name)}"${file}${typed}`;
}

function escaped(text: string): string {
  return text.replace(/"/g, "%22").replace(/\r/g, "%0D").replace(/\n/g, "%0A");
}
