/** The two minutes from nothing to the first live request, with the pointer and the keyboard only. */
import { check, expect, expectSame } from "./report.ts";
import { sendChat, listedModels, type Stage } from "./stage.ts";

export async function journey(stage: Stage): Promise<void> {
  const begun = Date.now();
  const { page, context, problems } = await stage.signedIn();
  const { gateway, upstream } = stage;
  let key = "";

  await check("an empty gateway says what to do first", async () => {
    await page.getByRole("link", { name: "Add a provider" }).click();
    await page.getByRole("heading", { name: "Providers", level: 1 }).waitFor();
  });

  await check("a custom endpoint is tested, finds its models, and is added", async () => {
    await page.getByLabel("Search the catalogue").fill("custom");
    expect(
      (await page.locator("#catalogue li:visible").count()) === 1,
      "the search leaves one tile",
    );
    await page.getByRole("link", { name: "Custom endpoint" }).click();
    await page.getByLabel("ID", { exact: true }).fill("mine");
    await page.getByLabel("Base URL").fill(`${upstream.url}/v1`);
    await page.getByRole("button", { name: "Test connection" }).click();
    for (const id of listedModels) await page.getByText(id, { exact: true }).waitFor();
    expectSame(
      await page.getByLabel("ID", { exact: true }).inputValue(),
      "mine",
      "the form keeps its fields",
    );
    await page.getByText("Connection works.").waitFor();
    await page.getByRole("button", { name: "Get a first answer and add" }).click();
    await page.getByText("Provider added.").waitFor();
    await page.getByText("Answer of ").waitFor();
    await page.getByText(`Models (${listedModels.length})`).waitFor();
  });

  await check("a new key is in every snippet", async () => {
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Connect" })
      .click();
    await page.getByRole("button", { name: "Create key" }).click();
    key = (await page.getByLabel("Your new key").textContent()) ?? "";
    expect(/^gw_[\w-]{43,}$/.test(key), `no key: ${key}`);
    const text = (await page.locator("main").textContent()) ?? "";
    expect(!text.includes("YOUR_KEY"), "a snippet has no key");
    expect(text.includes(`${gateway.base}/v1`), "a snippet has another address");
  });

  await check("the page shows the first request by itself", async () => {
    await page.getByText("Waiting for your first request…").waitFor();
    const answer = await sendChat(gateway, key);
    expectSame(answer.status, 200, "the client's answer");
    await answer.text();
    await page.getByText("Your first request arrived.").waitFor();
  });

  await check("from there a drawer tells everything about it", async () => {
    await page.getByRole("link", { name: "Show the request" }).click();
    const drawer = page.getByRole("dialog", { name: "Request" });
    await drawer.getByRole("heading", { name: "Why this model" }).waitFor();
    await drawer.getByRole("heading", { name: "Attempts" }).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
  });

  await check(
    "requests wait while the list is open, and appear when they are asked for",
    async () => {
      await page.getByRole("link", { name: "Requests", exact: true }).click();
      await page.getByText("Live", { exact: true }).waitFor();
      const before = await page.locator("#live-rows tr").count();
      const answer = await sendChat(gateway, key, { stream: true });
      await answer.text();
      const id = answer.headers.get("x-gateway-request-id") ?? "";
      const row = page.locator(`tr[data-id="${id}"]`);
      const held = page.getByRole("button", { name: "1 new" });
      await held.waitFor();
      expectSame(await row.count(), 0, "rows that moved others");
      await held.click();
      await row.waitFor();
      expectSame(await page.locator("#live-rows tr").count(), before + 1, "rows");
    },
  );

  await check("a list that stays open for long misses nothing", async () => {
    await page.waitForTimeout(11_000);
    const answers = await Promise.all([1, 2, 3].map(() => sendChat(gateway, key)));
    await page.getByRole("button", { name: "3 new" }).click();
    for (const answer of answers) {
      await answer.text();
      const id = answer.headers.get("x-gateway-request-id") ?? "";
      await page.locator(`tr[data-id="${id}"]`).waitFor();
    }
    await page.getByText("Live", { exact: true }).waitFor();
  });

  await check("the overview's numbers follow by themselves", async () => {
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    const number = page.locator("#numbers .stat-value").first();
    const before = Number(await number.textContent());
    await (await sendChat(gateway, key)).text();
    await number.filter({ hasText: new RegExp(`^${before + 1}$`) }).waitFor();
  });

  await check("all of it within two minutes, without problems", async () => {
    expect(Date.now() - begun < 120_000, "it took longer");
    expectSame(problems, [], "problems");
  });
  await context.close();
}
