/** The times of a request's stages, where the clock is set back while it runs. */
import { expect, test } from "vitest";
import { stageTimes } from "../../src/gateway/finished.ts";

test("no stage is before the one that it follows", () => {
  expect(stageTimes(1000, [1001, 1002, 400], 500)).toEqual({
    arrived: 1000,
    identified: 1001,
    parsed: 1002,
    planned: 1002,
    admitted: undefined,
    ended: 1002,
  });
});
