/** Answers of JSON lines: one value a line, written as they come, so that all of them are never in memory together. */

/** Media type of such answers. */
export const linesType = "application/x-ndjson";

/** The lines as bytes. A fault in the middle breaks the answer off: what was read is not the whole. */
export function linesStream(values: AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const iterator = values[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
