/** The first bytes of media files, as base64. */

const big = (value: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => (value >>> (8 * (count - 1 - n))) & 255);
const little = (value: number, count: number): number[] => big(value, count).toReversed();
const letters = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

/** Base64 of bytes, filled up so that more base64 can follow. */
export function encode(bytes: readonly number[]): string {
  const filled = [...bytes, ...Array.from({ length: (3 - (bytes.length % 3)) % 3 }, () => 0)];
  return btoa(filled.map((byte) => String.fromCharCode(byte)).join(""));
}

export function png(width: number, height: number): string {
  const head = [0x89, ...letters("PNG\r\n\x1a\n"), ...big(13, 4), ...letters("IHDR")];
  return encode([...head, ...big(width, 4), ...big(height, 4), 8, 6, 0, 0, 0, ...big(0, 4)]);
}

export function gif(width: number, height: number): string {
  return encode([...letters("GIF89a"), ...little(width, 2), ...little(height, 2), ...big(0, 20)]);
}

/** The size stands behind `before` bytes of other segments, as cameras write them. */
export function jpeg(width: number, height: number, before = 0): string {
  const exif =
    before === 0
      ? []
      : [0xff, 0xe1, ...big(before, 2), ...Array.from({ length: before - 2 }, () => 0)];
  const frame = [0xff, 0xc0, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), 3];
  return encode([0xff, 0xd8, ...exif, ...frame, ...big(0, 10)]);
}

/** The extended form. */
export function webp(width: number, height: number): string {
  const head = [...letters("RIFF"), ...little(1000, 4), ...letters("WEBPVP8X"), ...little(10, 4)];
  return encode([...head, ...big(0, 4), ...little(width - 1, 3), ...little(height - 1, 3)]);
}

export function wave(bytesPerSecond: number, seconds: number): string {
  const size = bytesPerSecond * seconds;
  const format = [...letters("fmt "), ...little(16, 4), 1, 0, 1, 0, ...little(8000, 4)];
  const head = [...letters("RIFF"), ...little(size + 36, 4), ...letters("WAVE"), ...format];
  return encode([...head, ...little(bytesPerSecond, 4), 2, 0, 16, 0]) + "A".repeat((size / 3) * 4);
}

export function pdf(pages: number): string {
  const tree = `<</Type /Pages /Kids [3 0 R] /Count ${pages}>>`;
  const body = "stream\n" + "x".repeat(40_000) + "\nendstream\n";
  return encode(letters(`%PDF-1.4\n1 0 obj\n${body}endobj\n2 0 obj\n${tree}\nendobj\n%%EOF`));
}
