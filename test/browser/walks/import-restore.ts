/** Importing documents that are none, and one that deletes everything; then the way back. */
import { admin } from "../../smoke/host.ts";
import { expect, expectSame } from "../report.ts";
import { type ConfigDocument, readConfigDocument, sendChat, type Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

const bad = [
  ['{"providers": [', "line 1, column 16"],
  ["[]", "this is a list"],
  ['{"model_list": []}', "not a configuration of this gateway"],
] as const;

export async function importAndRestore(stage: Stage): Promise<void> {
  await walkEachWay(stage, "import and restore", async (walk) => {
    const before = await withModel(stage);
    const key = await newKey(stage, walk.turn, before);
    expectSame(await statusOf(stage, key), 200, "status before");
    await importBad(walk);
    await cancelDeletion(walk);
    expectSame(await readConfigDocument(stage.gateway), before, "configuration after cancelling");
    await confirmDeletion(walk);
    expectSame(await readConfigDocument(stage.gateway), {} as ConfigDocument, "configuration");
    expectSame(await statusOf(stage, key), 401, "status of the deleted key");
    await restoreLast(walk);
    expectSame(await readConfigDocument(stage.gateway), before, "configuration after restoring");
    expectSame(await statusOf(stage, key), 200, "status after restoring");
  });
}

/** The document, with a model that answers by a stored credential. */
async function withModel({ gateway, upstream }: Stage): Promise<ConfigDocument> {
  const found = await readConfigDocument(gateway);
  const kept = found.providers.filter(({ id }) => id !== "walked");
  const base_url = `${upstream.url}/v1`;
  const models = [{ id: "small-mini", cost: { input: 1, output: 2 } }];
  const walked = { id: "walked", kind: "custom", format: "chat", base_url, api_key: "k", models };
  await admin(gateway, "PUT /api/config", { ...found, providers: [...kept, walked] });
  return await readConfigDocument(gateway);
}

async function newKey(
  { gateway }: Stage,
  turn: number,
  { harnesses: [first] }: ConfigDocument,
): Promise<string> {
  expect(first !== undefined, "there is no harness");
  const call = `POST /api/harnesses/${first.id}/keys`;
  return (await admin<{ key: string }>(gateway, call, { name: `walk ${turn}` })).key;
}

async function statusOf({ gateway }: Stage, key: string): Promise<number> {
  const answer = await sendChat(gateway, key, { model: "walked/small-mini" });
  await answer.text();
  return answer.status;
}

async function importText({ page, open, fill, press }: Walk, text: string): Promise<void> {
  await open("/settings");
  await fill(page.getByLabel("Configuration to import"), text);
  await press(page.getByRole("button", { name: "Import…" }));
}

async function importBad(walk: Walk): Promise<void> {
  for (const [text, words] of bad) {
    await importText(walk, text);
    await walk.page.getByText(words).waitFor();
    expectSame(
      await walk.page.getByLabel("Configuration to import").inputValue(),
      text,
      "the refused text",
    );
  }
  await walk.look();
}

async function cancelDeletion(walk: Walk): Promise<void> {
  const { page, press, look } = walk;
  await importText(walk, "{}");
  await page.getByRole("heading", { name: "Import this configuration?", level: 1 }).waitFor();
  await page.getByText(/^This deletes \d+ providers?, \d+ harness(es)? and \d+ keys?\.$/).waitFor();
  await page.getByText(`walk ${walk.turn} (`).waitFor();
  await look();
  // The button alone deletes nothing.
  await press(page.getByRole("button", { name: "Import and delete" }));
  await press(page.getByRole("link", { name: "Cancel" }));
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
}

async function confirmDeletion(walk: Walk): Promise<void> {
  const { page, press, tick } = walk;
  await importText(walk, "{}");
  await tick(page.getByLabel(/^Delete \d+ provider/));
  await press(page.getByRole("button", { name: "Import and delete" }));
  await page.getByText("Configuration imported.").waitFor();
  await page.getByRole("button", { name: "Undo" }).waitFor();
}

async function restoreLast({ page, open, press, look }: Walk): Promise<void> {
  await open("/settings/history");
  await page.getByText("Import", { exact: true }).first().waitFor();
  await look();
  await press(page.locator("tbody .row-link").nth(1));
  await page.getByText(/keys? works? again/).waitFor();
  await look();
  await press(page.getByRole("button", { name: "Restore this version" }));
  await page.getByText("Version restored.").waitFor();
}
