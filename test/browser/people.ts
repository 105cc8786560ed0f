/** People who sign in by their company: joining, roles, switching, signing out, as each of them sees it. */
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { type Company, startCompany } from "../kit/company.ts";
import { type Host, npmStart, scratch } from "../smoke/host.ts";
import { axe } from "./look.ts";
import { check, expect, expectSame } from "./report.ts";
import type { Stage } from "./stage.ts";

const ada = { sub: "ada-1", email: "ada@company.test", name: "Ada" };
const bo = { sub: "bo-1", email: "bo@company.test", name: "Bo" };

/** The gateway of a company, and browsers of its people. */
interface Scene {
  gateway: Host;
  company: Company;
  browser: Browser;
}

export async function people({ browser }: Stage): Promise<void> {
  const space = scratch();
  const company = await startCompany({ accounts: [ada, bo] });
  const gateway = await npmStart({
    state: path.join(space.folder, "people"),
    environment: { ...company.settings, SIGN_UP: "open" },
  });
  try {
    await story({ gateway, company, browser });
  } finally {
    await gateway.stop();
    await company.close();
    space.remove();
  }
}

async function story(scene: Scene): Promise<void> {
  const { gateway } = scene;
  const at = (place: string) => `${gateway.base}/dashboard${place}`;
  const adas = await newPage(scene);
  const bos = await newPage(scene);
  let link = "";

  await check("somebody signs up by the company's sign-in and owns a workspace", async () => {
    await adas.goto(at(""));
    await axe(adas);
    await signInAs(adas, ada.sub);
    await adas.getByRole("link", { name: ada.email }).waitFor();
    await adas.getByRole("link", { name: "Members" }).first().waitFor();
  });

  await check("an owner invites somebody by a link that is shown once", async () => {
    await adas.goto(at("/members"));
    await adas.getByLabel("E-mail (optional)").fill(bo.email);
    await adas.getByRole("button", { name: "Create link" }).click();
    link = (await adas.getByLabel("Invitation link").textContent()) ?? "";
    expect(link.startsWith(gateway.base), `a link of its own: ${link}`);
    await axe(adas);
    await adas.goto(at("/members"));
    expectSame(await adas.getByLabel("Invitation link").count(), 0, "links shown again");
    await adas.getByRole("button", { name: `Revoke the invitation for ${bo.email}` }).waitFor();
  });

  await check(
    "the invited person joins as what the invitation says, beside their own workspace",
    async () => {
      await bos.goto(at(""));
      await signInAs(bos, bo.sub);
      await bos.goto(link);
      await bos.getByRole("heading", { name: "Join this workspace?", level: 1 }).waitFor();
      await axe(bos);
      await bos.getByRole("button", { name: "Join" }).click();
      await bos.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
      await bos.getByText(/, member$/).waitFor();
    },
  );

  await check(
    "a member finds own keys, requests and models, and nothing to configure",
    async () => {
      await allowed(bos, scene, [
        "",
        "/requests",
        "/harnesses",
        "/harnesses/default",
        "/models",
        "/connect",
        "/account",
      ]);
      await refused(bos, scene, [
        "/providers",
        "/settings",
        "/playground",
        "/members",
        "/harnesses/default/limits",
        "/workspaces",
      ]);
      await bos.goto(at("/connect"));
      await bos.getByRole("button", { name: "Create key" }).click();
      await bos.getByLabel("Your new key").waitFor();
      await bos.goto(at("/harnesses/default"));
      expectSame(await bos.locator("tbody tr").count(), 1, "keys of their own");
    },
  );

  await check("an owner changes the role, and the pages follow at once", async () => {
    await adas.goto(at("/members"));
    await adas.getByRole("link", { name: bo.email }).click();
    await axe(adas);
    await adas.getByRole("combobox", { name: "Role" }).selectOption("viewer");
    await adas.getByRole("button", { name: "Save" }).click();
    await adas.getByText(/^A viewer has no keys\. These keys stop working: /).waitFor();
    await adas.getByRole("button", { name: "Make viewer and revoke keys" }).click();
    await adas.getByText("Role changed.").waitFor();
    const places = [
      "",
      "/requests",
      "/harnesses",
      "/harnesses/default",
      "/harnesses/default/limits",
      "/harnesses/default/general",
      "/providers",
      "/models",
      "/members",
      "/settings",
      "/connect",
      "/account",
    ];
    await allowed(bos, scene, places);
    await refused(bos, scene, ["/playground", "/add-provider?kind=openai", "/workspaces"]);
  });

  await check("a viewer finds no form that would be refused", async () => {
    for (const place of [
      "/harnesses/default",
      "/harnesses/default/limits",
      "/harnesses/default/general",
      "/harnesses/default/routing",
      "/harnesses/default/parameters",
      "/providers",
      "/settings",
      "/members",
    ]) {
      await bos.goto(at(place));
      const actions = await bos.locator("main form[method=post]").evaluateAll((forms) =>
        // Elements of the page, as the browser gives them.
        (forms as unknown as { getAttribute(name: string): string }[]).map((form) =>
          form.getAttribute("action"),
        ),
      );
      expectSame(
        actions.filter((action) => !action.includes("/routing/try")),
        [],
        place,
      );
    }
  });

  await check("the keys of who became a viewer ended, and a member makes new ones", async () => {
    await bos.goto(at("/harnesses/default"));
    expectSame(await bos.locator("tbody tr").count(), 0, "keys that are left");
    await adas.getByRole("combobox", { name: "Role" }).selectOption("member");
    await adas.getByRole("button", { name: "Save" }).first().click();
    await adas.getByText("Role changed.").waitFor();
    await bos.goto(at("/connect"));
    await bos.getByRole("button", { name: "Create key" }).click();
    await bos.getByLabel("Your new key").waitFor();
  });

  await check("switching shows the other workspace, with the role there", async () => {
    await bos.goto(at(""));
    await bos.getByText("Switch workspace").click();
    await bos.locator(".switch button").first().click();
    await bos.getByText(/, owner$/).waitFor();
    await bos.goto(at("/settings"));
    await bos.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  });

  await check("limits of a person are set, changed and removed", async () => {
    await adas.goto(at("/members"));
    await adas.getByRole("link", { name: bo.email }).click();
    await adas.getByLabel("Limit", { exact: true }).fill("5");
    await adas.getByRole("button", { name: "Add limit" }).click();
    await adas.getByText("$0 of $5.00 used").waitFor();
    await adas.getByRole("link", { name: /^Edit the limit/ }).click();
    await adas.getByLabel("Limit", { exact: true }).fill("7");
    await adas.getByLabel("Strict").check();
    await adas.getByRole("button", { name: "Save" }).last().click();
    await adas.getByText("$0 of $7.00 used").waitFor();
    await axe(adas);
    await adas.getByRole("button", { name: /^Remove the limit/ }).click();
    await adas.getByText("No spending limit.").waitFor();
  });

  await check(
    "removing names the keys that end, and the workspace is gone for the person",
    async () => {
      await adas.getByRole("link", { name: "Remove…" }).click();
      await adas.getByText(/These keys stop working: .*…/).waitFor();
      await axe(adas);
      await adas.getByRole("button", { name: "Remove member" }).click();
      await adas.getByText("Member removed.").waitFor();
      await bos.goto(at(""));
      expectSame(await bos.getByText("Switch workspace").count(), 0, "workspaces to switch to");
    },
  );

  await check("an access token is shown once and revoked", async () => {
    await adas.goto(at("/account"));
    await adas.getByLabel("Name").fill("script");
    await adas.getByRole("button", { name: "Create token" }).click();
    const token = (await adas.getByLabel("New access token").textContent()) ?? "";
    const headers = { authorization: `Bearer ${token}` };
    const me = () => fetch(`${gateway.base}/api/me`, { headers });
    expectSame((await me()).status, 200, "with the token");
    await axe(adas);
    await adas.goto(at("/account"));
    await adas.getByRole("button", { name: "Revoke the token script" }).click();
    await adas.getByRole("button", { name: "Revoke token" }).click();
    await adas.getByText("Token revoked.").waitFor();
    expectSame((await me()).status, 401, "after it was revoked");
  });

  await check("signing out everywhere ends the sessions of every browser", async () => {
    const second = await newPage(scene);
    await second.goto(at(""));
    await signInAs(second, ada.sub);
    await adas.goto(at("/account"));
    expectSame(await adas.getByText("this browser").count(), 1, "marked sessions");
    expectSame(await adas.getByRole("button", { name: /^End the session/ }).count(), 1, "others");
    await adas.getByRole("button", { name: "Sign out everywhere" }).click();
    await adas.getByRole("link", { name: /^Sign in with/ }).waitFor();
    await second.goto(at(""));
    await second.getByRole("link", { name: /^Sign in with/ }).waitFor();
    await second.context().close();
  });
  await adas.context().close();
  await bos.context().close();
}

async function newPage({ browser }: Scene): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 860 } });
  return await context.newPage();
}

/** From the sign-in page by the company's form to the overview. */
async function signInAs(page: Page, account: string): Promise<void> {
  await page.getByRole("link", { name: /^Sign in with/ }).click();
  await page.getByLabel("Account").fill(account);
  await page.getByLabel("Password").fill("any");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
}

/** Every page opens, is accessible, and fits a phone. */
async function allowed(page: Page, { gateway }: Scene, places: readonly string[]): Promise<void> {
  for (const place of places) {
    const answer = await page.goto(`${gateway.base}/dashboard${place}`);
    expectSame(answer?.status(), 200, place);
    await axe(page);
    await page.setViewportSize({ width: 390, height: 860 });
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(wide <= 0, `${place} is ${wide} px too wide`);
    await page.setViewportSize({ width: 1024, height: 860 });
  }
}

/** No page opens, and none is in the menu. */
async function refused(page: Page, { gateway }: Scene, places: readonly string[]): Promise<void> {
  for (const place of places) {
    const answer = await page.goto(`${gateway.base}/dashboard${place}`);
    expectSame(answer?.status(), 403, place);
    await page.getByRole("heading", { name: "Not allowed" }).waitFor();
  }
  await page.goto(`${gateway.base}/dashboard`);
  const menu = await page.locator("nav[aria-label=Main] a").evaluateAll((links) =>
    // Elements of the page, as the browser gives them.
    (links as unknown as { getAttribute(name: string): string }[]).map((link) =>
      link.getAttribute("href"),
    ),
  );
  for (const place of places)
    expect(!menu.includes(`/dashboard${place}`), `${place} is in the menu`);
}
