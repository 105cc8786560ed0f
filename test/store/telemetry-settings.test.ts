import { describe, expect, it } from "vitest";
import { checkDeployment } from "../../src/store/deployment.ts";
import { SettingsError } from "../../src/store/env.ts";
import { logLevelOf } from "../../src/store/log-settings.ts";
import { metricsTokenOf } from "../../src/store/metrics-settings.ts";

const ENCRYPTION_KEY = btoa("x".repeat(32));

describe("the setting LOG", () => {
  it.each([
    [undefined, "off"],
    ["", "off"],
    ["OFF", "off"],
    ["errors", "errors"],
    ["Errors", "errors"],
    ["ALL", "all"],
  ] as const)("%j means %s", (LOG, level) => {
    expect(logLevelOf(LOG === undefined ? {} : { LOG })).toBe(level);
  });

  it.each(["on", "true", "error", "all "])("cannot be %j: nothing is served", (LOG) => {
    expect(() => checkDeployment({ ENCRYPTION_KEY, LOG })).toThrow(SettingsError);
    expect(() => checkDeployment({ ENCRYPTION_KEY, LOG })).toThrow("use off or errors or all");
  });
});

describe("the setting METRICS_TOKEN", () => {
  it("is a token of 16 characters or more, or none", () => {
    expect(metricsTokenOf({ METRICS_TOKEN: "sixteen-letters-" })).toBe("sixteen-letters-");
    expect(metricsTokenOf({ METRICS_TOKEN: "" })).toBeUndefined();
    expect(metricsTokenOf({})).toBeUndefined();
  });

  it.each([
    ["fifteen-letters", "15 characters"],
    ["a token that has spaces", "visible ASCII"],
    ["ein-Schlüssel-der-nicht-geht", "visible ASCII"],
  ])("cannot be %j: nothing is served, and the token is not told", (METRICS_TOKEN, why) => {
    const check = (): void => checkDeployment({ ENCRYPTION_KEY, METRICS_TOKEN });
    expect(check).toThrow(why);
    expect(check).not.toThrow(METRICS_TOKEN);
  });
});
