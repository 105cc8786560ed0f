/** How many values a JSON text holds: `{},` is three bytes, and the object that it is parsed to takes many more. */

const [quote, backslash, comma, openBracket, openBrace] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Counts the values of a JSON text without parsing it: its objects and arrays, and what follows a comma, but nothing
 * that stands in strings. Stops at the first that is more than `most`.
 */
export function countValues(text: string, most: number): number {
  let values = 1;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === comma || code === openBrace || code === openBracket) values++;
  }
  return values;
}

/** Index of the quote that ends the string which opens at `from`; the text's length where none does. */
function endOfString(text: string, from: number): number {
  // The runtime's own search: most of a large body stands in strings.
  for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
