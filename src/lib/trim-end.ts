/** Takes characters off the end of a text. */

/**
 * The text without this character at its end. Read once: the pattern `/x+$/` begins anew at each of a long row of them
 * that something else follows, and texts come from strangers.
 *
 *     withoutEnd("/v1//", "/"); // "/v1"
 */
export function withoutEnd(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}
