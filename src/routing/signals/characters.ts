/** Classes of UTF-16 units, over all scripts in use. Plain comparisons: these run once for every character. */

const asciiLetters = Uint8Array.from({ length: 128 }, (_, code) =>
  /\w/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Whether a UTF-16 unit belongs to a word. */
export function isLetter(code: number): boolean {
  if (code < 128) return asciiLetters[code] === 1;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code === 0xd7 || code === 0xf7) return false;
  if (code >= 0x2000 && code < 0x2e80) return false;
  if (code >= 0x3000 && code < 0x3041) return code === 0x3005;
  if (code === 0x60c || code === 0x61b || code === 0x61f || code === 0x964 || code === 0x965)
    return false;
  if (code >= 0xff00 && code < 0xff10) return false;
  return code !== 0xfeff;
}

/** Whether a UTF-16 unit belongs to a script without spaces between words: Thai, Lao, Khmer, Kana, Han. */
export function isSpaceless(code: number): boolean {
  return (
    (code >= 0xe00 && code < 0xf00) ||
    (code >= 0x1780 && code < 0x1800) ||
    (code >= 0x3041 && code < 0xa000)
  );
}

/** Whether a UTF-16 unit is a digit: ASCII, Arabic, Indic, Thai, full width. */
export function isDigit(code: number): boolean {
  if (code < 128) return code >= 48 && code <= 57;
  if (code >= 0xff10 && code <= 0xff19) return true;
  if (code >= 0x660 && code <= 0x669) return true;
  if (code >= 0x6f0 && code <= 0x6f9) return true;
  if (code >= 0x966 && code <= 0xdef) return (code & 0x7f) >= 0x66 && (code & 0x7f) <= 0x6f;
  return code >= 0xe50 && code <= 0xe59;
}

/** Whether a UTF-16 unit is a lower-case ASCII letter. */
export function isAsciiLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}
