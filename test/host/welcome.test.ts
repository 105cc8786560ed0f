import { expect, it } from "vitest";
import { welcomeText, type TokenPlace } from "../../scripts/host/running/welcome.ts";

const base = "http://127.0.0.1:2099";

function told(place: TokenPlace): string {
  return welcomeText({ base, dashboard: true, token: { kind: "replaced", place } });
}

it("a start with a replaced admin token names the file in which the new one belongs", () => {
  const text = told({ kind: "file", file: "/here/.dev.vars" });
  expect(text).toContain("ADMIN_TOKEN in /here/.dev.vars is out of date");
  expect(text).toContain("set any other value of at least 16 characters");
  expect(text).toContain(`${base}/v1`);
  expect(text).toContain(`${base}/dashboard`);
  expect(text).toContain(`${base}/docs`);
});

it("a start with a replaced admin token of the environment does not send anybody to a file", () => {
  const text = told({ kind: "environment" });
  expect(text).toContain("ADMIN_TOKEN in the environment is out of date");
  expect(text).not.toContain(".dev.vars");
});

const first = {
  kind: "first",
  key: "gw_key",
  harness: "Default",
  claudeCode: "",
  connectWords: "npm run gateway -- connect",
  place: { kind: "environment" },
} as const;

it("the first start prints a token that it has made, and of one that the user has set its place", () => {
  const made = welcomeText({ base, dashboard: true, token: { ...first, made: "made-token" } });
  expect(made).toContain("Admin token    made-token\n");
  const set = welcomeText({ base, dashboard: true, token: { ...first, made: undefined } });
  expect(set).toContain("Admin token    ADMIN_TOKEN in the environment\n");
  expect(set).toContain("gw_key");
});
