import { describe, expect, it } from "vitest";
import {
  histogramOf,
  isLong,
  addHistograms,
  percentilesOf,
  shortened,
} from "../../../src/workspace/rules/sums/histogram.ts";
import { percentile } from "../../../src/workspace/rules/answer-lengths.ts";

/** The same numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const kinds: Record<string, (random: () => number) => number> = {
  "all alike": () => 431,
  "spread evenly": (random) => Math.floor(random() * 90_000),
  "a few very long ones": (random) => Math.floor(80 / (1.0005 - random()) ** 1.4),
  "fast ones of a server nearby": (random) => Math.floor(random() * 12),
  "up to an hour": (random) => Math.floor(Math.exp(random() * Math.log(3_600_000))),
};

describe.each(Object.entries(kinds))("a histogram of times: %s", (_name, next) => {
  const random = numbers(3);
  const times = Array.from({ length: 5000 }, () => next(random));
  const histogram = times.map(histogramOf).join("");

  it("has percentiles that are at most a tenth off", () => {
    const found = percentilesOf(histogram);
    for (const [name, share] of [
      ["p50", 0.5],
      ["p95", 0.95],
      ["p99", 0.99],
    ] as const) {
      const exact = percentile(times, share);
      expect(Math.abs((found?.[name] ?? NaN) - exact)).toBeLessThanOrEqual(exact * 0.1 + 1e-9);
    }
  });

  it("says the same however it was joined and shortened", () => {
    const parts = [0, 1, 2, 3, 4].map((part) =>
      times
        .filter((_time, index) => index % 5 === part)
        .map(histogramOf)
        .join(""),
    );
    const inParts = parts.map(shortened).reduce(addHistograms, "");
    const oneByOne = times.map(histogramOf).reduce(addHistograms, "");
    expect(shortened(inParts)).toBe(shortened(histogram));
    expect(shortened(oneByOne)).toBe(shortened(histogram));
    expect(isLong(inParts) || isLong(shortened(histogram))).toBe(false);
  });
});

describe("a histogram", () => {
  it("without times has no percentiles", () => {
    expect(histogramOf(null)).toBe("");
    expect(histogramOf(NaN)).toBe("");
    expect(histogramOf(-1)).toBe("");
    expect(percentilesOf("")).toBeNull();
  });

  it("takes times of any length, the longest as three hours", () => {
    for (const time of [0, 1, 0.4, 3_600_000, 1e9, Infinity])
      expect(histogramOf(time)).toHaveLength(1);
    expect(percentilesOf(histogramOf(1e9))?.p50).toBeGreaterThan(10_000_000);
  });

  it("stays short whatever is added to it", () => {
    let histogram = "";
    for (let time = 0; time < 100_000; time += 1)
      histogram = addHistograms(histogram, histogramOf(time));
    expect(isLong(histogram)).toBe(false);
    expect(percentilesOf(histogram)?.p50).toBeGreaterThan(45_000);
  });
});
