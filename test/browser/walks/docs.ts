/** From a message of the gateway's own to its explanation, to the index, and to the reference of the configuration. */
import { expectSame } from "../report.ts";
import type { Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

/** The task of somebody who was refused. */
export async function docs(stage: Stage): Promise<void> {
  await walkEachWay(stage, "from a message to the documentation", async (walk) => {
    await openExplanation(walk);
    await walk.press(inPages(walk, "Documentation"));
    await walk.page.getByRole("heading", { level: 1, name: "Documentation" }).waitFor();
    await walk.look();
    await walk.press(inPages(walk, "Configuration"));
    await walk.page.getByRole("heading", { name: "A harness", exact: true }).waitFor();
    await walk.look();
  });
  await walkEachWay(stage, "from a page to its documentation", async (walk) => {
    await walk.open("/webhooks");
    await walk.press(walk.page.getByRole("link", { name: "Docs", exact: true }));
    await walk.page.getByRole("heading", { level: 1, name: "Observability" }).waitFor();
    expectSame(new URL(walk.page.url()).hash, "#webhooks", "the section");
    await walk.look();
  });
}

/** Follows the address at the end of a refusal. */
async function openExplanation({ stage, page, look }: Walk): Promise<void> {
  const { base } = stage.gateway;
  const refused = await fetch(`${base}/v1/models`, { headers: { authorization: "Bearer wrong" } });
  const { error } = (await refused.json()) as { error: { message: string } };
  const address = error.message.split(" See ").at(-1) ?? "";
  expectSame(address, `${base}/docs/errors#m003`, "the address at the message's end");
  await page.goto(address);
  await page.getByRole("heading", { name: "M003", exact: true }).waitFor();
  await look();
}

/** A link of the list of all pages. */
function inPages({ page }: Walk, name: string) {
  return page
    .getByRole("navigation", { name: "All pages" })
    .getByRole("link", { name, exact: true });
}
