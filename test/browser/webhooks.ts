/** Webhooks and notices, as somebody sets them up, sees them fail, repairs them and reads what happened. */
import type { Page } from "playwright-core";
import { type Script, whole } from "../kit/script.ts";
import { startUpstream } from "../kit/upstream.ts";
import { admin } from "../smoke/host.ts";
import { axe, fitsWidth } from "./look.ts";
import { check, expect, expectSame } from "./report.ts";
import { reachLimit } from "./seed.ts";
import type { Stage } from "./stage.ts";

/** What the receiver answers, and the `webhook-id` of everything that it was sent. */
interface Receiver {
  url: string;
  status: number;
  received: string[];
}

export async function webhooks(stage: Stage): Promise<void> {
  const receiver: Receiver = { url: "", status: 204, received: [] };
  const server = await startUpstream({ respond: ({ headers }) => answer(receiver, headers) });
  receiver.url = `${server.url}/hook`;
  try {
    for (const script of [false, true]) {
      const { page, context, problems } = await stage.signedIn({ width: 1024, script });
      await story({ stage, page, receiver, script });
      if (script) await atEveryWidth(stage, page);
      expectSame(problems.splice(0), [], "problems");
      await context.close();
    }
  } finally {
    await server.close();
  }
}

function answer(receiver: Receiver, headers: Record<string, string>): Script {
  receiver.received.push(headers["webhook-id"] ?? "");
  return whole({}, receiver.status);
}

interface Story {
  stage: Stage;
  page: Page;
  receiver: Receiver;
  script: boolean;
}

async function story(given: Story): Promise<void> {
  const { page, stage, receiver, script } = given;
  const base = `${stage.gateway.base}/dashboard`;
  const task = (name: string, run: () => Promise<void>) =>
    check(`${script ? "with" : "without"} scripts: ${name}`, run);

  await task("a webhook is added by keyboard, and its secret is shown once", async () => {
    receiver.status = 204;
    await page.goto(`${base}/webhooks`);
    const url = page.getByLabel("URL");
    await url.fill(receiver.url);
    expect(await page.getByLabel("Limit reached").isChecked(), "sensible events are not chosen");
    await page.getByLabel("Key created").press("Space");
    await url.press("Enter");
    const secret = (await page.getByLabel("Signing secret").textContent()) ?? "";
    expect(secret.startsWith("whsec_"), "no secret");
    await page.getByText("Verify signatures").press("Enter");
    await page.getByText("npm install standardwebhooks").waitFor();
    await page.goto(`${base}/webhooks`);
    expect(!(await page.content()).includes(secret), "the secret is shown again");
  });
  await task("a test says that it arrived", async () => {
    await openWebhook(page);
    await page.getByRole("button", { name: "Send test event" }).click();
    await page.getByText("Test event delivered:").waitFor();
  });
  await task("a broken receiver is seen, and the same event is sent again by hand", async () => {
    receiver.status = 500;
    await page.getByRole("button", { name: "Send test event" }).click();
    await page.getByText("Test event not delivered:").waitFor();
    await page.getByText("Failed", { exact: true }).last().waitFor();
    receiver.status = 200;
    await page
      .getByRole("button", { name: /^Send again: Test/ })
      .first()
      .click();
    await page.getByText("Test event delivered:").waitFor();
    const [before, again] = receiver.received.slice(-2);
    expectSame(again, before, "the event's id");
  });
  await task("a new key is a notice, counted in the menu and sent to the receiver", async () => {
    await page.goto(`${base}/notices`);
    const known = receiver.received.length;
    await page.goto(base);
    await page.getByRole("link", { name: "Notices", exact: true }).waitFor();
    const name = "<script>alert(1)</script> *_~ @everyone &lt;!channel&gt;";
    await admin(stage.gateway, "POST /api/harnesses/default/keys", { name });
    // Pages that follow the live feed need no reload.
    if (!script) await page.goto(base);
    await page.getByRole("link", { name: /^Notices 1/ }).click();
    await page.getByText(name, { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Show: Key created" }).first().click();
    await page.getByRole("heading", { name }).first().waitFor();
    await until(() => receiver.received.length > known);
  });
  await task("a limit that is used up stands on the overview while it is", async () => {
    // The newest ones stand there, and other stories may have left some.
    const id = `spent-${script ? "with" : "without"}-scripts`;
    await reachLimit(stage, id, "Spent account");
    await page.goto(base);
    await page.getByText(new RegExp(`^Harness ${id} has reached a limit`)).waitFor();
  });
  await task("a webhook is deleted after a confirmation", async () => {
    await openWebhook(page);
    await page.getByRole("link", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByText("No webhooks yet.").waitFor();
  });
}

async function openWebhook(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Webhooks" }).first().click();
  await page.getByRole("link", { name: /127\.0\.0\.1/ }).click();
  await page.getByRole("heading", { name: "Deliveries" }).waitFor();
}

/** A webhook whose address and log are long. */
async function atEveryWidth({ gateway }: Stage, page: Page): Promise<void> {
  const url = `http://127.0.0.1:9/${"long-path-".repeat(30)}`;
  const body = { url, events: ["key.created"] };
  const { id } = await admin<{ id: string }>(gateway, "POST /api/webhooks", body);
  for (let times = 0; times < 3; times += 1)
    await admin(gateway, `POST /api/webhooks/${id}/test`, {});
  for (const width of [390, 1024])
    for (const place of ["/webhooks", `/webhooks/${id}`, "/notices", ""])
      await check(`${place === "" ? "/" : place}, ${width} px: reads well`, async () => {
        await page.setViewportSize({ width, height: 860 });
        await page.goto(`${gateway.base}/dashboard${place}`);
        const name = place.replaceAll("/", "") || "banners";
        const path = `screenshots/${name.replace(id, "-one")}-${width}.png`;
        await page.screenshot({ path, fullPage: true });
        await fitsWidth(page);
        await axe(page);
      });
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !done(); tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(done(), "it did not happen in time");
}
