import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { narrowFile, narrowFolder } from "../../scripts/host/state/private-files.ts";
import {
  differingLines,
  keepSecrets,
  secretsFile,
  secretsOf,
} from "../../scripts/host/state/state-secrets.ts";

let folder: string;
let devVars: string;
const places = () => ({ folder, devVars });

beforeEach(() => {
  const space = mkdtempSync(path.join(os.tmpdir(), "gateway-"));
  folder = path.join(space, "state");
  mkdirSync(folder);
  devVars = path.join(space, ".dev.vars");
  for (const name of ["ADMIN_TOKEN", "ENCRYPTION_KEY"]) vi.stubEnv(name, "");
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(path.dirname(folder), { recursive: true, force: true });
});

/** As after a start in which something was stored. */
function useState(): void {
  const objects = path.join(folder, "objects", "gateway-DirectoryObject");
  mkdirSync(objects, { recursive: true });
  writeFileSync(path.join(objects, `${"a".repeat(64)}.sqlite`), "");
}

function start() {
  const secrets = secretsOf(places(), { renew: false, cloud: false });
  keepSecrets(folder, secrets);
  return secrets;
}

describe("secrets.json", () => {
  it("is made with the state, for its owner alone, and opens it again", () => {
    const first = start();
    useState();
    expect(statSync(secretsFile(folder)).mode & 0o777).toBe(0o600);
    expect(start().values).toEqual(first.values);
  });

  it("takes over the secrets of a state of the version before, which survives the loss of .dev.vars", () => {
    useState();
    writeFileSync(devVars, 'ADMIN_TOKEN="the-token-of-old"\nENCRYPTION_KEY="the-key-of-old"\n');
    const { values } = start();
    rmSync(devVars);
    expect(start().values).toEqual(values);
    expect(values).toEqual({ ADMIN_TOKEN: "the-token-of-old", ENCRYPTION_KEY: "the-key-of-old" });
  });

  it("is never overwritten: another .dev.vars holds, with a warning that tells places and no values", () => {
    const first = start();
    useState();
    const before = readFileSync(secretsFile(folder), "utf8");
    writeFileSync(devVars, 'ENCRYPTION_KEY="another-key"\n');
    const second = start();
    expect(second.values).toEqual({ ...first.values, ENCRYPTION_KEY: "another-key" });
    expect(readFileSync(secretsFile(folder), "utf8")).toBe(before);
    const [line = "", ...more] = differingLines(second, places());
    expect(more).toEqual([]);
    expect(line).toContain(devVars);
    expect(line).toContain(secretsFile(folder));
    expect(line).not.toContain("another-key");
    expect(line).not.toContain(first.values.ENCRYPTION_KEY);
  });

  it("that is gone stops the start of a used state, in words that say what to do", () => {
    start();
    useState();
    rmSync(secretsFile(folder));
    expect(start).toThrow(/ADMIN_TOKEN and ENCRYPTION_KEY are not set/);
    expect(start).toThrow(/--new-secrets: all keys .+ stop working/);
    expect(start).toThrow(`.dev.vars of their own folder: copy that file to ${devVars}`);
    expect(existsSync(secretsFile(folder))).toBe(false);
    keepSecrets(folder, secretsOf(places(), { renew: true, cloud: false }));
    expect(start().values.ADMIN_TOKEN).not.toBe("");
  });

  it("that is damaged stops the start, and is left as it is", () => {
    writeFileSync(secretsFile(folder), '{"ADMIN_TOKEN":');
    expect(start).toThrow(/is damaged/);
    expect(readFileSync(secretsFile(folder), "utf8")).toBe('{"ADMIN_TOKEN":');
  });
});

describe("files that others could read", () => {
  it("are narrowed with a notice, those of others left alone", () => {
    useState();
    writeFileSync(devVars, "");
    writeFileSync(path.join(folder, "notes"), "");
    for (const file of [folder, path.join(folder, "notes"), devVars]) chmodSync(file, 0o755);
    const own = (name: string): boolean => name === "objects";
    const told = [...narrowFolder(folder, own), ...narrowFile(devVars)];
    expect(told).toHaveLength(2);
    expect(told.join()).toContain(devVars);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(folder, "notes")).mode & 0o777).toBe(0o755);
    expect(statSync(devVars).mode & 0o077).toBe(0);
    expect([...narrowFolder(folder, own), ...narrowFile(devVars)]).toEqual([]);
  });
});
