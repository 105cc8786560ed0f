import { describe, expect, it } from "vitest";
import { allWrittenIn, nextBatchIn, WritePace } from "../../src/workspace/storage/write-pace.ts";

const start = 1_700_000_000_000;

/** So many objects that always have something to write, for so long: when each batch is due, and how long it waited. */
function busy(objects: number, length: number) {
  const pace = new WritePace();
  const due = Array.from({ length: objects }, () => start);
  const batches: { at: number; waited: number }[] = [];
  for (let now = start; now < start + length; now += 1)
    for (const [object, time] of due.entries()) {
      if (time > now) continue;
      const waited = pace.take(now);
      due[object] = now + waited;
      batches.push({ at: now + waited, waited });
    }
  return batches.filter(({ at }) => at >= start + length / 2 && at < start + length);
}

describe("batches of one process", () => {
  it("are written after half a second where few objects write", () => {
    for (const objects of [1, 10, 50]) {
      const batches = busy(objects, 20_000);
      expect(new Set(batches.map(({ waited }) => waited))).toEqual(new Set([500]));
      expect(batches).toHaveLength(objects * 20);
    }
  });

  it("are no more than a hundred a second up to three hundred objects", () => {
    for (const objects of [100, 200, 300])
      expect(busy(objects, 20_000).length).toBeLessThanOrEqual(1010);
  });

  it("wait no longer than three seconds, however many objects write", () => {
    for (const objects of [300, 1000]) {
      const waits = busy(objects, 12_000).map(({ waited }) => waited);
      expect(Math.max(...waits)).toBeLessThanOrEqual(3000);
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
    }
  });

  it("go on at once after a pause, and after a clock that was set back", () => {
    const pace = new WritePace();
    for (let batch = 0; batch < 500; batch += 1) pace.take(start);
    expect(pace.untilWritten(start)).toBe(3000);
    expect(pace.take(start + 60_000)).toBe(500);
    expect(pace.untilWritten(start + 120_000)).toBe(0);
    expect(pace.take(start - 3_600_000)).toBe(3000);
  });

  it("wait for nobody on the platform, whose objects share no disk", () => {
    for (let batch = 0; batch < 500; batch += 1) expect(nextBatchIn(null, start)).toBe(500);
    expect(allWrittenIn(start)).toBe(500);
  });
});
