/** Reads the size of images, documents and audio from their headers, at a cost that does not grow with the file. */

/** Size of an image in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Segments of a JPEG that are searched for its size. */
const maxJpegSegments = 64;

/** Width and height from the header of a PNG, JPEG, GIF or WebP; undefined for anything else. */
export function pixelSize(data: string): PixelSize | undefined {
  const head = bytesAt(data, 0, 30);
  if (head === undefined) return undefined;
  if (head.startsWith("\x89PNG")) return sizeOf(bigEndian(head, 16, 4), bigEndian(head, 20, 4));
  if (head.startsWith("GIF8")) return sizeOf(littleEndian(head, 6, 2), littleEndian(head, 8, 2));
  if (head.startsWith("\xff\xd8")) return jpegSize(data);
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return webpSize(head);
  return undefined;
}

function jpegSize(data: string): PixelSize | undefined {
  let at = 2;
  for (let searched = 0; searched < maxJpegSegments; searched++) {
    const segment = bytesAt(data, at, 9);
    if (segment === undefined || segment.charCodeAt(0) !== 0xff) return undefined;
    const marker = segment.charCodeAt(1);
    const isFrameHeader = marker >= 0xc0 && marker <= 0xcf;
    if (isFrameHeader && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return sizeOf(bigEndian(segment, 7, 2), bigEndian(segment, 5, 2));
    at += 2 + bigEndian(segment, 2, 2);
  }
  return undefined;
}

function webpSize(head: string): PixelSize | undefined {
  if (head.startsWith("VP8X", 12))
    return sizeOf(littleEndian(head, 24, 3) + 1, littleEndian(head, 27, 3) + 1);
  if (head.startsWith("VP8 ", 12))
    return sizeOf(littleEndian(head, 26, 2) & 0x3fff, littleEndian(head, 28, 2) & 0x3fff);
  if (!head.startsWith("VP8L", 12)) return undefined;
  const bits = littleEndian(head, 21, 4);
  return sizeOf((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function sizeOf(width: number, height: number): PixelSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Bytes at both ends of a PDF in which its page tree is looked for. */
const pdfHead = 6000;
const pdfTail = 12_000;
/** Base64 characters of a usual page of a PDF, and of the shortest possible one. */
const usualPageLength = 90_000;
const minPageLength = 400;

/** Nodes of page trees that are read. */
const maxPageNodes = 40;

/** Pages of a PDF: by its page tree where that is not compressed, otherwise estimated from its length. */
export function pdfPages(data: string): number {
  const stated = Math.max(pagesIn(bytesAt(data, 0, pdfHead)), pagesIn(tailOf(data)));
  if (stated > 0) return Math.min(stated, Math.ceil(data.length / minPageLength));
  return Math.ceil(data.length / usualPageLength);
}

function tailOf(data: string): string | undefined {
  const bytes = Math.floor(data.length / 4) * 3;
  return bytes <= pdfHead ? undefined : bytesAt(data, Math.max(pdfHead, bytes - pdfTail), pdfTail);
}

/** The largest count of a page tree node, or that of a linearized file's first dictionary. */
function pagesIn(text: string | undefined): number {
  let pages = 0;
  if (text === undefined) return pages;
  const linear = text.indexOf("/Linearized");
  if (linear >= 0) pages = numberAfter(text.slice(linear, linear + 300), "/N ");
  let at = text.indexOf("/Pages");
  for (
    let nodes = 0;
    at >= 0 && nodes < maxPageNodes;
    nodes++, at = text.indexOf("/Pages", at + 6)
  ) {
    const start = text.lastIndexOf("<<", at);
    const end = text.indexOf(">>", at);
    if (start < 0 || end < 0) continue;
    pages = Math.max(pages, numberAfter(text.slice(start, end), "/Count "));
  }
  return pages;
}

function numberAfter(text: string, name: string): number {
  const at = text.indexOf(name);
  if (at < 0) return 0;
  const number = Number.parseInt(text.slice(at + name.length, at + name.length + 8), 10);
  return number > 0 ? number : 0;
}

/** Usual bytes per second of MP3, and of what phones and browsers record. */
const mp3Rate = 16_000;
const speechRate = 5000;

/** Duration of a recording in seconds: WAV headers state the rate, other formats have a usual one. */
export function audioSeconds(data: string, mime: string): number {
  const bytes = data.length * 0.75;
  const head = bytesAt(data, 0, 32);
  const isWave = head?.startsWith("RIFF") === true && head.startsWith("WAVE", 8);
  const rate = isWave
    ? littleEndian(head, 28, 4)
    : /opus|ogg|webm|mp4|m4a|aac|amr/.test(mime)
      ? speechRate
      : mp3Rate;
  return bytes / Math.max(rate, 1000);
}

/** The first `count` bytes of base64 data, read as UTF-8; undefined for what is not base64. */
export function textStart(data: string, count: number): string | undefined {
  const bytes = bytesAt(data, 0, count);
  if (bytes === undefined) return undefined;
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Bytes as characters from any offset of base64 data; undefined past its end and for what is not base64. */
function bytesAt(data: string, offset: number, count: number): string | undefined {
  const start = Math.floor(offset / 3) * 4;
  const skipped = offset % 3;
  const end = start + Math.ceil((skipped + count) / 3) * 4;
  try {
    const bytes = atob(data.slice(start, end)).slice(skipped, skipped + count);
    return bytes === "" ? undefined : bytes;
  } catch {
    // Not base64: the caller falls back to an estimate.
    return undefined;
  }
}

function bigEndian(bytes: string, at: number, count: number): number {
  let number = 0;
  for (let n = 0; n < count; n++) number = number * 256 + (bytes.charCodeAt(at + n) || 0);
  return number;
}

function littleEndian(bytes: string, at: number, count: number): number {
  let number = 0;
  for (let n = count - 1; n >= 0; n--) number = number * 256 + (bytes.charCodeAt(at + n) || 0);
  return number;
}
