/**
 * A relayed stream as its clients can read it: a line of data and an empty one a chunk. Google sends nothing else, and
 * such text passes as it is; comments, names of events and end marks of other servers are left out.
 */
import type { TextFilter } from "../../../core/format.ts";
import { isObject, parseJson } from "../../../lib/json.ts";
import { sseRewriter, sseText } from "../../../lib/sse.ts";

/** A push filter over the text of a stream. */
export function cleanEvents(): TextFilter {
  /** An event has begun in text before. */
  let isOpen = false;
  const chunks = sseRewriter(({ data }) => {
    const isChunk = isObject(parseJson(data));
    // JSON in several lines is the same in one.
    return isChunk ? sseText(undefined, data.replaceAll("\n", " ")) : "";
  });
  return {
    feed(text) {
      if (!isOpen && isClean(text)) return text;
      isOpen = !/(?:\r\n\r\n|\n\n|\r\r)$/.test(text);
      return chunks.feed(text);
    },
    end: chunks.end,
  };
}

/** Whether the text holds whole chunks and nothing else. Each character is looked at once. */
function isClean(text: string): boolean {
  if (/\r(?!\n)/.test(text)) return false;
  let at = 0;
  while (at < text.length) {
    if (!text.startsWith("data: {", at) && !text.startsWith("data:{", at)) return false;
    const end = text.indexOf("\n", at);
    if (end < 0) return false;
    const next = text[end + 1] === "\r" ? end + 2 : end + 1;
    if (text[next] !== "\n") return false;
    at = next + 1;
  }
  return true;
}
