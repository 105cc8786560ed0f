import { describe, expect, it } from "vitest";
import { oidcSettingsOf } from "../../src/store/oidc-settings.ts";

const settings = {
  OIDC_ISSUER: "https://login.example.com/realm",
  OIDC_CLIENT_ID: "gateway",
  OIDC_CLIENT_SECRET: "secret of the tests",
};

describe("the settings of the sign-in", () => {
  it("are none where there is no identity provider", () => {
    expect(oidcSettingsOf({})).toBeNull();
    expect(oidcSettingsOf({ OIDC_ISSUER: " " })).toBeNull();
  });

  it("say by default that people are invited, from every domain, without groups", () => {
    expect(oidcSettingsOf(settings)).toMatchObject({
      signUp: "invited",
      domains: null,
      groupsClaim: null,
    });
  });

  it("take lists and letter case as people write them", () => {
    const more = { SIGN_UP: "Open", OIDC_ALLOWED_DOMAINS: "Example.com, @b.test" };
    const found = oidcSettingsOf({ ...settings, ...more });
    expect(found?.signUp).toBe("open");
    expect([...(found?.domains ?? [])]).toEqual(["example.com", "b.test"]);
  });

  it.each(["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080/x"])(
    "allow an issuer on this machine without TLS: %s",
    (issuer) => {
      expect(oidcSettingsOf({ ...settings, OIDC_ISSUER: issuer })?.issuer.protocol).toBe("http:");
    },
  );

  it.each([
    ["OIDC_ISSUER", "http://login.example.com"],
    ["OIDC_ISSUER", "login.example.com"],
    ["OIDC_ISSUER", "https://login.example.com?x=1"],
    ["SIGN_UP", "everybody"],
    ["OIDC_ALLOWED_DOMAINS", "a b"],
    ["OIDC_ALLOWED_DOMAINS", "a.test,,b.test"],
  ])("refuse %s=%s", (name, text) => {
    expect(() => oidcSettingsOf({ ...settings, [name]: text })).toThrow(name);
  });
});
