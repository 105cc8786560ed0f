/** One failed request is found among ten thousand by words of its error, and what went wrong with it is read. */
import { admin } from "../../smoke/host.ts";
import { check, expect, expectSame } from "../report.ts";
import { nextFailure, readConfigDocument, sendChat, type Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

/** As many as the log keeps. */
const requests = 10_000;
const inFlight = 40;
/** In another letter case than it is searched for. */
const error = "Quota exhausted for project Aurora-Borealis-7";
const words = "aurora-borealis";

/** The story. Its gateway must have no limits of rate. */
export async function findRequest(stage: Stage): Promise<void> {
  let wanted = "";
  await check(`find-request: ${requests} requests are logged`, async () => {
    const key = await connectedKey(stage);
    await sendMany(stage, key, requests / 2);
    wanted = await sendFailing(stage, key);
    await staysSmall(stage, () => sendMany(stage, key, requests / 2 - 1));
  });
  await check("find-request: the search is quick", async () => {
    const { page, context } = await stage.signedIn();
    const began = Date.now();
    await page.goto(`${stage.gateway.base}/dashboard/requests?outcome=failed&q=${words}`);
    await page.locator(`tr[data-id="${wanted}"]`).waitFor();
    const rows = Date.now() - began;
    await page.locator(".totals").waitFor();
    console.log(`        found after ${rows} ms, counted after ${Date.now() - began} ms`);
    await page.goto(`${stage.gateway.base}/dashboard/requests?q=nowhere-to-be-found`);
    await page.getByText("No matching requests.").waitFor();
    await context.close();
  });
  await walkEachWay(stage, "find-request", (walk) => find(walk, wanted));
}

/** A list that is open while thousands arrive moves nothing, and shows a bounded number when it is asked to. */
async function staysSmall(stage: Stage, meanwhile: () => Promise<void>): Promise<void> {
  const { page, context } = await stage.signedIn();
  await page.goto(`${stage.gateway.base}/dashboard/requests`);
  await page.getByText("Live", { exact: true }).waitFor();
  const rows = page.locator("#live-rows tr");
  const newest = await rows.first().getAttribute("data-id");
  await meanwhile();
  const held = page.getByRole("button", { name: / new$/ });
  await held.waitFor();
  expectSame(await rows.first().getAttribute("data-id"), newest, "the first row");
  expectSame(await rows.count(), 50, "rows that are shown");
  await held.click();
  expect((await rows.count()) <= 200, `${await rows.count()} rows are shown`);
  const last = await rows.last().getAttribute("data-id");
  await page.getByRole("link", { name: "Older" }).click();
  await page.waitForURL(/before=/);
  expectSame(await page.locator(`tr[data-id="${last}"]`).count(), 0, "rows that are shown again");
  await context.close();
}

async function find(walk: Walk, wanted: string): Promise<void> {
  const { page } = walk;
  await walk.open("/requests");
  await walk.press(page.getByRole("link", { name: "Failed", exact: true }));
  await page.waitForURL(/outcome=failed/);
  await walk.fill(page.getByLabel("Search ids, keys, tags, models, errors and logged text"), words);
  await walk.press(page.getByRole("button", { name: "Filter" }));
  await page.waitForURL(/q=aurora/);
  expect(page.url().includes("outcome=failed"), "the search forgot the outcome");
  const rows = page.locator("tr[data-id]");
  await rows.first().waitFor();
  expectSame(await rows.count(), 1, "rows");
  expectSame(await rows.locator("mark").textContent(), "Aurora-Borealis", "what is marked");
  if (walk.way.hands === "no script")
    await walk.press(page.getByRole("link", { name: "Count all matching requests" }));
  await page.locator(".totals").getByText("1 request", { exact: false }).waitFor();
  await walk.look();
  await walk.press(page.locator(`tr[data-id="${wanted}"] .row-link`));
  await page.locator("article.detail").getByText(error).first().waitFor();
  await walk.look();
}

/** A key called `laptop` of a harness that reaches the scripted provider. */
async function connectedKey({ gateway, upstream }: Stage): Promise<string> {
  const before = await readConfigDocument(gateway);
  const models = [{ id: "small-mini" }];
  const lab = { id: "lab", kind: "custom", format: "chat", base_url: `${upstream.url}/v1`, models };
  await admin(gateway, "PUT /api/config", { ...before, providers: [...before.providers, lab] });
  const harness = before.harnesses[0]?.id ?? "";
  const made = await admin<{ key: string }>(gateway, `POST /api/harnesses/${harness}/keys`, {
    name: "laptop",
  });
  return made.key;
}

async function sendMany({ gateway }: Stage, key: string, count: number): Promise<void> {
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      // A busy machine resets a connection now and then; one request more or less changes nothing.
      const answer = await sendChat(gateway, key, { model: "lab/small-mini" }).catch(
        () => undefined,
      );
      await answer?.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, sender));
}

/** The id of the one request that fails. */
async function sendFailing({ gateway }: Stage, key: string): Promise<string> {
  Object.assign(nextFailure, { status: 400, message: error });
  const answer = await sendChat(gateway, key, { model: "lab/small-mini" });
  await answer.arrayBuffer();
  Object.assign(nextFailure, { status: 0 });
  return answer.headers.get("x-gateway-request-id") ?? "";
}
