/** Which state folder the commands take where none is named. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { stateFolder } from "../../scripts/cli/state-folder.ts";

let here: string;

beforeEach(() => {
  here = mkdtempSync(path.join(os.tmpdir(), "gateway-here-"));
  vi.spyOn(process, "cwd").mockReturnValue(here);
  vi.stubEnv("GATEWAY_STATE", undefined);
  vi.stubEnv("XDG_STATE_HOME", path.join(here, "own"));
});
afterEach(() => {
  rmSync(here, { recursive: true });
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function makeState(): string {
  const folder = path.join(here, ".state");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "secrets.json"), "{}");
  return folder;
}

describe("the state folder", () => {
  const own = () => path.join(here, "own", "routing-gateway");

  it("is the user's own, or the state in the current folder", () => {
    expect(stateFolder(undefined)).toBe(own());
    mkdirSync(path.join(here, ".state"));
    expect(stateFolder(undefined)).toBe(own());
    rmSync(path.join(here, ".state"), { recursive: true });
    const state = makeState();
    expect(stateFolder(undefined)).toBe(state);
  });

  it("is never another user's that lies in the current folder, unless it is named", () => {
    const planted = makeState();
    vi.spyOn(process, "getuid").mockReturnValue((process.getuid?.() ?? 0) + 1);
    expect(stateFolder(undefined)).toBe(own());
    expect(stateFolder(".state")).toBe(planted);
  });
});
