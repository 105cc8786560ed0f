import { describe, expect, it } from "vitest";
import { WrongTries } from "../../../src/workspace/accounts/tries.ts";

describe("wrong tokens", () => {
  it("are five in five minutes for an address at the page, and others are not touched", () => {
    const tries = new WrongTries();
    const waits = Array.from({ length: 6 }, (_, index) => tries.count("a", "page", index * 1000));
    expect(waits).toEqual([0, 0, 0, 0, 0, 295_000]);
    expect(tries.count("b", "page", 6000)).toBe(0);
    expect(tries.count("a", "bearer", 6000)).toBe(0);
    expect(tries.count("a", "page", 300_000)).toBe(0);
  });

  it("are forgotten when one was right", () => {
    const tries = new WrongTries();
    for (let number = 0; number < 5; number += 1) tries.count("a", "page", 0);
    tries.forget("a");
    expect(tries.count("a", "page", 1)).toBe(0);
  });
});
