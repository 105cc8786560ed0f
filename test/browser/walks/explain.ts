/** One routing decision explained: found in the log, read, unfolded, answered, learned from, and compared with the best model. */
import { admin } from "../../smoke/host.ts";
import { expect, expectSame } from "../report.ts";
import { readConfigDocument, sendChat, type Stage } from "../stage.ts";
import { type Walk, walkEachWay } from "../walk.ts";

const harness = "default";

/** Explains one request to a gateway of its own. */
export async function explain(stage: Stage): Promise<void> {
  const key = await prepare(stage);
  await walkEachWay(stage, "explain one routing decision", (walk) => explainOne(walk, key));
}

/** Two models with prices, and a harness that learns. */
async function prepare({ gateway, upstream }: Stage): Promise<string> {
  const before = await readConfigDocument(gateway);
  const cost = (input: number, output: number) => ({ input, output, cache_read: input / 10 });
  const lab = {
    id: "lab",
    kind: "custom",
    format: "chat",
    base_url: `${upstream.url}/v1`,
    api_key: "a key of the tests",
    models: [
      { id: "small-mini", cost: cost(0.2, 0.8) },
      { id: "large-pro", cost: cost(3, 15) },
    ],
  };
  const [first, ...others] = before.harnesses;
  const learning = { ...first, id: harness, name: "Default", routing: { learning: true } };
  await admin(gateway, "PUT /api/config", {
    ...before,
    providers: [lab],
    harnesses: [learning, ...others],
  });
  const made = await admin<{ key: string }>(gateway, `POST /api/harnesses/${harness}/keys`, {});
  return made.key;
}

async function saidTooWeak({ gateway }: Stage): Promise<number> {
  interface Learning {
    tiers: { simple: { too_weak: number } };
  }
  const path = `GET /api/harnesses/${harness}/learning`;
  return (await admin<Learning>(gateway, path)).tiers.simple.too_weak;
}

async function explainOne(walk: Walk, key: string): Promise<void> {
  const { page, stage, turn, way } = walk;
  const answer = await sendChat(stage.gateway, key, {
    messages: [{ role: "user", content: `Hello, what's the weather like today? ${turn}` }],
  });
  await answer.text();
  const id = answer.headers.get("x-gateway-request-id") ?? "";

  await walk.open("/requests");
  await walk.press(page.locator(`tr[data-id="${id}"] .row-link`));
  const card = page.getByRole("region", { name: "Why this model" });
  const sentence = await card.locator(".why").innerText();
  expect(
    /^Simple \(\d+%\): .*\. small-mini is the cheapest model strong enough\./.test(sentence),
    `the sentence says ${sentence}`,
  );
  const numbers = card.getByText("Signals for and against this tier");
  expectSame(await numbers.isVisible(), false, "the numbers are shown at once");
  await walk.press(card.locator("summary").first());
  await numbers.waitFor();
  await walk.look();

  const before = await saidTooWeak(stage);
  await walk.press(card.getByRole("button", { name: "Too weak" }));
  await page.getByText("Answer saved.").waitFor();
  const own = page.getByRole("button", { name: "Too weak" });
  expectSame(await own.getAttribute("aria-pressed"), "true", "the answer is marked");
  await page.getByText("1 said too weak.").waitFor();
  // With script the list below stays as it was.
  if (way.hands !== "no script") await page.waitForURL(`**/requests?open=${id}`);
  await walk.look();

  await walk.press(page.getByRole("link", { name: "what it learned" }));
  const outcomes = page.getByRole("region", { name: "Outcomes" });
  const simple = outcomes.getByRole("row", { name: /^simple/ });
  const said = await simple.getByRole("cell").nth(8).innerText();
  expectSame(said, String(before + 1), "people who said too weak");

  await walk.open("/usage");
  await page.getByText(/^Routing saved \$\S+: always large-pro would have cost \$\S+\.$/).waitFor();
  await walk.look();
}
