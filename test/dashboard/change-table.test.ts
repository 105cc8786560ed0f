import { describe, expect, it } from "vitest";
import { limitsAt } from "../../src/dashboard/components/change-table.tsx";

const daily = { metric: "cost", period: "day", max: 5, action: "block" };

describe("a changed value", () => {
  it.each(["limits", "harnesses.cc.limits", "person_limits"])(
    "is read as limits at %s, where it is a list of them",
    (path) => {
      expect(limitsAt(path, [daily])).toEqual([daily]);
      expect(limitsAt(path, [{ ...daily, period: "…" }])).toBeUndefined();
      expect(limitsAt(path, '[{"metric":"cost"…')).toBeUndefined();
    },
  );

  it("is read as it stands anywhere else", () => {
    expect(limitsAt("harnesses.limits.aliases", [daily])).toBeUndefined();
    expect(limitsAt("providers", [daily])).toBeUndefined();
  });
});
