import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { runBackup, runRestore } from "../../scripts/host/backup/backup.ts";

const folder = mkdtempSync(path.join(tmpdir(), "backup-"));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Neither a gateway nor a passphrase is asked for before these are found out. */
describe("the file of a backup", () => {
  it("is in a folder that is there", async () => {
    const parent = path.join(folder, "missing");
    await expect(runBackup([path.join(parent, "gateway.backup")])).rejects.toThrow(
      `${parent} does not exist: create the folder first`,
    );
  });

  it.each([runBackup, runRestore])("is no folder itself (%o)", async (run) => {
    await expect(run([tmpdir(), "--force"].slice(0, run === runBackup ? 2 : 1))).rejects.toThrow(
      `${tmpdir()} is a folder`,
    );
  });
});
