/** Times as text. */
import { describe, expect, it } from "vitest";
import { isoTime } from "../../src/lib/iso-time.ts";

describe("a time", () => {
  it.each([0, 1, 999, 1000, 1_795_377_079_184, 1_795_377_079_999, 1_795_377_080_000, 1000, -1])(
    "is written as Date writes it: %i",
    (time) => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
    },
  );
});
