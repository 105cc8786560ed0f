import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

const cannotBe = "which it cannot be: use";

it.each([
  ["VARIANT", "C", `VARIANT is "C", ${cannotBe} A or B.`],
  ["MODE", "clouds", `MODE is "clouds", ${cannotBe} self-hosted or cloud.`],
  ["ALLOW_PRIVATE_UPSTREAMS", "maybe", `is "maybe", ${cannotBe} false or true`],
  ["ADMIN_TOKEN", "fifteen-letters", "ADMIN_TOKEN has 15 characters: use at least 16."],
])("npm start refuses %s=%s in words and starts nothing", (name, value, fault) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  const state = path.join(folder, "state");
  const secrets = { ADMIN_TOKEN: "a".repeat(32), ENCRYPTION_KEY: btoa("k".repeat(32)) };
  // The test runner sets MODE for itself; for the gateway it is a setting.
  const { MODE: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/run.mjs", "scripts/start.ts", "--port", "0", "--state", state],
    { env: { ...inherited, ...secrets, [name]: value }, encoding: "utf8", timeout: 60_000 },
  );
  expect(status).toBe(1);
  expect(stderr).toContain(`The setting ${name} `);
  expect(stderr).toContain(fault);
  expect(stderr).not.toContain("    at ");
  expect(stdout).toBe("");
  expect(existsSync(path.join(state, "objects"))).toBe(false);
  expect(existsSync(path.join(state, "secrets.json"))).toBe(false);
  rmSync(folder, { recursive: true });
});
