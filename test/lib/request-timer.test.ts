/** One timer of the runtime serves every wait of a request. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { requestTimer } from "../../src/lib/request-timer.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const start = 1_000_000;

function begin(): { told: string[]; timer: ReturnType<typeof requestTimer> } {
  vi.setSystemTime(start);
  return { told: [], timer: requestTimer() };
}

test("wakes each when it is due, and never before", () => {
  const { told, timer } = begin();
  timer.at(start + 60_000, () => told.push("late"));
  timer.at(start + 1000, () => told.push("soon"));
  vi.advanceTimersByTime(999);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["soon"]);
  vi.advanceTimersByTime(58_999);
  expect(told).toEqual(["soon"]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["soon", "late"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a request that ends soon sets one timer of the runtime, whatever waits in it", () => {
  const { told, timer } = begin();
  const set = vi.spyOn(globalThis, "setTimeout");
  const body = timer.at(start + 30_000, () => told.push("body"));
  body.move(start + 40_000);
  body.cancel();
  const answer = timer.at(start + 60_000, () => told.push("answer"));
  timer.at(start + 20_000, () => told.push("lease"));
  answer.move(start + 90_000);
  timer.stop();
  expect(set).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(1_000_000);
  expect(told).toEqual([]);
});

test("nothing is set where nothing waits", () => {
  const set = vi.spyOn(globalThis, "setTimeout");
  requestTimer().stop();
  expect(set).not.toHaveBeenCalled();
});

test("a wake that was moved happens at its new time alone, later or earlier", () => {
  const { told, timer } = begin();
  const later = timer.at(start + 100, () => told.push("later"));
  const earlier = timer.at(start + 60_000, () => told.push("earlier"));
  later.move(start + 300);
  earlier.move(start + 50);
  vi.advanceTimersByTime(50);
  expect(told).toEqual(["earlier"]);
  vi.advanceTimersByTime(249);
  expect(told).toEqual(["earlier"]);
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["earlier", "later"]);
});

test("a wake that moves itself happens again and again, until it is cancelled", () => {
  const { told, timer } = begin();
  const renewal = timer.at(start + 20_000, () => {
    told.push("renewed");
    renewal.move(Date.now() + 20_000);
  });
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(3);
  renewal.cancel();
  vi.advanceTimersByTime(60_000);
  expect(told).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
});

test("a wake may cancel another that is due, and add one", () => {
  const { told, timer } = begin();
  timer.at(start + 100, () => {
    second.cancel();
    timer.at(start + 100, () => told.push("added"));
  });
  const second = timer.at(start + 100, () => told.push("second"));
  vi.advanceTimersByTime(101);
  expect(told).toEqual(["added"]);
});

test("a wake that throws keeps no other from happening", () => {
  const { told, timer } = begin();
  timer.at(start + 100, () => {
    throw new Error("a fault of its own");
  });
  timer.at(start + 100, () => told.push("other"));
  expect(() => vi.advanceTimersByTime(100)).toThrow("a fault of its own");
  vi.advanceTimersByTime(1);
  expect(told).toEqual(["other"]);
});

test("what is already due happens at once, but not within the call", () => {
  const { told, timer } = begin();
  timer.at(start - 5, () => told.push("due"));
  expect(told).toEqual([]);
  vi.advanceTimersByTime(0);
  expect(told).toEqual(["due"]);
});

test("nothing happens behind the end", () => {
  const { told, timer } = begin();
  const wake = timer.at(start + 100, () => told.push("first"));
  timer.stop();
  timer.stop();
  wake.move(start + 50);
  timer.at(start + 50, () => told.push("second"));
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test("nothing that is due with it happens behind a wake that ends the request", () => {
  const { told, timer } = begin();
  timer.at(start + 100, () => timer.stop());
  timer.at(start + 100, () => told.push("other"));
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

const hours = 3_600_000;

test.each([
  ["back", -3 * hours],
  ["forward", 3 * hours],
])("a clock that is set %s neither puts off what waits nor wakes it early", (_, by) => {
  const { told, timer } = begin();
  timer.at(start + 30_000, () => told.push("before the step"));
  vi.advanceTimersByTime(8000);
  expect(timer.clockStepped).toBe(false);
  vi.setSystemTime(Date.now() + by);
  timer.at(Date.now() + 30_000, () => told.push("after the step"));
  // A timer's sleep, five seconds, may be missed where the clock does not say how much of it is over.
  vi.advanceTimersByTime(16_000);
  expect(told).toEqual([]);
  vi.advanceTimersByTime(12_000);
  expect(told).toEqual(["before the step"]);
  expect(timer.clockStepped).toBe(true);
  vi.advanceTimersByTime(12_000);
  expect(told).toEqual(["before the step", "after the step"]);
});

test("a timer that rings a little early or late is no step of the clock", () => {
  const { timer } = begin();
  timer.at(start + 60_000, () => undefined);
  vi.setSystemTime(start - 900);
  vi.advanceTimersByTime(5000);
  vi.setSystemTime(Date.now() + 4000);
  vi.advanceTimersByTime(5000);
  expect(timer.clockStepped).toBe(false);
});
