import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { makeDevVars, readDevVars } from "../../scripts/host/state/dev-vars.ts";

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  file = path.join(folder, ".dev.vars");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe(".dev.vars", () => {
  it("is made with both secrets, for its owner only", () => {
    expect(makeDevVars(file)).toEqual(["ADMIN_TOKEN", "ENCRYPTION_KEY"]);
    const made = readDevVars(file);
    expect(made["ADMIN_TOKEN"]).toMatch(/^[\w-]{43}$/);
    expect(Buffer.from(made["ENCRYPTION_KEY"] ?? "", "base64")).toHaveLength(32);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("keeps what it says and gets only what it lacks", () => {
    writeFileSync(file, "VARIANT=B\nADMIN_TOKEN='mine'");
    expect(makeDevVars(file)).toEqual(["ENCRYPTION_KEY"]);
    expect(readDevVars(file)).toMatchObject({ VARIANT: "B", ADMIN_TOKEN: "mine" });
    const before = readFileSync(file, "utf8");
    expect(makeDevVars(file)).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("gets the secrets that npm start uses, where there are some", () => {
    makeDevVars(file, { ADMIN_TOKEN: "known", ENCRYPTION_KEY: "key=" });
    expect(readDevVars(file)).toEqual({ ADMIN_TOKEN: "known", ENCRYPTION_KEY: "key=" });
  });

  it("gets no second secret where the environment has an empty one", () => {
    makeDevVars(file);
    const before = readFileSync(file, "utf8");
    vi.stubEnv("ADMIN_TOKEN", "");
    expect(makeDevVars(file)).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("takes quotes off, and leaves comments out", () => {
    writeFileSync(file, "# a=1\n a = \"x # y\" \nexport b='c=d'\nc=plain # why\nd=\n");
    expect(readDevVars(file)).toEqual({ a: "x # y", b: "c=d", c: "plain", d: "" });
  });
});
