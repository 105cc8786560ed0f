/** Long answers as text, written in slices that take turns with whatever else is read, and no faster than it is taken. */
import { readingPace } from "../../../workspace/storage/sql/slices.ts";

/** What one slice writes at most: values, and characters. */
const slice = { values: 100, length: 50_000 };

/** The values of the pages in slices, each in a turn of the owner's, which is a workspace. */
export async function* inSlices<Value>(
  owner: string,
  pages: AsyncIterable<readonly Value[]>,
): AsyncGenerator<readonly Value[]> {
  for await (const page of pages)
    for (let at = 0; at < page.length; at += slice.values) {
      await readingPace.turn(owner);
      yield page.slice(at, at + slice.values);
    }
}

/** Texts of the values joined to some that one slice writes each. */
export async function* pacedTexts<Value>(
  owner: string,
  pages: AsyncIterable<readonly Value[]>,
  write: (value: Value) => string,
): AsyncGenerator<string> {
  for await (const values of inSlices(owner, pages)) {
    let text = "";
    for (const value of values) {
      text += write(value);
      if (text.length < slice.length) continue;
      yield text;
      text = "";
      await readingPace.turn(owner);
    }
    if (text !== "") yield text;
  }
}

/** The texts as bytes, each made when the one before was taken. A fault breaks the stream off. */
export function pacedStream(texts: AsyncIterator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return?.();
    },
  });
}
