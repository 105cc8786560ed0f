/** Words of others at a terminal, which takes some characters for commands. */

/** The text with escapes in place of what controls a terminal or turns the direction of text; lines and tabs stay. */
export function printable(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
    (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
