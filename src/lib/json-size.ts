/** How many values a JSON text holds: `{},` is three bytes, and the object that it is parsed to takes many more. */
import { closingQuote } from "./json.ts";

const [quote, comma, openBracket, openBrace] = [0x22, 0x2c, 0x5b, 0x7b];

/**
 * Counts the values of a JSON text without parsing it: its objects and arrays, and what follows a comma, but nothing
 * that stands in strings. Stops at the first that is more than `most`.
 */
export function countValues(text: string, most: number): number {
  let values = 1;
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = closingQuote(text, at);
    else if (code === comma || code === openBrace || code === openBracket) values++;
  }
  return values;
}
