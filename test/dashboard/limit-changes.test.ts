import { describe, expect, it } from "vitest";
import { allowedModelsFrom } from "../../src/dashboard/components/allowed-models.tsx";
import { browserName } from "../../src/dashboard/pages/account/account-page.tsx";
import { limitFromForm, limitKey, withLimit } from "../../src/dashboard/shared/limit-changes.ts";
import type { LimitEntry } from "../../src/store/config.ts";

const daily: LimitEntry = { metric: "cost", period: "day", max: 5, action: "block" };
const hourly: LimitEntry = { metric: "requests", period: "hour", max: 60, action: "notify" };

describe("changing a list of limits", () => {
  const form = (more: Record<string, string> = {}) =>
    new URLSearchParams({ metric: "cost", period: "day", action: "block", max: "7,5", ...more });

  it("reads what the form says, with a comma for a point", () => {
    expect(limitFromForm(form())).toEqual({ ...daily, max: 7.5 });
    expect(limitFromForm(form({ strict: "on" }))).toEqual({ ...daily, max: 7.5, strict: true });
  });

  it("is strict about cost only, which alone has unknown prices", () => {
    expect(limitFromForm(form({ metric: "tokens", max: "7", strict: "on" }))).not.toHaveProperty(
      "strict",
    );
  });

  it("holds upper bounds of cost and tokens, which includes being strict", () => {
    const bound = { bound: "on", max: "7" };
    expect(limitFromForm(form({ ...bound, strict: "on" }))).toMatchObject({ strict: "bound" });
    expect(limitFromForm(form({ ...bound, metric: "tokens" }))).toMatchObject({ strict: "bound" });
    expect(limitFromForm(form({ ...bound, metric: "requests" }))).not.toHaveProperty("strict");
    expect(limitKey({ ...daily, strict: "bound" })).not.toBe(limitKey({ ...daily, strict: true }));
  });

  it.each(["", "-1", "many", "Infinity"])("refuses %j as a limit", (max) => {
    expect(() => limitFromForm(form({ max }))).toThrow(/^max: /);
  });

  it("counts requests and tokens in whole numbers", () => {
    expect(() => limitFromForm(form({ metric: "requests", max: "1.5" }))).toThrow(/^max: .*whole/);
    expect(limitFromForm(form({ metric: "tokens", max: "2" })).max).toBe(2);
  });

  it("has no two that are the same, which nobody could tell apart", () => {
    expect(() => withLimit([daily], "", daily)).toThrow(/^max: .*already/);
    expect(() => withLimit([daily, hourly], limitKey(daily), hourly)).toThrow(/^max: .*already/);
    expect(withLimit([daily], limitKey(daily), daily)).toEqual([daily]);
  });

  it("replaces the limit that was changed in its place, and adds a new one at the end", () => {
    const changed = { ...daily, max: 9 };
    expect(withLimit([daily, hourly], limitKey(daily), changed)).toEqual([changed, hourly]);
    expect(withLimit([daily], "", hourly)).toEqual([daily, hourly]);
    expect(() => withLimit([daily], "gone meanwhile", hourly)).toThrow(
      "changed or removed in the meantime",
    );
  });

  it("tells a strict limit from one that is not", () => {
    expect(limitKey({ ...daily, strict: true })).not.toBe(limitKey(daily));
    expect(limitKey({ ...daily, strict: false })).toBe(limitKey(daily));
  });
});

describe("the models that a form allows", () => {
  it("are its lines and the one that was added, each once", () => {
    const form = new URLSearchParams({ models: " lab/*\n\nlab/a \nlab/*", add_model: "lab/b" });
    expect(allowedModelsFrom(form)).toEqual(["lab/*", "lab/a", "lab/b"]);
  });

  it("are all where nothing is said", () => {
    expect(allowedModelsFrom(new URLSearchParams({ models: " \n" }))).toBeNull();
  });
});

describe("a browser's name", () => {
  it.each([
    [
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36",
      "Chrome, Linux",
    ],
    ["Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge, Windows"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19 Safari/604.1",
      "Safari, iPhone",
    ],
    ["curl/8", "Unknown browser"],
  ])("%s is shown as %s", (agent, name) => {
    expect(browserName(agent)).toBe(name);
  });
});
