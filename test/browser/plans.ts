/** Plans, retention, export and deletion of workspaces, as operators and owners do it. */
import path from "node:path";
import type { BrowserContextOptions, Page } from "playwright-core";
import { startCompany } from "../kit/company.ts";
import { type Host, npmStart, scratch } from "../smoke/host.ts";
import { axe } from "./look.ts";
import { check, expect, expectSame } from "./report.ts";
import type { Stage } from "./stage.ts";

const oda = { sub: "oda-1", email: "oda@company.test", name: "Oda" };
const ove = { sub: "ove-1", email: "ove@company.test", name: "Ove" };
const PLANS = JSON.stringify({
  free: { monthly_requests: 100, retention_days: 7, members: 2 },
  pro: { monthly_requests: 5000, features: ["sso"] },
});

/** The gateway, and new pages of its visitors. */
interface Scene {
  gateway: Host;
  newPage(options?: BrowserContextOptions): Promise<Page>;
}

export async function plans({ browser }: Stage): Promise<void> {
  const space = scratch();
  const company = await startCompany({ accounts: [oda, ove] });
  const gateway = await npmStart({
    state: path.join(space.folder, "plans"),
    environment: {
      ...company.settings,
      PLANS,
      MODE: "cloud",
      ALLOW_PRIVATE_UPSTREAMS: "true",
      SIGN_UP: "open",
      OPERATORS: oda.email,
    },
  });
  const newPage: Scene["newPage"] = async (options = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1024, height: 860 },
      ...options,
    });
    context.setDefaultTimeout(10_000);
    return await context.newPage();
  };
  try {
    await story({ gateway, newPage });
  } finally {
    await gateway.stop();
    await company.close();
    space.remove();
  }
}

async function story({ gateway, newPage }: Scene): Promise<void> {
  const at = (place: string) => `${gateway.base}/dashboard${place}`;
  // Nothing here needs scripts.
  const owner = await newPage({ javaScriptEnabled: false });
  const operator = await newPage();

  await check("an owner sees the plan and sets how long data is kept", async () => {
    await owner.goto(at(""));
    await signInAs(owner, ove.sub);
    await owner.goto(at("/settings"));
    await owner.getByText("This workspace is on the plan free.").waitFor();
    await owner.getByText("0 of 100 requests used this month").first().waitFor();
    const form = owner.getByRole("region", { name: "Retention and regions" });
    await form.getByLabel("Keep requests and usage for (days)").fill("3");
    await form.getByLabel("Provider regions").selectOption("eu");
    await form.getByRole("button", { name: "Save" }).click();
    await owner.getByText("Saved.").waitFor();
    expectSame(await form.getByLabel("Provider regions").inputValue(), "eu", "regions");
    await form.getByLabel("Provider regions").selectOption("");
    await form.getByRole("button", { name: "Save" }).click();
  });

  await check("a provider's region and a harness's errors are chosen", async () => {
    await owner.goto(at("/add-provider?kind=openai"));
    await owner.getByText("More settings").click();
    await owner.getByLabel("Region").selectOption({ label: "European Union" });
    await owner.goto(at("/harnesses/default/general"));
    await owner.getByLabel("Gateway errors").selectOption("status");
    await owner.getByRole("button", { name: "Save" }).click();
    await owner.getByText(/^Saved\./).waitFor();
    expectSame(await owner.getByLabel("Gateway errors").inputValue(), "status", "errors");
  });

  await check("an operator changes the plan of a workspace, and cannot delete it", async () => {
    await operator.goto(at(""));
    await signInAs(operator, oda.sub);
    await operator.goto(at("/workspaces"));
    await operator.getByRole("link", { name: `${ove.name}'s workspace` }).click();
    const card = operator.getByRole("region", { name: "Plan", exact: true });
    await card.getByLabel("Plan", { exact: true }).selectOption("pro");
    await card.getByRole("button", { name: "Change plan" }).click();
    await operator.getByText("Plan changed.").waitFor();
    await card.getByText("sso").waitFor();
    await operator.getByText("0 of 5,000 requests used this month").first().waitFor();
    expectSame(await operator.getByRole("link", { name: /^Delete/ }).count(), 0, "deletion");
    await owner.goto(at("/settings"));
    await owner.getByText("This workspace is on the plan pro.").waitFor();
  });

  await check("the administrator makes a workspace in a jurisdiction", async () => {
    const administrator = await newPage();
    await administrator.goto(at(""));
    await administrator.locator("summary").click();
    await administrator.getByLabel("Admin token").fill(gateway.adminToken);
    await administrator.getByRole("button", { name: "Sign in", exact: true }).click();
    await administrator.goto(at("/workspaces"));
    await administrator.getByLabel("Name").fill("Berlin");
    await administrator.getByLabel("Jurisdiction").selectOption("eu");
    await administrator.getByRole("button", { name: "Create" }).click();
    await administrator.getByText(/Copy the admin token of Berlin/).waitFor();
    await administrator.getByText(/^ws_eu_.* · European Union$/).waitFor();
    await fits(administrator);
    await administrator.getByRole("link", { name: "Berlin" }).click();
    await administrator.getByText("Jurisdiction: European Union.").waitFor();
    await fits(administrator);
    await administrator.getByRole("link", { name: "Delete workspace…" }).click();
    await fits(administrator);
    await administrator.context().close();
  });

  await check("the new pages read well in two widths", async () => {
    const scripted = await newPage();
    await scripted.goto(at(""));
    await signInAs(scripted, ove.sub);
    for (const place of ["/settings", "/harnesses/default/general", "/add-provider?kind=openai"]) {
      await scripted.goto(at(place));
      await fits(scripted);
    }
    await scripted.goto(at("/settings"));
    await scripted.getByRole("link", { name: "Delete workspace…" }).click();
    await fits(scripted);
    await scripted.context().close();
  });

  await check("an owner exports the workspace and deletes it by typing its id", async () => {
    await owner.goto(at("/settings"));
    await owner.getByRole("link", { name: "Delete workspace…" }).click();
    const download = owner.waitForEvent("download");
    await owner.getByRole("link", { name: "Export workspace" }).click();
    expect(/^workspace-ws_.*\.jsonl$/.test((await download).suggestedFilename()), "its name");
    await owner.getByLabel("ID of the workspace").fill("mine");
    await owner.getByRole("button", { name: "Delete workspace" }).click();
    expectSame(
      await owner.getByLabel("ID of the workspace").getAttribute("aria-invalid"),
      "true",
      "aria-invalid",
    );
    const id = (await owner.locator("#f-confirm-hint code").textContent()) ?? "";
    await owner.getByLabel("ID of the workspace").fill(id);
    await owner.getByRole("button", { name: "Delete workspace" }).click();
    await owner.waitForURL(/\/dashboard\/(waiting|sign-in)/);
    await operator.goto(at(`/workspaces/${id}`));
    await operator.getByRole("heading", { name: "Not found" }).waitFor();
  });
  await owner.context().close();
  await operator.context().close();
}

/** From the sign-in page by the company's form to the overview. */
async function signInAs(page: Page, account: string): Promise<void> {
  await page.getByRole("link", { name: /^Sign in with/ }).click();
  await page.getByLabel("Account").fill(account);
  await page.getByLabel("Password").fill("any");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
}

/** Accessible, and not wider than a tablet or a phone. */
async function fits(page: Page): Promise<void> {
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: 860 });
    await axe(page);
    const wide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(wide <= 0, `${page.url()} is ${wide} px too wide at ${width} px`);
  }
}
