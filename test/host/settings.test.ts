import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

import { clone } from "../smoke/host.ts";

/** `npm start` with these settings and no others, in a state folder of its own; it is expected to refuse. */
function start(environment: Record<string, string>) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const state = path.join(folder, "state");
  // The test runner sets MODE for itself; for the gateway it is a setting.
  const { MODE: _, ...inherited } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/run.mjs", "scripts/start.ts", "--port", "0", "--state", state],
    {
      cwd: clone(folder),
      env: { ...inherited, ...environment },
      encoding: "utf8",
      timeout: 60_000,
    },
  );
  const made = ["objects", "secrets.json"].filter((name) => existsSync(path.join(state, name)));
  return { status, stdout, stderr, made };
}

const secrets = { ADMIN_TOKEN: "a".repeat(32), ENCRYPTION_KEY: btoa("k".repeat(32)) };
const refused = {
  status: 1,
  stdout: "",
  stderr: expect.not.stringContaining("    at "),
  made: [],
};

it.each([
  ["VARIANT", "C", `VARIANT can't be "C": use A or B.`],
  ["MODE", "clouds", `MODE can't be "clouds": use self-hosted or cloud.`],
  ["ALLOW_PRIVATE_UPSTREAMS", "maybe", `can't be "maybe": use false or true`],
  ["ADMIN_TOKEN", "fifteen-letters", "ADMIN_TOKEN has 15 characters: use at least 16."],
  ["ENCRYPTION_KEY", "c2l4dGVlbiBieXRlcyAxNg==", "ENCRYPTION_KEY has 16 bytes: use 32"],
  ["THROTTLE_LIMIT", "many", `THROTTLE_LIMIT can't be "many": use a whole number above 0.`],
  ["LOCAL_SERVERS_HOST", "host:1234", `LOCAL_SERVERS_HOST can't be "host:1234"`],
  ["LOCAL_SERVERS_HOST", "http://host", `LOCAL_SERVERS_HOST can't be "http://host"`],
  ["TRUSTED_IP_HEADER", "X Real", `TRUSTED_IP_HEADER can't be "X Real": use one header name`],
])("npm start refuses %s=%s in words and starts nothing", (name, value, fault) => {
  const outcome = start({ ...secrets, [name]: value });
  expect(outcome).toMatchObject(refused);
  expect(outcome.stderr).toContain(`The setting ${name} `);
  expect(outcome.stderr).toContain(fault);
});

it.each<[Record<string, string>, string[]]>([
  [{}, ["ENCRYPTION_KEY is missing", "ADMIN_TOKEN, or OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_"]],
  [{ ENCRYPTION_KEY: secrets.ENCRYPTION_KEY }, ["MODE=cloud needs a way to sign in"]],
  [{ ADMIN_TOKEN: secrets.ADMIN_TOKEN }, ["ENCRYPTION_KEY is missing: 32 random bytes, base64"]],
  [{ ...secrets, OIDC_ISSUER: "https://id.example.com" }, ["OIDC_CLIENT_ID, OIDC_CLIENT_SECRET"]],
])("npm start in cloud mode with %j makes no secret and says what is missing", (given, faults) => {
  const outcome = start({ ADMIN_TOKEN: "", ENCRYPTION_KEY: "", ...given, MODE: "cloud" });
  expect(outcome).toMatchObject(refused);
  for (const fault of faults) expect(outcome.stderr).toContain(fault);
});
