/** Answers of JSON lines: one value a line, written as they come, so that all of them are never in memory together. */

import { pacedTexts, pacedStream } from "./paced-text.ts";

/** Media type of such answers. */
export const linesType = "application/x-ndjson";

/** The lines as bytes. A fault in the middle breaks the answer off: what was read is not the whole. */
export function linesStream(values: AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
  return pacedStream(pacedTexts(linesType, someAtOnce(values), line));
}

/** Values that are written in one slice. */
const mostAtOnce = 25;

async function* someAtOnce(values: AsyncIterable<unknown>): AsyncGenerator<readonly unknown[]> {
  let some: unknown[] = [];
  for await (const value of values) {
    some.push(value);
    if (some.length < mostAtOnce) continue;
    yield some;
    some = [];
  }
  yield some;
}
