import { describe, expect, it } from "vitest";
import { memoryBudget } from "../../src/gateway/isolate/memory-budget.ts";

const megabyte = 1024 * 1024;

describe("the memory budget of an isolate", () => {
  it("refuses what does not fit, with M501 and a pause, until there is room again", () => {
    const budget = memoryBudget(100 * megabyte, () => 0);
    const [first, second] = [budget.hold(), budget.hold()];
    first.grow(30 * megabyte);
    expect(() => second.grow(30 * megabyte)).toThrow(
      expect.objectContaining({ marker: "M501", status: 503, code: "overloaded" }),
    );
    first.release();
    first.release();
    second.grow(30 * megabyte);
  });

  it("takes small bodies always", () => {
    const budget = memoryBudget(0, () => 0);
    for (let body = 0; body < 1000; body++) budget.hold().grow(100 * 1024);
  });

  it("counts a body that grows once, and only the parsed one when its answer has begun", () => {
    const budget = memoryBudget(100 * megabyte, () => 0);
    const [first, second] = [budget.hold(), budget.hold()];
    for (let size = 1; size <= 30; size++) first.grow(size * megabyte);
    expect(() => second.grow(20 * megabyte)).toThrow();
    first.sent();
    second.grow(20 * megabyte);
  });

  it("counts whole answers beside the bodies, until the requests are over", () => {
    const budget = memoryBudget(100 * megabyte, () => 0);
    const [first, second] = [budget.hold(), budget.hold()];
    first.grow(10 * megabyte);
    for (let size = 1; size <= 20; size++) expect(first.answers(size * megabyte)).toBe(true);
    expect(second.answers(10 * megabyte)).toBe(false);
    expect(second.answers(100 * 1024)).toBe(true);
    expect(() => second.grow(10 * megabyte)).toThrow(expect.objectContaining({ marker: "M501" }));
    first.release();
    expect(budget.usage().used).toBe(0);
    expect(second.answers(10 * megabyte)).toBe(true);
  });

  it("counts what a body of many values is parsed to, however small it is", () => {
    const budget = memoryBudget(100 * megabyte, () => 0);
    const holds = Array.from({ length: 3 }, () => budget.hold());
    for (const hold of holds.slice(0, 2)) hold.holds(500_000);
    expect(() => holds[2]?.holds(500_000)).toThrow(expect.objectContaining({ marker: "M501" }));
    holds[0]?.release();
    holds[2]?.holds(500_000);
  });

  it("says of a body that never fits that it is too large, not that a later try may pass", () => {
    const hold = memoryBudget(50 * megabyte, () => 0).hold();
    const tooLarge = expect.objectContaining({ marker: "M300", status: 413 });
    expect(() => hold.holds(1_000_000)).toThrow(tooLarge);
  });

  it("takes the usual number of values for nothing", () => {
    const budget = memoryBudget(90 * megabyte, () => 0);
    const hold = budget.hold();
    hold.grow(30 * megabyte);
    hold.holds(100_000);
  });

  it("forgets a request whose end nobody told", () => {
    let now = 0;
    const budget = memoryBudget(100 * megabyte, () => now);
    budget.hold().grow(30 * megabyte);
    now = 60 * 60 * 1000;
    budget.hold().grow(30 * megabyte);
  });
});
