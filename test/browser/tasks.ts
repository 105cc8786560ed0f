/** The main task of every page, with and without script. */
import { admin } from "../smoke/host.ts";
import { historyTasks } from "./history.ts";
import { check, expect, expectSame } from "./report.ts";
import { readConfigDocument, type Stage, type Visit } from "./stage.ts";

export async function tasks(stage: Stage): Promise<void> {
  for (const script of [true, false]) {
    const visit = await stage.signedIn({ script });
    const how = script ? "with script" : "without script";
    const task = (name: string, run: () => Promise<void>) => check(`${how}: ${name}`, run);
    await harness({ stage, visit, task });
    await routing({ stage, visit, task });
    await limitsAndParams({ stage, visit, task });
    await requests({ stage, visit, task });
    await purposes({ stage, visit, task });
    await models({ stage, visit, task });
    await playground({ stage, visit, task });
    await settings({ stage, visit, task });
    await historyTasks({ stage, visit, task });
    await remove({ stage, visit, task });
    await check(`${how}: no page had problems`, async () =>
      expectSame(visit.problems, [], "problems"),
    );
    await visit.context.close();
  }
}

interface Task {
  stage: Stage;
  visit: Visit;
  task: (name: string, run: () => Promise<void>) => Promise<void>;
}

async function harness({ stage, visit: { page }, task }: Task): Promise<void> {
  const base = `${stage.gateway.base}/dashboard`;
  await task("a harness is created, renamed and duplicated", async () => {
    await page.goto(`${base}/harnesses`);
    await page.getByLabel("Name").fill("Night shift");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByText("Created.").waitFor();
    await page.goto(`${base}/harnesses/night-shift/general`);
    await page.getByLabel("Name").fill("Day shift");
    await page.getByLabel("Aliases").fill("gpt-* = auto\nfast = lab/small-mini");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Day shift", level: 1 }).waitFor();
    const entry = (await readConfigDocument(stage.gateway)).harnesses.find(
      ({ id }) => id === "night-shift",
    );
    expectSame(entry?.["aliases"], { "gpt-*": "auto", fast: "lab/small-mini" }, "aliases");
    await page.getByRole("button", { name: "Duplicate" }).click();
    await page.getByRole("heading", { name: "Day shift (copy)", level: 1 }).waitFor();
  });
  await task(
    "who searches, who judges and how long one waits are set, and taken back",
    async () => {
      const address = `${base}/harnesses/night-shift/general`;
      const entry = async () =>
        (await readConfigDocument(stage.gateway)).harnesses.find(({ id }) => id === "night-shift");
      const save = async () => {
        await page.getByRole("button", { name: "Save" }).click();
        await page.waitForURL(/done=saved/);
      };
      await page.goto(address);
      await page.getByLabel("Web search").selectOption("lab");
      await page.getByLabel("Search model").fill("lab/large-pro");
      await page.getByLabel("Safeguard model").fill("lab/small-mini");
      await page.getByLabel("Queue time (seconds)").fill("3");
      await save();
      const set = await entry();
      expectSame(set?.["web_search"], { provider: "lab", model: "lab/large-pro" }, "web search");
      expectSame(set?.["safeguard_model"], "lab/small-mini", "judge");
      expectSame(set?.["queue"], 3, "queue");
      await page.goto(address);
      await page.getByLabel("Web search").selectOption({ label: "Off" });
      await save();
      expectSame((await entry())?.["web_search"], undefined, "web search");
    },
  );
  await task("an error is shown beside its field, and the input stays", async () => {
    await page.goto(`${base}/harnesses/night-shift/general`);
    await page.getByLabel("Aliases").fill("no target here");
    await page.getByRole("button", { name: "Save" }).click();
    const area = page.getByLabel("Aliases");
    expectSame(await area.getAttribute("aria-invalid"), "true", "aria-invalid");
    expectSame(await area.inputValue(), "no target here", "text");
    await page.locator("#f-aliases-fault").waitFor();
  });
  await task("a key is shown once, and revoked after a confirmation", async () => {
    await page.goto(`${base}/harnesses/night-shift`);
    await page.getByLabel("Name").fill("one day");
    await page.getByLabel("Expires (UTC, optional)").fill("2099-01-01T10:30");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = (await page.getByLabel("Your new key").textContent()) ?? "";
    expect(key.startsWith("gw_"), "no key");
    await page.goto(`${base}/harnesses/night-shift`);
    expect(!(await page.content()).includes(key), "the key is shown again");
    const { data } = await admin<{ data: { expires_at: string }[] }>(
      stage.gateway,
      "GET /api/harnesses/night-shift/keys",
    );
    expectSame(data[0]?.expires_at, "2099-01-01T10:30:00.000Z", "expiry");
    await page.getByRole("link", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Revoke key" }).click();
    await page.getByText("No keys yet.").waitFor();
  });
}

async function routing({ stage, visit, task }: Task): Promise<void> {
  const { page } = visit;
  const address = `${stage.gateway.base}/dashboard/harnesses/night-shift/routing`;
  const tiers = async () => {
    const entry = (await readConfigDocument(stage.gateway)).harnesses.find(
      ({ id }) => id === "night-shift",
    );
    return (entry?.["routing"] as { tiers?: Record<string, string[]> } | undefined)?.tiers;
  };
  await task("a chain is built, moved and taken back by keyboard", async () => {
    await page.goto(address);
    const simple = page.getByRole("region", { name: "Tier simple" });
    await simple.getByText("automatic").waitFor();
    await simple.getByRole("combobox").fill("lab/small-mini");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await simple.getByText("custom").waitFor();
    await simple.getByRole("combobox").fill("lab/large-pro");
    await simple.getByRole("button", { name: "Add to simple" }).click();
    await page.getByRole("button", { name: "Move lab/large-pro up" }).press("Enter");
    await page.waitForURL(/done=saved/);
    expectSame(await tiers(), { simple: ["lab/large-pro", "lab/small-mini"] }, "tiers");
    for (const id of ["lab/large-pro", "lab/small-mini"])
      await page.getByRole("button", { name: `Remove ${id} from simple` }).click();
    await simple.getByText("automatic").waitFor();
    expectSame(await tiers(), undefined, "tiers");
  });
  if (visit.script)
    await task("a chain is moved by drag", async () => {
      await page.goto(address);
      const simple = page.getByRole("region", { name: "Tier simple" });
      for (const id of ["lab/small-mini", "lab/large-pro"]) {
        await simple.getByRole("combobox").fill(id);
        await simple.getByRole("button", { name: "Add to simple" }).click();
        await simple.getByRole("button", { name: `Remove ${id} from simple` }).waitFor();
      }
      const [first, second] = [simple.locator("li").first(), simple.locator("li").last()];
      await second.dragTo(first, { targetPosition: { x: 20, y: 2 } });
      await page.getByText("Saved.").waitFor();
      await simple.locator("li").first().getByText("large-pro").waitFor();
      expectSame(await tiers(), { simple: ["lab/large-pro", "lab/small-mini"] }, "tiers");
      for (const id of ["lab/large-pro", "lab/small-mini"])
        await page.getByRole("button", { name: `Remove ${id} from simple` }).click();
    });
  await task("a role gets models of its own, and loses them again", async () => {
    const role = async () => {
      const entry = (await readConfigDocument(stage.gateway)).harnesses.find(
        ({ id }) => id === "night-shift",
      );
      return (entry?.["routing"] as { roles?: object } | undefined)?.roles;
    };
    await page.goto(address);
    const roles = page.locator("#roles");
    const named = roles.getByLabel("Models for subagents, comma-separated");
    await named.fill("lab/small-mini, lab/large-pro");
    await roles.getByLabel("Quality").first().selectOption("quality");
    await roles.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const set = {
      main: { quality: "quality" },
      subagent: { models: ["lab/small-mini", "lab/large-pro"] },
    };
    expectSame(await role(), set, "roles");
    await page.goto(address);
    await named.fill("");
    await roles.getByLabel("Quality").first().selectOption("");
    await roles.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expectSame(await role(), undefined, "roles");
  });
  await task("a dry run shows the decision", async () => {
    await page.goto(address);
    await page.getByLabel(/^Prompt, or/).fill("Prove that there are infinitely many primes.");
    await page.getByRole("button", { name: "Show decision" }).click();
    await page.getByText("Show the numbers").click();
    await page.getByText("Signals for and against this tier").waitFor();
  });
  await task("quality and a rule by header are saved", async () => {
    await page.goto(address);
    await page.locator("#tiers").getByText("Eco", { exact: true }).click();
    await page.locator("#tiers").getByRole("button", { name: "Save" }).last().click();
    await page.getByText("Saved.").waitFor();
    const rules = page.getByRole("region", { name: "Header rules" }).last();
    await page.locator("#rules").getByLabel("Name").fill("nightly");
    await page.locator("#rules").getByLabel("Header").fill("x-job");
    await page.locator("#rules").getByLabel("Value").fill("nightly");
    await page
      .locator("#rules")
      .getByLabel("Models, comma-separated")
      .fill("lab/small-mini, lab/large-pro");
    await page.getByRole("button", { name: "Add rule" }).click();
    await rules.getByText("x-job: nightly").waitFor();
    await page.getByRole("button", { name: "Remove rule nightly" }).click();
    await page.getByText("x-job: nightly").waitFor({ state: "detached" });
  });
}

async function limitsAndParams({ stage, visit: { page }, task }: Task): Promise<void> {
  const base = `${stage.gateway.base}/dashboard/harnesses/night-shift`;
  await task("a limit is added, shown with its bar, and removed", async () => {
    await page.goto(`${base}/limits`);
    await page.getByLabel("Limit", { exact: true }).fill("2.5");
    await page.getByRole("button", { name: "Add limit" }).click();
    await page.getByRole("progressbar", { name: "$0 of $2.50 used" }).waitFor();
    await page.getByRole("button", { name: /^Remove the limit/ }).click();
    await page.getByText("No spending limit.").waitFor();
  });
  await task("parameters are saved, and a wrong one is refused beside its field", async () => {
    await page.goto(`${base}/parameters`);
    await page.getByLabel("Temperature").fill("0.7");
    await page.getByLabel("Other parameters").fill('{"top_k": 5}');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const entry = (await readConfigDocument(stage.gateway)).harnesses.find(
      ({ id }) => id === "night-shift",
    );
    expectSame(entry?.["params"], { top_k: 5, temperature: 0.7 }, "params");
    await page.getByLabel("Other parameters").fill('{"model": "x"}');
    await page.getByRole("button", { name: "Save" }).click();
    expectSame(
      await page.getByLabel("Other parameters").getAttribute("aria-invalid"),
      "true",
      "aria-invalid",
    );
  });
}

async function requests({ stage, visit: { page }, task }: Task): Promise<void> {
  await task("the log is filtered, and one request opens by its id", async () => {
    await page.goto(`${stage.gateway.base}/dashboard/requests`);
    await page.getByRole("link", { name: "Failed", exact: true }).click();
    await page.waitForURL(/outcome=failed/);
    await page.getByText("More filters", { exact: true }).click();
    await page.getByLabel("Status").fill("error");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/status=error/);
    const states = await page.locator("td .badge.good").count();
    expectSame(states, 0, "successes among errors");
    const href = (await page.locator(".row-link").first().getAttribute("href")) ?? "";
    await page.goto(stage.gateway.base + href);
    await page.getByRole("heading", { name: "Request", level: 1 }).waitFor();
  });
  await task(
    "a blocked request leads to the limit, and a session's group to its cost",
    async () => {
      await page.goto(`${stage.gateway.base}/dashboard/requests?harness=trial`);
      await page.getByRole("link", { name: "Blocked", exact: true }).click();
      await page.waitForURL(/outcome=blocked/);
      const row = page.locator("tbody tr[data-id]").first();
      await row.getByText("harness limit").waitFor();
      await page.goto(
        stage.gateway.base + ((await row.locator(".row-link").getAttribute("href")) ?? ""),
      );
      await page.getByRole("link", { name: "harness limit" }).click();
      await page.waitForURL(/harnesses\/trial\/limits/);
      await page.goto(`${stage.gateway.base}/dashboard/usage?group=session&range=24h`);
      await page.getByRole("link", { name: /seeded-session/ }).click();
      await page.waitForURL(/requests\?session=seeded-session&span=24h/);
      await page.getByText("1 request, ").waitFor();
    },
  );
}

async function purposes({ stage, visit: { page }, task }: Task): Promise<void> {
  await task("the log and a request's page say what a request was for", async () => {
    await page.goto(`${stage.gateway.base}/dashboard/requests?role=subagent`);
    const row = page.locator("tbody tr").first();
    await row.getByText("subagent", { exact: true }).waitFor();
    const href = (await row.locator(".row-link").getAttribute("href")) ?? "";
    await page.goto(stage.gateway.base + href);
    for (const text of ["seeded-parent", "seeded-prompt", "X-Gateway-Role: subagent"])
      await page.locator("article.detail").getByText(text).first().waitFor();
    await page.goto(`${stage.gateway.base}/dashboard/requests?model=lab/embedder`);
    await page.locator("tbody tr").first().getByText("Embeddings", { exact: true }).waitFor();
    await page.goto(`${stage.gateway.base}/dashboard/requests?model=lab/painter`);
    const pictures = page.locator("tbody tr").first();
    await pictures.getByText("Images", { exact: true }).waitFor();
    await pictures.locator(".row-link").click();
    await page.locator("article.detail").getByText("Images", { exact: true }).waitFor();
  });
}

async function models({ stage, visit: { page }, task }: Task): Promise<void> {
  await task("models are found by name and capability", async () => {
    await page.goto(`${stage.gateway.base}/dashboard/models`);
    await page.getByLabel("Search").fill("LARGE lab");
    await page.getByLabel("Images").check();
    await page.getByRole("button", { name: "Filter" }).click();
    await page.waitForURL(/images=on/);
    expectSame(await page.locator("tbody tr").count(), 1, "models");
  });
}

async function playground({ stage, visit: { page }, task }: Task): Promise<void> {
  for (const format of ["chat", "responses", "messages", "gemini"]) {
    await task(`two models answer side by side in ${format}, with what it took`, async () => {
      await page.goto(`${stage.gateway.base}/dashboard/playground`);
      await page.getByLabel("Model 1").fill("lab/small-mini");
      await page.getByLabel("Model 2").fill("lab/large-pro");
      await page.getByLabel("Prompt", { exact: true }).fill("Hello");
      await page.getByLabel("Format").selectOption(format);
      await page.getByRole("button", { name: "Send" }).click();
      await page.getByText("Answer of small-mini.", { exact: true }).waitFor();
      await page.getByText("Answer of large-pro.", { exact: true }).waitFor();
      await page.locator("#answers dt", { hasText: "Cost" }).nth(1).waitFor();
    });
  }
  await task("the playground leaves no key behind", async () => {
    const { data } = await admin<{ data: { name: string }[] }>(
      stage.gateway,
      "GET /api/harnesses/default/keys",
    );
    expectSame(
      data.filter(({ name }) => name === "playground"),
      [],
      "keys",
    );
  });
}

async function settings({ stage, visit: { page }, task }: Task): Promise<void> {
  const address = `${stage.gateway.base}/dashboard/settings`;
  await task("the time zone is changed, a wrong one refused", async () => {
    await page.goto(address);
    const zone = page.getByRole("region", { name: "Time zone" });
    await page.getByRole("combobox", { name: "Time zone" }).fill("Mars/Olympus");
    await zone.getByRole("button", { name: "Save" }).click();
    expectSame(
      await page.getByRole("combobox", { name: "Time zone" }).getAttribute("aria-invalid"),
      "true",
      "aria-invalid",
    );
    await page.getByRole("combobox", { name: "Time zone" }).fill("Asia/Tokyo");
    await zone.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
  });
  await task("an exported configuration can be imported again", async () => {
    const before = await readConfigDocument(stage.gateway);
    const exported = await page.context().request.get(`${address}/export`);
    expectSame(await exported.json(), before, "export");
    const preview = async (text: string): Promise<void> => {
      await page.goto(address);
      await page.getByLabel("Configuration to import").fill(text);
      await page.getByRole("button", { name: "Import…" }).click();
    };
    await preview(await exported.text());
    await page.getByText("This is already the current configuration.").waitFor();
    for (const document of [{ ...before, timezone: "Europe/Paris" }, before]) {
      await preview(JSON.stringify(document));
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.getByText("Configuration imported.").waitFor();
      expectSame(await readConfigDocument(stage.gateway), document, "document");
    }
    await preview('{"harnesses": [{"id": "A B"}]}');
    expectSame(
      await page.getByLabel("Configuration to import").getAttribute("aria-invalid"),
      "true",
      "aria-invalid",
    );
    expectSame(await readConfigDocument(stage.gateway), before, "document");
  });
}

async function remove({ stage, visit: { page }, task }: Task): Promise<void> {
  await task("deleting asks first, and can be cancelled", async () => {
    for (const id of ["night-shift", "night-shift-2"]) {
      await page.goto(`${stage.gateway.base}/dashboard/harnesses/${id}/general`);
      await page.getByRole("link", { name: "Delete…" }).click();
      await page.getByRole("link", { name: "Cancel" }).click();
      await page.getByRole("link", { name: "Delete…" }).click();
      await page.getByRole("button", { name: /^Delete (harness|agent)/ }).click();
      await page.getByText("Deleted.").waitFor();
    }
    const { harnesses } = await readConfigDocument(stage.gateway);
    expect(!harnesses.some(({ id }) => id.startsWith("night")), "it is still there");
  });
}
