/** Cursors of pages: the place in a list after which the next page begins, opaque to callers. */
import { invalid } from "../../core/problem.ts";
import { base64url, fromBase64url } from "../../lib/ids.ts";

/** The cursor of a place. */
export function writeCursor(seq: number): string {
  return base64url(new TextEncoder().encode(`s${seq}`));
}

/** The place; 400 when the text is no cursor. */
export function readCursor(text: string): number {
  const bytes = fromBase64url(text);
  const seq = /^s(\d{1,15})$/.exec(bytes === undefined ? "" : new TextDecoder().decode(bytes))?.[1];
  if (seq === undefined) throw invalid("before", "is not a cursor of this list");
  return Number(seq);
}
