/** Settings: download a backup, try to restore it with a wrong passphrase, then with the right one. */
import { readFileSync } from "node:fs";
import { expect } from "../report.ts";
import type { Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

const passphrase = "correct horse battery";

/** In every size, theme and way. */
export async function backupWalk(stage: Stage): Promise<void> {
  await walkEachWay(stage, "back up and restore", async (walk) => {
    const file = await downloaded(walk);
    const begin = readFileSync(file).subarray(0, 8).toString();
    expect(begin === "GWBACKUP", `the file begins with ${begin}`);
    await restore(walk, { file, words: "another passphrase" });
    const fault = walk.page.locator(".fault", { hasText: "is wrong for this backup" });
    await fault.waitFor();
    const field = walk.page.getByLabel("Passphrase of the backup file");
    expect(
      await field.evaluate((element) => element.matches(":focus")),
      "the focus is not led to the field at fault",
    );
    await walk.look();
    await restore(walk, { file, words: passphrase });
    await walk.page.getByText("Backup restored.").waitFor();
    await walk.look();
  });
}

async function downloaded({ page, ...walk }: Walk): Promise<string> {
  await walk.open("/settings");
  await walk.fill(page.getByLabel("Passphrase for the backup"), passphrase);
  await walk.fill(page.getByLabel("Repeat passphrase"), passphrase);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    walk.press(page.getByRole("button", { name: "Download backup" })),
  ]);
  const name = download.suggestedFilename();
  expect(/^gateway-backup-\d{4}-\d\d-\d\d\.backup$/.test(name), `the file is called ${name}`);
  return await download.path();
}

async function restore(
  { page, ...walk }: Walk,
  { file, words }: { file: string; words: string },
): Promise<void> {
  await walk.open("/settings");
  await walk.fill(page.getByLabel("Passphrase of the backup file"), words);
  await walk.tick(page.getByLabel(/^Replace configuration/));
  await page.getByLabel("Backup file", { exact: true }).setInputFiles(file);
  await walk.press(page.getByRole("button", { name: "Restore", exact: true }));
}
