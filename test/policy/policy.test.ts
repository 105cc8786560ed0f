import { describe, expect, it } from "vitest";
import { policyOf } from "../../src/policy/choose.ts";
import { SettingsError, settingsOf } from "../../src/store/env.ts";

describe("the settings VARIANT and MODE", () => {
  it.each([
    [{}, { variant: "A", mode: "self-hosted" }],
    [
      { VARIANT: "", MODE: "" },
      { variant: "A", mode: "self-hosted" },
    ],
    [
      { VARIANT: "a", MODE: "Self-Hosted" },
      { variant: "A", mode: "self-hosted" },
    ],
    [
      { VARIANT: "b", MODE: "CLOUD" },
      { variant: "B", mode: "cloud" },
    ],
  ])("%j is %j", (env, settings) => {
    expect(settingsOf(env)).toMatchObject(settings);
  });

  it.each([
    [{}, "everywhere"],
    [{ MODE: "cloud" }, "public"],
    [{ MODE: "cloud", ALLOW_PRIVATE_UPSTREAMS: "No" }, "public"],
    [{ MODE: "cloud", ALLOW_PRIVATE_UPSTREAMS: "TRUE" }, "everywhere"],
    [{ ALLOW_PRIVATE_UPSTREAMS: "off" }, "everywhere"],
  ] as const)("with %j providers may have addresses: %s", (env, reach) => {
    expect(settingsOf(env).reach).toBe(reach);
  });

  it.each([
    [{ VARIANT: "C" }, 'VARIANT can\'t be "C"'],
    [{ VARIANT: "AB" }, "use A or B"],
    [{ MODE: "selfhosted" }, 'MODE can\'t be "selfhosted"'],
    [{ MODE: "clouds" }, "use self-hosted or cloud"],
  ])("%j is refused in words", (env, words) => {
    expect(() => settingsOf(env)).toThrow(SettingsError);
    expect(() => settingsOf(env)).toThrow(words);
    expect(() => policyOf(env)).toThrow(SettingsError);
  });
});

describe("the policy", () => {
  it("of variant A has constants for limits", () => {
    const settings = { THROTTLE_LIMIT: "7", THROTTLE_TTL: "1000" };
    expect(policyOf(settings)).toMatchObject({
      name: "A",
      window: { scope: "workspace", limit: 200, span: 60_000 },
      slots: 10,
      address: { limit: 500, span: 60_000 },
    });
  });

  it.each(["B", "b"])("of variant %s is all of variant B's, rules and limits", (VARIANT) => {
    const policy = policyOf({ VARIANT });
    expect(policy).toMatchObject({
      name: "B",
      holder: "agent",
      window: { scope: "harness", limit: 100, span: 60_000 },
      slots: null,
      address: null,
    });
    expect(policy.code("gateway_auth", 401)).toBe(401);
  });

  it("takes variant B's throttle from the settings where self-hosted, and the plan's in the cloud", () => {
    const settings = { VARIANT: "B", THROTTLE_LIMIT: "7", THROTTLE_TTL: "1000" };
    expect(policyOf(settings).window).toMatchObject({ limit: 7, span: 1000 });
    expect(policyOf({ ...settings, MODE: "cloud" }).window).toMatchObject({
      limit: 100,
      span: 60_000,
    });
  });

  it.each([{ THROTTLE_LIMIT: "many" }, { THROTTLE_TTL: "-5" }])(
    "refuses a throttle that is no number: %j",
    (settings) => {
      expect(() => policyOf({ VARIANT: "B", ...settings })).toThrow(SettingsError);
    },
  );
});
