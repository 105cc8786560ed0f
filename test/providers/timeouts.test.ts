import { describe, expect, it } from "vitest";
import { streamTimeout, wholeTimeout } from "../../src/providers/connection/timeouts.ts";
import type { ListedModel } from "../../src/providers/connection/connection.ts";
import type { ProviderEntry } from "../../src/store/config.ts";
import { modelOf } from "./kit.ts";

const unknown = { maxOutput: undefined, latest: 0 };

function lab(timeouts: ProviderEntry["timeouts"], features: string[] = []): ListedModel {
  const entry = { id: "lab", kind: "custom", format: "chat", base_url: "http://127.0.0.1:9/v1" };
  const model = modelOf({ ...entry, format: "chat", ...(timeouts && { timeouts }) }, "m");
  return { ...model, info: { ...model.info, features } };
}

describe("the wait for a whole answer", () => {
  it("is shorter for a model that does not think first", () => {
    const [plain, thinking] = [lab(undefined), lab(undefined, ["reasoning"])];
    expect(wholeTimeout(plain, unknown)).toBeLessThan(wholeTimeout(thinking, unknown));
    expect(wholeTimeout(thinking, unknown)).toBeLessThan(600);
  });

  it("grows with the output that was asked for and with what the model took lately, to ten minutes at most", () => {
    const plain = lab(undefined);
    const usual = wholeTimeout(plain, unknown);
    expect(wholeTimeout(plain, { ...unknown, maxOutput: 100 })).toBe(usual);
    expect(wholeTimeout(plain, { ...unknown, maxOutput: 8000 })).toBeGreaterThan(usual);
    expect(wholeTimeout(plain, { ...unknown, latest: usual / 2 })).toBeGreaterThan(usual);
    expect(wholeTimeout(plain, { maxOutput: 64_000, latest: 0 })).toBe(600);
    expect(wholeTimeout(plain, { maxOutput: undefined, latest: 500 })).toBe(600);
  });

  it("is what the entry says, where it says so", () => {
    expect(wholeTimeout(lab({ headers: 7 }), { maxOutput: 64_000, latest: 500 })).toBe(7);
    expect(wholeTimeout(lab({ total: 50 }), unknown)).toBe(50);
  });
});

describe("the time of a stream", () => {
  it("has no bound but the one that its entry sets", () => {
    expect(streamTimeout(lab(undefined).connection)).toBeUndefined();
    expect(streamTimeout(lab({ total: 1800 }).connection)).toBe(1800);
  });
});
