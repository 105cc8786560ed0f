/** A provider's body is read into memory that is used again once a piece is used up. */
import { expect, it } from "vitest";
import { sourceOf } from "../../src/upstream/source.ts";
import { random } from "../kit/random.ts";
import { seeds } from "../kit/sample.ts";

/** A body that gives these bytes in reads of its own. */
function bodyOf(bytes: Uint8Array, sizes: () => number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const next = bytes.slice(at, at + sizes());
      at += next.length;
      if (next.length > 0) controller.enqueue(next);
      else {
        controller.close();
        controller.byobRequest?.respond(0);
      }
    },
  });
}

it.each(seeds(20))("every byte comes once, in its place: seed %i", async (seed) => {
  const rng = random(seed);
  const events = Array.from(
    { length: 300 },
    (_, at) => `data: ${at} ${"é".repeat(rng.int(0, 200))}\n\n`,
  );
  // One event is longer than any read.
  events.splice(rng.int(0, 299), 0, `data: ${"x".repeat(200_000)}\n\n`);
  const whole = events.join("");
  const sizes = (): number => (rng.chance(0.5) ? rng.int(1, 300) : rng.int(1, 20_000));
  const fed: string[] = [];
  const reader = {
    feed: (text: string) => (fed.push(text), []),
    end: () => [],
  };
  const source = sourceOf(bodyOf(new TextEncoder().encode(whole), sizes), reader);
  const decoder = new TextDecoder();
  let read = "";
  for (let last = false; !last;) {
    const piece = await source.read();
    read += decoder.decode(piece.bytes, { stream: true });
    ({ last } = piece);
    source.release?.();
  }
  expect(read === whole).toBe(true);
  expect(fed.join("") === whole).toBe(true);
});
