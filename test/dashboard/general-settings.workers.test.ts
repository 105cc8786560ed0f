/** What a harness's page sets beside redaction: the queue, who searches the web, who judges tool calls. */
import { expect, it } from "vitest";
import { harnessPage } from "./harness-page.ts";

const providers = ["lab", "own"].map((id) => ({
  id,
  kind: "custom",
  format: "messages" as const,
  base_url: "http://127.0.0.1:1",
  models: [{ id: "m" }],
}));

it("saves who searches and who judges, and takes them back", async () => {
  const { save, harness } = await harnessPage({ providers });
  const set = {
    queue: "2.5",
    web_search_provider: "lab",
    web_search_model: "lab/m",
    safeguard_model: "own/m",
  };
  const saved = {
    queue: 2.5,
    web_search: { provider: "lab", model: "lab/m" },
    safeguard_model: "own/m",
  };
  expect((await save(set)).status).toBe(303);
  expect(await harness()).toMatchObject(saved);
  expect((await save({})).status).toBe(303);
  expect(await harness(), "a form that does not have them").toMatchObject(saved);
  expect((await save({ web_search_provider: "own", web_search_model: "" })).status).toBe(303);
  expect(await harness()).toMatchObject({ web_search: { provider: "own" } });
  const off = { queue: "0", web_search_provider: "", web_search_model: "", safeguard_model: "" };
  expect((await save(off)).status).toBe(303);
  for (const name of Object.keys(saved)) expect(await harness()).not.toHaveProperty(name);
});

it("saves whether whole responses are kept alive", async () => {
  const { save, harness } = await harnessPage({ providers });
  expect((await save({ whole_keep_alive: "on" })).status).toBe(303);
  expect(await harness()).toMatchObject({ whole_keep_alive: true });
  expect((await save({})).status).toBe(303);
  expect(await harness()).not.toHaveProperty("whole_keep_alive");
});

it("offers every provider, off first, and shows what is saved", async () => {
  const { save } = await harnessPage({ providers });
  await save({ web_search_provider: "own", web_search_model: "own/m" });
  const page = await (await save({ web_search_provider: "own", queue: "61" })).text();
  expect(page).toMatch(
    /<select id="f-web_search_provider".*?<option value="">Off<\/option><option value="lab">lab<\/option><option value="own" selected="">own<\/option>/s,
  );
  expect(page).toContain('id="f-queue-fault">Enter seconds from 0 to 60.');
  expect(page).toMatch(/name="web_search_model"[^>]*value="own\/m"/);
});

it("off is off, whatever model is still in the form; a provider that is none is refused", async () => {
  const { save, harness } = await harnessPage({ providers });
  await save({ web_search_provider: "lab", web_search_model: "lab/m" });
  const forged = await save({ web_search_provider: "nobody", web_search_model: "" });
  expect(forged.status).toBe(422);
  expect(await forged.text()).toContain("there is no provider");
  expect(await harness()).toMatchObject({ web_search: { provider: "lab" } });
  expect((await save({ web_search_provider: "", web_search_model: "lab/m" })).status).toBe(303);
  expect(await harness()).not.toHaveProperty("web_search");
});

it("a provider that searches can be deleted: its searches go with it", async () => {
  const { save, post, harness } = await harnessPage({ providers });
  await save({ web_search_provider: "lab", web_search_model: "" });
  expect((await post("/providers/own/delete", {})).status).toBe(303);
  expect(await harness()).toHaveProperty("web_search");
  expect((await post("/providers/lab/delete", {})).status).toBe(303);
  expect(await harness()).not.toHaveProperty("web_search");
});
