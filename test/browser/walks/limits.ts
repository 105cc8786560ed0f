/** A limit from its first day to its last: set, hit, seen, edited, undone, removed, undone. */
import { admin } from "../../smoke/host.ts";
import { expect, expectSame } from "../report.ts";
import { type ConfigDocument, readConfigDocument, sendChat, type Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

interface Holder {
  readonly id: string;
  readonly key: string;
  /** Another limit in each turn, so that none is taken for another's. */
  readonly max: number;
}

export async function limitsPeopleTrust(stage: Stage): Promise<void> {
  await walkEachWay(stage, "limits", async (walk) => {
    const before = await readConfigDocument(stage.gateway);
    const holder = await newHolder(stage, before, walk.turn);
    try {
      await setLimit(walk, holder);
      await hitLimit(walk, holder);
      await seeOnOverview(walk, holder);
      await seeInLog(walk, holder);
      await editAndUndo(walk, holder);
      await removeAndUndo(walk, holder);
    } finally {
      await admin(stage.gateway, "PUT /api/config", before);
    }
  });
}

async function newHolder(
  { gateway, upstream }: Stage,
  { providers, ...before }: ConfigDocument,
  turn: number,
): Promise<Holder> {
  const id = `limited-${turn}`;
  const models = [{ id: "small-mini", cost: { input: 1, output: 2 } }];
  const base_url = `${upstream.url}/v1`;
  const metered = { id: "metered", kind: "custom", format: "chat", base_url, models };
  await admin(gateway, "PUT /api/config", {
    ...before,
    providers: [...providers.filter((entry) => entry.id !== "metered"), metered],
    harnesses: [...before.harnesses, { id, name: `Limited ${turn}` }],
  });
  const { key } = await admin<{ key: string }>(gateway, `POST /api/harnesses/${id}/keys`, {});
  return { id, key, max: 2 + turn };
}

async function send({ gateway }: Stage, { key }: Holder): Promise<string> {
  return await (await sendChat(gateway, key, { model: "metered/small-mini" })).text();
}

const refusal = /\[gateway M200\] .*hard limit/;

async function setLimit({ page, open, choose, fill, press, look }: Walk, { id, max }: Holder) {
  await open(`/harnesses/${id}/limits`);
  await page.getByText("No spending limit. Add a daily one.").waitFor();
  await choose(page.getByLabel("Metric"), "Requests");
  await fill(page.getByLabel("Limit", { exact: true }), String(max));
  await press(page.getByRole("button", { name: "Add limit" }));
  await page.getByRole("progressbar", { name: `0 of ${max} requests used` }).waitFor();
  await page.getByText(/Resets in/).waitFor();
  await look();
}

async function hitLimit({ stage }: Walk, holder: Holder): Promise<void> {
  for (let sent = 0; sent < holder.max; sent += 1) {
    const text = await send(stage, holder);
    expect(text.includes("Answer of"), `request ${sent + 1} got ${text}`);
  }
  const text = await send(stage, holder);
  expect(refusal.test(text), `a request over the limit got ${text}`);
}

async function seeOnOverview({ page, open, look, turn }: Walk, { max }: Holder): Promise<void> {
  await open("?limits=all");
  const card = page.getByRole("region", { name: "Limits" });
  const own = card.getByRole("listitem").filter({ hasText: `Limited ${turn}` });
  await own.getByRole("progressbar", { name: `${max} of ${max} requests used` }).waitFor();
  await own.getByRole("link", { name: "1 blocked" }).waitFor();
  await card.getByRole("link", { name: /blocked today$/ }).waitFor();
  const latest = page.locator("#live-rows tr").first();
  expectSame(await latest.locator(".badge.good").count(), 0, "green badges of a blocked request");
  await latest.getByText("blocked", { exact: true }).waitFor();
  await look();
}

async function seeInLog({ page, press, look, turn }: Walk, { id }: Holder): Promise<void> {
  const card = page.getByRole("region", { name: "Limits" });
  const own = card.getByRole("listitem").filter({ hasText: `Limited ${turn}` });
  await press(own.getByRole("link", { name: "1 blocked" }));
  await page.waitForURL(new RegExp(`outcome=blocked&blocked_by=harness&harness=${id}`));
  await page.getByRole("heading", { name: "Requests", level: 1 }).waitFor();
  expectSame(await page.locator("tbody tr[data-id]").count(), 1, "rows of blocked requests");
  await page.locator("tbody tr[data-id]").getByText("blocked", { exact: true }).waitFor();
  await look();
}

async function editAndUndo(walk: Walk, holder: Holder): Promise<void> {
  const { stage, page, open, press, fill, look } = walk;
  const { max } = holder;
  await open("?limits=all");
  await press(page.getByRole("link", { name: `Edit the limit of ${max} requests per day` }));
  await page.getByRole("heading", { name: "Edit limit" }).waitFor();
  await fill(page.getByLabel("Limit", { exact: true }), String(max + 50));
  await press(page.getByRole("button", { name: "Save" }));
  await page.getByText(`${max} requests per day → ${max + 50} requests per day`).waitFor();
  await page.getByText(`${max} of ${max + 50} requests used`).waitFor();
  await look();
  expect((await send(stage, holder)).includes("Answer of"), "the raised limit still blocks");
  await press(page.getByRole("button", { name: "Undo" }));
  await page.getByText("Undone.").waitFor();
  expect(refusal.test(await send(stage, holder)), "the limit of before does not block");
}

async function removeAndUndo(walk: Walk, holder: Holder): Promise<void> {
  const { stage, page, open, press } = walk;
  const { id, max } = holder;
  await open(`/harnesses/${id}/limits`);
  await press(page.getByRole("button", { name: `Remove the limit of ${max} requests per day` }));
  await page.getByText(`${max} requests per day removed`).waitFor();
  expect((await send(stage, holder)).includes("Answer of"), "the removed limit still blocks");
  await press(page.getByRole("button", { name: "Undo" }));
  await page.getByText("Undone.").waitFor();
  expect(refusal.test(await send(stage, holder)), "the limit is not back");
}
