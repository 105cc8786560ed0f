import { describe, expect, it } from "vitest";
import { budgetToEffort, effortToBudget, nearestEffort } from "../../src/translation/effort.ts";

describe("effort as a budget of tokens", () => {
  it("stays below the limit of output tokens and at or above 1024", () => {
    expect(effortToBudget("high", 64_000)).toBe(16_384);
    expect(effortToBudget("high", 5000)).toBe(4999);
    expect(effortToBudget("low", 1025)).toBe(1024);
  });

  it("is none when the limit leaves no room, when no thinking is meant, or when the word is unknown", () => {
    expect(effortToBudget("high", 1024)).toBeUndefined();
    expect(effortToBudget("none", 64_000)).toBeUndefined();
    expect(effortToBudget("constructor", 64_000)).toBeUndefined();
  });

  it("never shrinks with the effort", () => {
    const budgets = ["minimal", "low", "medium", "high", "xhigh", "max"].map(
      (word) => effortToBudget(word) ?? 0,
    );
    expect(budgets).toEqual(budgets.toSorted((a, b) => a - b));
  });

  it("comes back as the same word", () => {
    for (const word of ["low", "medium", "high", "xhigh"]) {
      expect(budgetToEffort(effortToBudget(word) ?? 0)).toBe(word);
    }
    expect(budgetToEffort(0)).toBe("none");
    expect(budgetToEffort(31_999)).toBe("xhigh");
    expect(budgetToEffort(-1)).toBe("medium");
  });
});

describe("the nearest effort that a model knows", () => {
  it("is the word itself where it is known", () => {
    expect(nearestEffort("low", ["none", "low", "high"])).toBe("low");
    expect(nearestEffort("turbo", ["turbo"])).toBe("turbo");
  });

  it("is the strongest one for words above all known", () => {
    expect(nearestEffort("max", ["low", "medium", "high"])).toBe("high");
    expect(nearestEffort("xhigh", ["low", "medium", "high"])).toBe("high");
  });

  it("is the weakest one for no effort at all", () => {
    expect(nearestEffort("none", ["minimal", "low"])).toBe("minimal");
  });

  it("is the stronger of two that are equally near", () => {
    expect(nearestEffort("medium", ["low", "high"])).toBe("high");
  });

  it("is none for an unknown word or where nothing is known", () => {
    expect(nearestEffort("turbo", ["low"])).toBeUndefined();
    expect(nearestEffort("low", [])).toBeUndefined();
  });
});
