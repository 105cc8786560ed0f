import { describe, expect, it } from "vitest";
import { limitsUnder } from "../../src/policy/choose.ts";
import { billingSignature, signedAt } from "../../src/store/billing.ts";
import { SettingsError, settingsOf } from "../../src/store/env.ts";
import { firstPlanName, planNamed, plansOf } from "../../src/store/plans.ts";

const PLANS = JSON.stringify({
  free: {
    monthly_requests: 10_000,
    retention_days: 7,
    members: 1,
    throttle: { ttl: 60_000, limit: 100 },
  },
  pro: { monthly_requests: null, features: ["audit"] },
});

describe("the setting PLANS", () => {
  it("names plans with their numbers; what is null or missing has no bound", () => {
    expect([...plansOf({ PLANS }).keys()]).toEqual(["free", "pro"]);
    expect(planNamed({ PLANS }, "free")).toMatchObject({ monthly_requests: 10_000, members: 1 });
    expect(planNamed({ PLANS }, "pro")).toEqual({
      monthly_requests: null,
      retention_days: null,
      members: null,
      features: ["audit"],
    });
    expect(firstPlanName({ PLANS })).toBe("free");
    expect(firstPlanName({})).toBeNull();
  });

  it("gives a workspace whose plan it no longer has the first one, and one without a plan no bounds", () => {
    expect(planNamed({ PLANS }, "gone").monthly_requests).toBe(10_000);
    expect(planNamed({ PLANS }, null).monthly_requests).toBeNull();
    expect(planNamed({}, "gone").monthly_requests).toBeNull();
  });

  it.each([
    ["{", "not JSON"],
    ["[]", "expected record"],
    ['{"free":{"monthly_requests":-1}}', "free.monthly_requests"],
    ['{"free":{"monthly_requests":1.5}}', "free.monthly_requests"],
    ['{"free":{"monthly_request":1}}', "free.monthly_request"],
    ['{"free":{"throttle":{"limit":3}}}', "free.throttle.ttl"],
    ['{"free":{"retention_days":0}}', "free.retention_days"],
    ['{"free":{"features":["No Word"]}}', "free.features.0"],
    ['{"fr ee":{}}', "fr ee"],
  ])("%s stops the start: %s", (text, words) => {
    expect(() => settingsOf({ PLANS: text })).toThrow(SettingsError);
    expect(() => settingsOf({ PLANS: text })).toThrow(words);
  });

  it("has the throttle of variant B in the cloud alone", () => {
    const throttle = { ttl: 5000, limit: 7 };
    const own = { VARIANT: "B", THROTTLE_LIMIT: "3", THROTTLE_TTL: "1000" };
    const cloud = { VARIANT: "B", MODE: "cloud" };
    expect(limitsUnder(cloud, { throttle }).window).toMatchObject({ limit: 7, span: 5000 });
    expect(limitsUnder(cloud, { throttle: null }).window).toBeNull();
    expect(limitsUnder(cloud, {}).window).toMatchObject({ limit: 100, span: 60_000 });
    expect(limitsUnder(own, { throttle }).window).toMatchObject({ limit: 3, span: 1000 });
    expect(limitsUnder({ MODE: "cloud" }, { throttle }).window).toMatchObject({
      scope: "workspace",
      limit: 200,
    });
  });
});

describe("signatures of the billing system", () => {
  const env = { BILLING_SECRET: "a-secret-of-the-billing-system" };
  const body = new TextEncoder().encode('{"plan":"pro"}');
  const now = Date.UTC(2026, 10, 22);

  it("hold for five minutes either way, for that body and that secret", async () => {
    const signature = (await billingSignature(env, body, now)) ?? "";
    const judge = (at: number, given: Partial<Parameters<typeof signedAt>[1]> = {}, by = env) =>
      signedAt(by, { signature, body, ...given }, at);
    expect(await judge(now)).toBe(now / 1000);
    expect(await judge(now + 299_000)).toBe(now / 1000);
    expect(await judge(now - 299_000)).toBe(now / 1000);
    expect(await judge(now + 301_000)).toBeUndefined();
    expect(await judge(now - 301_000)).toBeUndefined();
    expect(await judge(now, { body: new Uint8Array(0) })).toBeUndefined();
    expect(await judge(now, {}, { BILLING_SECRET: "another-secret-of-somebody" })).toBeUndefined();
    expect(await judge(now, {}, { BILLING_SECRET: "" })).toBeUndefined();
    const later = signature.replace(/^t=\d+/, `t=${now / 1000 + 1}`);
    expect(await judge(now, { signature: later })).toBeUndefined();
    // While its secret is replaced a sender signs with both.
    const other = `${signature.split(",")[0]},v1=${"0".repeat(64)},${signature.split(",")[1]}`;
    expect(await judge(now, { signature: other })).toBe(now / 1000);
  });

  it.each(["", "t=,v1=", "v1=00", `t=1e9,v1=${"0".repeat(64)}`, "t=999999999999999999,v1=zz"])(
    "%j is none",
    async (signature) => {
      expect(await signedAt(env, { signature, body }, now)).toBeUndefined();
    },
  );

  it("are made by a secret that nobody guesses", () => {
    expect(() => settingsOf({ BILLING_SECRET: "short" })).toThrow(
      "BILLING_SECRET has 5 characters",
    );
  });
});
