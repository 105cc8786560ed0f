/** The two minutes from nothing to the first live request, with the pointer and the keyboard only. */
import { check, expect, same } from "./report.ts";
import { ask, listed, type Stage } from "./stage.ts";

export async function journey(stage: Stage): Promise<void> {
  const begun = Date.now();
  const { page, context, troubles } = await stage.signedIn();
  const { gateway, upstream } = stage;
  let key = "";

  await check("an empty gateway says what to do first", async () => {
    await page.getByRole("link", { name: "Connect a provider" }).click();
    await page.getByRole("heading", { name: "Providers", level: 1 }).waitFor();
  });

  await check("an endpoint of one's own is tried, finds its models, and is connected", async () => {
    await page.getByLabel("Search the catalogue").fill("custom");
    expect(
      (await page.locator("#catalogue li:visible").count()) === 1,
      "the search leaves one tile",
    );
    await page.getByRole("link", { name: "Custom endpoint" }).click();
    await page.getByLabel("Id", { exact: true }).fill("mine");
    await page.getByLabel("Address").fill(`${upstream.url}/v1`);
    await page.getByRole("button", { name: "Find its models" }).click();
    for (const id of listed) await page.getByText(id, { exact: true }).waitFor();
    same(
      await page.getByLabel("Id", { exact: true }).inputValue(),
      "mine",
      "the form keeps its fields",
    );
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByText("The connection works.").waitFor();
    await page.getByText(`Models (${listed.length})`).waitFor();
  });

  await check("a key is made and stands in every set-up", async () => {
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Connect" })
      .click();
    await page.getByRole("button", { name: "Make a key" }).click();
    key = (await page.getByLabel("Your new key").textContent()) ?? "";
    expect(/^gw_[\w-]{43,}$/.test(key), `no key: ${key}`);
    const text = (await page.locator("main").textContent()) ?? "";
    expect(!text.includes("YOUR_KEY"), "a set-up has no key");
    expect(text.includes(`${gateway.base}/v1`), "a set-up has another address");
  });

  await check("the first request turns the page green by itself", async () => {
    await page.getByText("Waiting for your first request…").waitFor();
    const answer = await ask(gateway, key);
    same(answer.status, 200, "the client's answer");
    await answer.text();
    await page.getByText("Your first request arrived.").waitFor({ timeout: 5000 });
  });

  await check("from there a drawer tells everything about it", async () => {
    await page.getByRole("link", { name: "See what happened to it" }).click();
    const drawer = page.getByRole("dialog", { name: "Request" });
    await drawer.getByRole("heading", { name: "Why this model" }).waitFor();
    await drawer.getByRole("heading", { name: "Attempts" }).waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });
  });

  await check("requests appear in the list while it is watched", async () => {
    await page.getByRole("link", { name: "Requests", exact: true }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    const before = await page.locator("#live-rows tr").count();
    const answer = await ask(gateway, key, { stream: true });
    await answer.text();
    const id = answer.headers.get("x-gateway-request-id") ?? "";
    await page.locator(`tr[data-id="${id}"]`).waitFor({ timeout: 5000 });
    same(await page.locator("#live-rows tr").count(), before + 1, "rows");
  });

  await check("a list that is watched for long misses nothing", async () => {
    await page.waitForTimeout(11_000);
    const answers = await Promise.all([1, 2, 3].map(() => ask(gateway, key)));
    for (const answer of answers) {
      await answer.text();
      const id = answer.headers.get("x-gateway-request-id") ?? "";
      await page.locator(`tr[data-id="${id}"]`).waitFor({ timeout: 5000 });
    }
    await page.getByText("Live", { exact: true }).waitFor();
  });

  await check("the overview's numbers follow by themselves", async () => {
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("Live", { exact: true }).waitFor();
    const number = page.locator("#numbers .stat-value").first();
    const before = Number(await number.textContent());
    await (await ask(gateway, key)).text();
    await number.filter({ hasText: new RegExp(`^${before + 1}$`) }).waitFor({ timeout: 10_000 });
  });

  await check("all of it within two minutes, without a trouble", async () => {
    expect(Date.now() - begun < 120_000, "it took longer");
    same(troubles, [], "troubles");
  });
  await context.close();
}
