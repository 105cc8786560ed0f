/** Variant B's words, and access in cloud mode. */
import path from "node:path";
import { admin, npmStart, scratch } from "../smoke/host.ts";
import { axe } from "./look.ts";
import { check, expect, expectSame } from "./report.ts";
import type { Stage } from "./stage.ts";

export async function variantsAndModes(stage: Stage): Promise<void> {
  await variantB(stage);
  await cloud(stage);
}

async function variantB({ browser }: Stage): Promise<void> {
  const space = scratch();
  const gateway = await npmStart({
    state: path.join(space.folder, "b"),
    environment: { VARIANT: "B" },
  });
  const page = await browser.newPage();
  await check("variant B speaks of agents on every page", async () => {
    await page.goto(`${gateway.base}/dashboard`);
    await page.getByLabel("Admin token").fill(gateway.adminToken);
    await page.getByRole("button", { name: "Sign in" }).click();
    for (const place of [
      "",
      "/requests",
      "/harnesses",
      "/harnesses/default",
      "/harnesses/default/limits",
      "/harnesses/default/parameters",
      "/connect",
      "/playground",
      "/providers",
      "/harnesses/default/general",
      "/members",
      "/account",
      "/workspaces",
      "/settings",
    ]) {
      await page.goto(`${gateway.base}/dashboard${place}`);
      await page.getByRole("link", { name: "Agents" }).first().waitFor();
      const text = await page.evaluate<string>("document.body.innerText");
      expect(!/harness/i.test(text), `a harness at ${place}`);
      await axe(page);
    }
  });
  await page.close();
  await gateway.stop();
  space.remove();
}

async function cloud({ browser }: Stage): Promise<void> {
  const space = scratch();
  const gateway = await npmStart({
    state: path.join(space.folder, "cloud"),
    environment: { MODE: "cloud" },
  });
  await check("in cloud mode a workspace's token signs in to that workspace only", async () => {
    const made = await Promise.all(
      ["One", "Two"].map((name) =>
        admin<{ id: string; admin_token: string }>(gateway, "POST /api/workspaces", { name }),
      ),
    );
    for (const [index, { admin_token: token }] of made.entries()) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${gateway.base}/dashboard`);
      await page.getByLabel("Admin token").fill(token);
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.goto(`${gateway.base}/dashboard/harnesses`);
      expectSame(await page.locator(".tile h2").count(), 1, "harnesses");
      await page.getByLabel("Name").fill(`Of ${index}`);
      await page.getByRole("button", { name: "Create" }).click();
      await page.getByText("Created.").waitFor();
      await page.goto(`${gateway.base}/dashboard/providers`);
      expectSame(await page.getByText("On this machine").count(), 0, "local servers");
      await page.goto(`${gateway.base}/dashboard/add-provider?kind=custom`);
      await page.getByLabel("Base URL").fill("http://127.0.0.1:1/v1");
      await page.getByRole("button", { name: "Test connection" }).click();
      await page.getByText("Connection failed.").waitFor();
      await page.getByRole("button", { name: "Save anyway" }).click();
      expectSame(
        await page.getByLabel("Base URL").getAttribute("aria-invalid"),
        "true",
        "a private address",
      );
      await context.close();
    }
  });
  await gateway.stop();
  space.remove();
}
