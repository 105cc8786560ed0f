/** The charts' page: its time range, its groupings, and how it follows new requests. */
import { check, expect, expectSame } from "./report.ts";
import { sendChat, type Stage } from "./stage.ts";

/** The story, with a key whose requests it follows. */
export async function usage(stage: Stage, key: string): Promise<void> {
  const { page, context, problems } = await stage.signedIn();
  const base = `${stage.gateway.base}/dashboard`;
  const charts = page.locator("[data-chart] canvas");
  const total = page.locator("tr.total td").first();

  await check(
    "usage: a range, a grouping and an order are chosen, and stand in the address",
    async () => {
      await page.goto(base);
      await page.getByRole("link", { name: "Usage", exact: true }).click();
      await page.getByRole("link", { name: "7 days" }).click();
      await page.getByRole("link", { name: "Key", exact: true }).click();
      await page.getByRole("link", { name: "Cost", exact: true }).click();
      await page.waitForURL(/range=7d&group=key&sort=cost/);
      expectSame(await charts.count(), 4, "charts");
      expectSame(await page.locator("th[aria-sort]").textContent(), "Cost", "sorted column");
      await page.getByRole("cell", { name: /^laptop/ }).waitFor();
    },
  );

  await check("usage: the charts follow a new request without moving what is open", async () => {
    await page.goto(`${base}/usage?range=24h&group=model`);
    await page.getByText("Live", { exact: true }).waitFor();
    const numbers = page.locator("#chart-requests-numbers");
    await numbers.locator("summary").click();
    await page.evaluate("document.querySelector('#chart-requests canvas').dataset.mark = 'same'");
    const before = Number(await total.textContent());
    await (await sendChat(stage.gateway, key)).text();
    await total.filter({ hasText: new RegExp(`^${before + 1}$`) }).waitFor();
    expect(await numbers.evaluate((element) => element.hasAttribute("open")), "it was closed");
    expectSame(await page.locator('canvas[data-mark="same"]').count(), 1, "charts that went on");
    expectSame(await charts.count(), 4, "charts");
  });

  await check("usage: the charts are drawn anew when the system's colours change", async () => {
    const old = page.locator('canvas[data-mark="old"]');
    for (const colorScheme of ["dark", "light"] as const) {
      await charts.evaluateAll((all) => all.forEach((one) => (one.dataset["mark"] = "old")));
      await page.emulateMedia({ colorScheme });
      await old.first().waitFor({ state: "detached" });
      expectSame([await old.count(), await charts.count()], [0, 4], "old charts and all");
    }
  });

  await check(
    "usage: from and to are chosen, and a wrong end is refused beside its field",
    async () => {
      await page.getByLabel("From", { exact: true }).fill("2026-01-05T00:00");
      await page.getByLabel("To", { exact: true }).fill("2026-01-04T00:00");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("Must be after the start.").waitFor();
      await page.getByLabel("To", { exact: true }).fill("2026-01-06T00:00");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("No requests in this time range.").waitFor();
      await page.waitForURL(/range=custom&.*from=2026-01-05/);
    },
  );

  await check("usage: without problems", async () => {
    expectSame(problems, [], "problems");
  });
  await context.close();
}
