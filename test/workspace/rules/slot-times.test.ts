import { describe, expect, it } from "vitest";
import {
  newSlotTimes,
  promiseSlot,
  secondsUntilSlot,
  slotLasted,
  type SlotTimes,
} from "../../../src/workspace/rules/slot-times.ts";

const slots = 10;
const begun = Array.from({ length: slots }, () => 0);

function lasting(ms: number): SlotTimes {
  const times = newSlotTimes();
  for (let n = 0; n < 32; n++) slotLasted(times, ms);
  return times;
}

/** What so many refused requests of the key are told, one after another. */
function told(times: SlotTimes, key: string, { count = 1, now = 0 } = {}): number[] {
  return Array.from({ length: count }, () => {
    const seconds = secondsUntilSlot(times, { key, begun, slots, now });
    promiseSlot(times, key, now + seconds * 1000);
    return seconds;
  });
}

describe("when a refused request finds a slot", () => {
  it("follows from what requests took, and how long those under way have been running", () => {
    expect(told(lasting(6000), "a")).toEqual([7]);
    expect(told(lasting(6000), "a", { now: 4000 })).toEqual([3]);
    expect(told(lasting(100), "a")).toEqual([1]);
  });

  it("is never beyond what clients wait for, and never at once", () => {
    expect(told(lasting(600_000), "a")).toEqual([59]);
    expect(told(lasting(1000), "a", { now: 10_000_000 })).toEqual([59]);
    expect(told(lasting(0), "a")).toEqual([1]);
  });

  it("is later for each wave: ten come back for ten slots", () => {
    expect(told(lasting(6000), "a", { count: 15 })).toEqual([
      ...Array.from({ length: 10 }, () => 7),
      ...Array.from({ length: 5 }, () => 14),
    ]);
  });

  it("is no later for a key because another one floods", () => {
    const times = lasting(6000);
    told(times, "flood", { count: 500 });
    expect(told(times, "quiet")).toEqual([7]);
  });

  it("forgets promises whose time is over", () => {
    const times = lasting(6000);
    told(times, "a", { count: 25 });
    expect(times.promised.get("a")).toHaveLength(25);
    expect(told(times, "a", { now: 60_000 })).toEqual([33]);
    expect(times.promised.get("a")).toHaveLength(1);
  });
});
