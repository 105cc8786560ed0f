import { expect, it } from "vitest";
import type { ReplyEvent } from "../../src/core/events.ts";
import { streamReader } from "../../src/translation/stream-reader.ts";

/** A reader that emits each text as a block's delta, and throws what `onFeed` throws. */
function reader(onFeed: (text: string) => void = () => {}) {
  let events: ReplyEvent[] = [];
  let ended = false;
  return streamReader({
    feed(text) {
      onFeed(text);
      events.push({ kind: "delta", key: 0, text });
    },
    end() {
      ended = true;
      events.push({ kind: "end" });
    },
    fail(message) {
      ended = true;
      events.push({ kind: "fail", failure: { cause: "cut", status: 502, message } });
    },
    ended: () => ended,
    drain() {
      const drained = events;
      events = [];
      return drained;
    },
  });
}

it("gives the events of each text, and nothing after the end", () => {
  const stream = reader();
  expect(stream.feed("a")).toEqual([{ kind: "delta", key: 0, text: "a" }]);
  expect(stream.end()).toEqual([{ kind: "end" }]);
  expect([...stream.feed("b"), ...stream.end()]).toEqual([]);
});

it("fails where the parser refuses an endless event", () => {
  const stream = reader(() => {
    throw new RangeError("too long");
  });
  expect(stream.feed("a")).toMatchObject([{ kind: "fail", failure: { message: "too long" } }]);
  expect(stream.end()).toEqual([]);
});

it("does not hide other errors", () => {
  const stream = reader(() => {
    throw new TypeError("a fault of the program");
  });
  expect(() => stream.feed("a")).toThrow(TypeError);
});
