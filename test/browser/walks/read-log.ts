/** The log is read while requests arrive: nothing moves, an open request can be shared, and any thing is a few keys away. */
import { admin } from "../../smoke/host.ts";
import { check, expect, expectSame } from "../report.ts";
import { readConfigDocument, sendChat, type Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

interface Log {
  readonly key: string;
  /** Sends a chat whose text is logged; the request's id. */
  send(text: string): Promise<string>;
}

/** The story, on a gateway of its own. */
export async function readLog(stage: Stage): Promise<void> {
  let log: Log | undefined;
  await check("read-log: a harness that logs texts has requests", async () => {
    log = await loggedHarness(stage);
    for (const text of ["First", "Second", "Third"]) await log.send(text);
  });
  await walkEachWay(stage, "read-log", async (walk) => {
    if (log === undefined) throw new Error("there is no log");
    await holdsStill(walk, log);
    await openAndShare(walk);
    await findByName(walk);
    await replay(walk, await log.send("Say this again, please."));
  });
}

async function holdsStill(walk: Walk, log: Log): Promise<void> {
  const { page, way } = walk;
  const scripted = way.hands !== "no script";
  await walk.open("/requests");
  if (scripted) await page.getByText("Live", { exact: true }).waitFor();
  const rows = page.locator("#live-rows tr");
  const before = [await rows.count(), await rows.first().boundingBox()];
  const ids = [await log.send("Fourth"), await log.send("Fifth")];
  const newest = page.locator(`tr[data-id="${ids[1]}"]`);
  if (scripted) await page.getByRole("button", { name: "2 new" }).waitFor();
  expectSame([await rows.count(), await rows.first().boundingBox()], before, "rows");
  expectSame(await newest.count(), 0, "rows that came unasked");
  if (way.hands === "keyboard") await page.keyboard.press("n");
  else if (scripted) await walk.press(page.getByRole("button", { name: "2 new" }));
  else await walk.press(page.getByRole("link", { name: "Newest" }));
  await newest.waitFor();
  const place = await newest.boundingBox();
  const height = page.viewportSize()?.height ?? 0;
  const isInSight = place !== null && place.y >= 0 && place.y < height;
  if (scripted) expect(isInSight, "the new rows are out of sight");
  // Every row names its key.
  expect((await newest.textContent())?.includes("laptop") === true, "the key has no name");
  await walk.look();
}

async function openAndShare(walk: Walk): Promise<void> {
  const { page, way } = walk;
  await walk.open("/requests?outcome=ok");
  const rows = page.locator("tr[data-id]");
  const idOf = async (at: number): Promise<string> =>
    (await rows.nth(at).getAttribute("data-id")) ?? "";
  const [first, second] = [await idOf(0), await idOf(1)];
  const detail = page.locator("article.detail");
  if (way.hands === "no script") {
    await walk.press(rows.first().locator(".row-link"));
    await detail.waitFor();
    await walk.open(`/requests?open=${first}`);
    await page.getByRole("link", { name: `Show the request ${first}` }).waitFor();
    return;
  }
  const byKeys = way.hands === "keyboard";
  if (byKeys) await page.keyboard.press("j");
  await (byKeys ? page.keyboard.press("Enter") : rows.first().locator("td").nth(3).click());
  const drawer = page.getByRole("dialog", { name: "Request" });
  await drawer.getByText(first).first().waitFor();
  await (byKeys ? page.keyboard.press("j") : drawer.getByRole("button", { name: "Next" }).click());
  await drawer.getByText(second).first().waitFor();
  await page.waitForURL(new RegExp(`outcome=ok&open=${second}`));
  if (way.width === 390) {
    const box = await drawer.boundingBox();
    expectSame([box?.x, box?.width], [0, 390], "the drawer's place");
  }
  await page.reload();
  await drawer.getByText(second).first().waitFor();
  await walk.look();
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "hidden" });
  await page.waitForURL(/requests\?outcome=ok$/);
  await rows.first().locator(".row-link").click();
  await drawer.getByText(first).first().waitFor();
  await page.goBack();
  await drawer.waitFor({ state: "hidden" });
  expect(page.url().endsWith("?outcome=ok"), "Back forgot the filter");
}

async function findByName(walk: Walk): Promise<void> {
  const { page, way } = walk;
  await walk.open("/requests");
  const button = page.getByRole("button", { name: "Search", exact: true });
  if (way.hands === "no script") {
    await walk.press(button);
    await walk.fill(page.getByLabel("Search everything"), "laptop");
    await walk.press(page.getByRole("main").getByRole("button", { name: "Search" }));
    await walk.look();
    await walk.press(page.getByRole("link", { name: "laptop", exact: true }));
  } else {
    if (way.hands === "keyboard") await page.keyboard.press("ControlOrMeta+k");
    else await walk.press(button);
    const palette = page.getByRole("dialog", { name: "Search everything" });
    await palette.getByRole("combobox").waitFor();
    await walk.look();
    await page.keyboard.type("laptop");
    await palette.getByRole("option", { name: /^laptop/, selected: true }).waitFor();
    await page.keyboard.press("Enter");
  }
  await page.waitForURL(/\/keys\//);
}

async function replay(walk: Walk, id: string): Promise<void> {
  const { page } = walk;
  await walk.open(`/requests/${id}`);
  await walk.press(page.getByRole("link", { name: "Replay in playground" }));
  const body = await page.getByLabel("Request body").inputValue();
  expect(body.includes("Say this again, please."), "the body is another");
  expect(body.includes("0.25"), "the parameters are lost");
  await walk.press(page.getByRole("button", { name: "Send" }));
  const original = page.getByRole("region", { name: "Original response" });
  await original.getByText("Answer of small-mini.").waitFor();
  await page.locator("#answers").getByText("Answer of small-mini.", { exact: true }).waitFor();
  await page.locator("#answers dt", { hasText: "Cost" }).waitFor();
  await walk.look();
}

async function loggedHarness({ gateway, upstream }: Stage): Promise<Log> {
  const before = await readConfigDocument(gateway);
  const models = [{ id: "small-mini" }];
  const lab = { id: "lab", kind: "custom", format: "chat", base_url: `${upstream.url}/v1`, models };
  const [first, ...others] = before.harnesses;
  await admin(gateway, "PUT /api/config", {
    ...before,
    providers: [...before.providers, lab],
    harnesses: [{ ...first, log_text: true }, ...others],
  });
  const call = `POST /api/harnesses/${first?.id ?? ""}/keys`;
  const { key } = await admin<{ key: string }>(gateway, call, { name: "laptop" });
  const send = async (content: string): Promise<string> => {
    const messages = [{ role: "user", content }];
    const body = { model: "lab/small-mini", temperature: 0.25, messages };
    const answer = await sendChat(gateway, key, body);
    await answer.text();
    return answer.headers.get("x-gateway-request-id") ?? "";
  };
  return { key, send };
}
