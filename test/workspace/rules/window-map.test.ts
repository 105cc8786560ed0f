import { describe, expect, it } from "vitest";
import { AddressWindows } from "../../../src/workspace/address/address-windows.ts";
import { WindowMap } from "../../../src/workspace/address/window-map.ts";
import { countRequest } from "../../../src/workspace/rules/window.ts";

const limit = { limit: 3, span: 60_000 };
const names = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, index) => `name-${from + index}`);

describe("a bounded map of windows", () => {
  it("drops windows that have emptied", () => {
    const map = new WindowMap({ limit, most: 100, whenFull: "share" });
    for (const name of names(50)) countRequest(map.use(name, 0), 0);
    map.use("late", 60_000);
    expect(map.size).toBe(1);
  });

  it("lets new names share one window where every place is taken", () => {
    const map = new WindowMap({ limit, most: 10, whenFull: "share" });
    for (const name of names(5000)) countRequest(map.use(name, 1), 1);
    expect(map.size).toBe(11);
    expect(map.use("name-0", 2).times).toHaveLength(1);
    expect(map.use("another", 2)).toBe(map.use("yet-another", 2));
    countRequest(map.use("another", 60_001), 60_001);
    expect(map.use("name-4", 60_001).times).toHaveLength(0);
  });

  it("forgets the window unused for the longest time where nobody may be refused for others", () => {
    const map = new WindowMap({ limit, most: 10, whenFull: "oldest" });
    for (const [index, name] of names(5000).entries()) countRequest(map.use(name, index), index);
    expect(map.size).toBeLessThanOrEqual(10);
    expect(map.use("name-4999", 5000).times).toHaveLength(1);
  });
});

describe("the windows of addresses", () => {
  const address = "192.0.2.1";

  it("of strangers and of keys are two", () => {
    const windows = new AddressWindows(limit, []);
    for (let sent = 0; sent < 3; sent += 1) windows.count({ address, standing: "stranger" }, 1);
    expect(windows.count({ address, standing: "stranger" }, 2).ok).toBe(false);
    expect(windows.count({ address, standing: "keyed" }, 2)).toEqual({ ok: true, token: 2 });
  });

  it("come back from the disk no emptier than they were", () => {
    const windows = new AddressWindows(limit, []);
    for (const time of [1, 999, 1000]) windows.count({ address, standing: "keyed" }, time);
    const restored = new AddressWindows(limit, windows.busy(1001));
    expect(restored.count({ address, standing: "keyed" }, 60_500).ok).toBe(false);
    expect(restored.count({ address, standing: "keyed" }, 61_000).ok).toBe(true);
  });
});
