/** Undo, versions and the audit log, as people use them. */
import { expect, expectSame } from "./report.ts";
import { readConfigDocument, type Stage, type Visit } from "./stage.ts";

interface HistoryTask {
  stage: Stage;
  visit: Visit;
  task: (name: string, run: () => Promise<void>) => Promise<void>;
}

export async function historyTasks({ stage, visit: { page }, task }: HistoryTask): Promise<void> {
  const address = `${stage.gateway.base}/dashboard/settings`;
  const saveTimezone = async (timezone: string) => {
    await page.goto(address);
    await page.getByRole("combobox", { name: "Time zone" }).fill(timezone);
    const zone = page.getByRole("region", { name: "Time zone" });
    await zone.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
  };
  const timezone = async () => (await readConfigDocument(stage.gateway)).timezone;

  await task("a saved change is undone where it was made", async () => {
    await saveTimezone("Asia/Tokyo");
    await saveTimezone("Europe/Rome");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Undone.").waitFor();
    expectSame(await timezone(), "Asia/Tokyo", "time zone");
    expectSame(await page.getByRole("button", { name: "Undo" }).count(), 0, "undo of the undo");
  });
  await task("what was changed again meanwhile is not undone", async () => {
    await saveTimezone("Europe/Rome");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Undo" }).waitFor();
    await saveTimezone("Europe/Paris");
    await other.getByRole("button", { name: "Undo" }).click();
    await other.getByText("was changed again").waitFor();
    await other.close();
    expectSame(await timezone(), "Europe/Paris", "time zone");
  });
  await task("an earlier version shows what would change, and is restored", async () => {
    await page.goto(address);
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByRole("heading", { name: "History", level: 1 }).waitFor();
    await page.locator("tbody .row-link").nth(1).click();
    const preview = page.getByRole("region", { name: "Changes made by restoring" });
    const words = await preview.innerText();
    expect(/timezone\s+Europe\/Paris\s+Europe\/Rome/.test(words), `the preview says ${words}`);
    await page.getByRole("button", { name: "Restore this version" }).click();
    await page.getByText("Version restored.").waitFor();
    expectSame(await timezone(), "Europe/Rome", "time zone");
  });
  await task("the audit log is filtered and exported", async () => {
    await page.goto(address);
    await page.getByRole("link", { name: "Audit log" }).click();
    await page.getByLabel("Action").selectOption("config");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/action=config/);
    await page.locator("#events > tr").nth(3).waitFor();
    const actions = await page.locator("#events > tr > td:nth-child(3) code").allInnerTexts();
    expect(actions.length > 3, "there are few events");
    expectSame(actions[0], "config.restored", "newest");
    expect(
      actions.every((action) => action.startsWith("config.")),
      `others than asked: ${actions.join()}`,
    );
    await page.locator("summary").first().click();
    await page.getByText("Europe/Rome").first().waitFor();
    for (const [name, beginning] of [
      ["Export CSV", '"id","time"'],
      ["Export JSON Lines", '{"id":"evt_'],
    ] as const) {
      const href = await page.getByRole("link", { name }).getAttribute("href");
      const file = await page.context().request.get(`${stage.gateway.base}${href}`);
      const text = await file.text();
      expect(text.startsWith(beginning), `${name}: ${text.slice(0, 80)}`);
      expect(!text.includes("key.created"), `${name} holds more than the filter allows`);
    }
  });
}
