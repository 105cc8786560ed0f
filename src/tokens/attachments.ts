/**
 * What can be told about a picture, a document or a sound from the first bytes of its base64 text, at a cost that
 * does not grow with it.
 */

export interface PixelSize {
  width: number;
  height: number;
}

/** Segments of a JPEG that are passed over on the way to its size. */
const jpegSegments = 64;

/** Width and height from the header of a PNG, JPEG, GIF or WebP; undefined for anything else. */
export function pixelSize(data: string): PixelSize | undefined {
  const head = bytesAt(data, 0, 30);
  if (head === undefined) return undefined;
  if (head.startsWith("\x89PNG")) return sized(big(head, 16, 4), big(head, 20, 4));
  if (head.startsWith("GIF8")) return sized(little(head, 6, 2), little(head, 8, 2));
  if (head.startsWith("\xff\xd8")) return jpegSize(data);
  if (head.startsWith("RIFF") && head.startsWith("WEBP", 8)) return webpSize(head);
  return undefined;
}

function jpegSize(data: string): PixelSize | undefined {
  let at = 2;
  for (let seen = 0; seen < jpegSegments; seen++) {
    const segment = bytesAt(data, at, 9);
    if (segment === undefined || segment.charCodeAt(0) !== 0xff) return undefined;
    const marker = segment.charCodeAt(1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf;
    if (isFrame && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc)
      return sized(big(segment, 7, 2), big(segment, 5, 2));
    at += 2 + big(segment, 2, 2);
  }
  return undefined;
}

function webpSize(head: string): PixelSize | undefined {
  if (head.startsWith("VP8X", 12)) return sized(little(head, 24, 3) + 1, little(head, 27, 3) + 1);
  if (head.startsWith("VP8 ", 12))
    return sized(little(head, 26, 2) & 0x3fff, little(head, 28, 2) & 0x3fff);
  if (!head.startsWith("VP8L", 12)) return undefined;
  const bits = little(head, 21, 4);
  return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

function sized(width: number, height: number): PixelSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}

/** Where the number of pages stands in the open: at the front or at the end. */
const pdfHead = 6000;
const pdfTail = 12_000;
/** Base64 that a page of a PDF usually takes, and the least that it can take. */
const usualPage = 90_000;
const leastPage = 400;

/** Mentions of page trees that are looked into. */
const pageNodes = 40;

/** Pages of a PDF: as many as its page tree says where that is not compressed, otherwise as its length suggests. */
export function pdfPages(data: string): number {
  const said = Math.max(pagesIn(bytesAt(data, 0, pdfHead)), pagesIn(tailOf(data)));
  if (said > 0) return Math.min(said, Math.ceil(data.length / leastPage));
  return Math.ceil(data.length / usualPage);
}

function tailOf(data: string): string | undefined {
  const bytes = Math.floor(data.length / 4) * 3;
  return bytes <= pdfHead ? undefined : bytesAt(data, Math.max(pdfHead, bytes - pdfTail), pdfTail);
}

/** The highest count of a page tree's node; the first page dictionary of a linearized file gives it as well. */
function pagesIn(text: string | undefined): number {
  let pages = 0;
  if (text === undefined) return pages;
  const linear = text.indexOf("/Linearized");
  if (linear >= 0) pages = numberAfter(text.slice(linear, linear + 300), "/N ");
  let at = text.indexOf("/Pages");
  for (let seen = 0; at >= 0 && seen < pageNodes; seen++, at = text.indexOf("/Pages", at + 6)) {
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

/** Bytes a second of sound that nobody told: MP3, and what telephones and browsers record. */
const mp3Rate = 16_000;
const speechRate = 5000;

/** Seconds that a sound lasts. */
export function soundSeconds(data: string, mime: string): number {
  const bytes = data.length * 0.75;
  const head = bytesAt(data, 0, 32);
  const isWave = head?.startsWith("RIFF") === true && head.startsWith("WAVE", 8);
  const rate = isWave
    ? little(head, 28, 4)
    : /opus|ogg|webm|mp4|m4a|aac|amr/.test(mime)
      ? speechRate
      : mp3Rate;
  return bytes / Math.max(rate, 1000);
}

/** The first `count` bytes of a text in base64, read as UTF-8. */
export function textStart(data: string, count: number): string | undefined {
  const bytes = bytesAt(data, 0, count);
  if (bytes === undefined) return undefined;
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

/** Bytes as characters from any place of a base64 text; undefined past its end and for what is not base64. */
function bytesAt(data: string, offset: number, count: number): string | undefined {
  const start = Math.floor(offset / 3) * 4;
  const skipped = offset % 3;
  const end = start + Math.ceil((skipped + count) / 3) * 4;
  try {
    const bytes = atob(data.slice(start, end)).slice(skipped, skipped + count);
    return bytes === "" ? undefined : bytes;
  } catch {
    // Not base64: nothing can be told from it.
    return undefined;
  }
}

function big(bytes: string, at: number, count: number): number {
  let number = 0;
  for (let n = 0; n < count; n++) number = number * 256 + (bytes.charCodeAt(at + n) || 0);
  return number;
}

function little(bytes: string, at: number, count: number): number {
  let number = 0;
  for (let n = count - 1; n >= 0; n--) number = number * 256 + (bytes.charCodeAt(at + n) || 0);
  return number;
}
