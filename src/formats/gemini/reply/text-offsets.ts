/** Places in a growing text by their offset in its UTF-8 form. The text is read once, however many places are asked for. */

/** Offsets of one text. */
export interface TextOffsets {
  /** Index in the string, in UTF-16 units, of a byte offset. `text`: that of before, or longer. */
  unitAt(text: string, bytes: number): number;
}

/** Units between two known places. */
const distance = 256;

/** The offsets of a text of which nothing was read. */
export function textOffsets(): TextOffsets {
  /** Places in order: the first at or behind each multiple of the distance. */
  const known: { readonly unit: number; readonly bytes: number }[] = [{ unit: 0, bytes: 0 }];
  let unit = 0;
  let bytes = 0;

  const readOn = (text: string): void => {
    // A pair of surrogates may come in two pieces: the last unit waits.
    while (unit < text.length - 1) {
      const code = text.codePointAt(unit) ?? 0;
      bytes += bytesOf(code);
      unit += unitsOf(code);
      if (unit >= known.length * distance) known.push({ unit, bytes });
    }
  };
  const before = (wanted: number): { readonly unit: number; readonly bytes: number } => {
    let [low, high] = [0, known.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((known[middle]?.bytes ?? 0) <= wanted) low = middle;
      else high = middle - 1;
    }
    return known[low] ?? { unit: 0, bytes: 0 };
  };
  return {
    unitAt(text, wanted) {
      readOn(text);
      const place = before(wanted);
      let left = wanted - place.bytes;
      let at = place.unit;
      while (left > 0 && at < text.length) {
        const code = text.codePointAt(at) ?? 0;
        left -= bytesOf(code);
        at += unitsOf(code);
      }
      return at;
    },
  };
}

function bytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}

function unitsOf(code: number): number {
  return code < 0x10000 ? 1 : 2;
}
