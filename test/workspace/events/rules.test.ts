/** What people are told, decided from numbers alone. */
import { describe, expect, it } from "vitest";
import { expiryNotice } from "../../../src/workspace/rules/key-expiry.ts";
import { levelOf } from "../../../src/workspace/rules/limit-levels.ts";
import {
  healthAfter,
  type ProviderHealth,
} from "../../../src/workspace/rules/events/provider-health.ts";
import { unusualAgainst } from "../../../src/workspace/rules/events/unusual-spend.ts";

const minute = 60_000;
const day = 86_400_000;

describe("a limit", () => {
  it.each([
    [0, undefined],
    [79, undefined],
    [80, "near"],
    [99, "near"],
    [100, "reached"],
    [500, "reached"],
  ])("of 100 with %d used comes to %s", (used, level) => {
    expect(levelOf({ used, max: 100 })).toBe(level);
  });

  it("that refused is reached, however little is used", () => {
    expect(levelOf({ used: 0, max: 0 })).toBeUndefined();
    expect(levelOf({ used: 0, max: 0, refused: true })).toBe("reached");
    expect(levelOf({ used: 1, max: 0 })).toBe("reached");
    expect(levelOf({ used: 50, max: 100, refused: true })).toBe("reached");
  });
});

describe("a provider", () => {
  /** What is told of attempts, each `[minute, model, ok]`; failures are those of a model that cools down. */
  function toldOf(attempts: readonly (readonly [number, string, boolean])[]): string[] {
    let health: ProviderHealth | undefined;
    const told: string[] = [];
    for (const [at, model, ok] of attempts) {
      const before = health?.told ?? "up";
      const outcome = ok ? "ok" : "failed";
      const seen = { model, outcome, status: ok ? 200 : 500, isFailing: !ok } as const;
      const times = { now: day + at * minute, otherAnswered: undefined };
      health = healthAfter(health, { ...seen, ...times });
      if (health !== undefined && health.told !== before) told.push(`${health.told} at ${at}`);
    }
    return told;
  }

  it("is told of as a pair", () => {
    const attempts = [
      [0, "a/x", true],
      [1, "a/x", false],
      [2, "a/x", false],
      [3, "a/x", true],
      [4, "a/x", true],
    ] as const;
    expect(toldOf(attempts)).toEqual(["down at 1", "up at 3"]);
  });

  it("that comes and goes is told of once in five minutes, and what lasts is told", () => {
    const attempts = Array.from({ length: 40 }, (_, at) => [at / 10, "a/x", at % 2 === 1] as const);
    expect(toldOf(attempts)).toEqual(["down at 0", "up at 0.1"]);
    const lasting = [...attempts, [4.5, "a/x", false], [5.5, "a/x", false]] as const;
    expect(toldOf(lasting)).toEqual(["down at 0", "up at 0.1", "down at 5.5"]);
  });

  it("is not back because another model of it answers, unless none failed for minutes", () => {
    const failing = [
      [0, "a/x", false],
      [1, "a/y", true],
      [2, "a/x", false],
      [6, "a/y", true],
    ] as const;
    expect(toldOf(failing)).toEqual(["down at 0"]);
    expect(toldOf([...failing, [7, "a/y", true]])).toEqual(["down at 0", "up at 7"]);
  });
});

describe("a key", () => {
  const key = (life: number, expires: number | null, id = "key_1") => ({
    id,
    name: "k",
    harness: "h",
    hash: "",
    last4: "",
    created_at: new Date((expires ?? 0) - life).toISOString(),
    expires_at: expires === null ? null : new Date(expires).toISOString(),
    last_used_at: null,
  });
  const at = 1000 * day;

  it.each([
    [90 * day, 7 * day],
    [14 * day, 7 * day],
    [13 * day, 1.3 * day],
    [10 * minute, minute],
  ])("that lives %d ms is told of %d ms before its end", (life, notice) => {
    expect(expiryNotice(key(life, at))?.from).toBe(at - notice);
  });

  it("that never expires, or belongs to a sign-in, is not", () => {
    expect(expiryNotice(key(day, null))).toBeUndefined();
    expect(expiryNotice(key(day, at, "key_sign_in_ab_cd"))).toBeUndefined();
  });
});

describe("a day's spend", () => {
  it.each([
    [[1, 1, 1, 1, 1, 1, 1], 3.1, 1],
    [[1, 1, 1, 1, 1, 1, 1], 3, undefined],
    [[1, 1, 1, 1, 1, 1, 5], 4, undefined],
    [[1, 1, 1, 1, 1, 1], 100, undefined],
    [[1, 1, 1, 1, 1, 1, 0, 0], 100, undefined],
    [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 0.99, undefined],
    [[0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 1, 0.1],
    [[2, 4, 2, 4, 2, 4, 2, 4], 9.5, 3],
  ])("after %j: %d is unlike a usual %d", (before, cost, usual) => {
    expect(unusualAgainst(cost, before)).toBe(usual);
  });
});
