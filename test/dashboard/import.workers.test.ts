/** Importing a configuration on the dashboard: shown first, asked where it deletes, refused with its line. */
import { createExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/worker.ts";
import { adminClient, type Send } from "../kit/admin-api.ts";
import { removalAnswer } from "../kit/removal-answer.ts";
import { env } from "../workspace/workers-kit.ts";

const base = "http://gateway.test";
const send: Send = async (request) => worker.fetch(request, env, createExecutionContext());
const root = adminClient(send, { token: env.ADMIN_TOKEN });

async function newPlace() {
  const made = await root.call("POST /api/workspaces", { body: { name: "Test" } });
  const client = adminClient(send, { token: made.admin_token });
  await client.call("PUT /api/config", { body: document });
  const key = await client.call("POST /api/harnesses/{id}/keys", {
    params: { id: "default" },
    body: { name: "laptop" },
  });
  let cookie = "";
  const post = async (path: string, form: Record<string, string>): Promise<Response> => {
    const headers = { origin: base, cookie };
    const body = new URLSearchParams(form);
    return await send(
      new Request(`${base}/dashboard${path}`, {
        method: "POST",
        redirect: "manual",
        headers,
        body,
      }),
    );
  };
  const get = async (path: string): Promise<string> =>
    await (await send(new Request(`${base}${path}`, { headers: { cookie } }))).text();
  const signedIn = await post("/sign-in", { token: made.admin_token });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  /** The answer to what an import of the text would delete, as its page's check box gives it. */
  const agree = async (text: string): Promise<string> =>
    removalAnswer(await (await post("/settings/import", { document: text })).text());
  return { client, post, get, key, agree };
}

const lab = { id: "lab", kind: "custom", format: "chat", base_url: "https://lab.example/v1" };
const document = {
  providers: [{ ...lab, format: "chat" as const, api_key: "secret" }],
  harnesses: [{ id: "default", name: "Default" }],
};
const all = "1 provider, 1 harness and 1 key";

describe("importing", () => {
  it.each(["{}", '{"providers":[],"harnesses":[]}', '{"providers":[]}', '{"timezone":"UTC"}'])(
    "%s asks before anything goes, and does nothing on a click alone",
    async (text) => {
      const { client, post } = await newPlace();
      const preview = await (await post("/settings/import", { document: text })).text();
      expect(preview).toContain(`This deletes ${all}.`);
      expect(preview).toContain("Keys that stop working: laptop");
      for (const removes of ["", "on", "1 provider"]) {
        const answer = await post("/settings/import/apply", { document: text, removes });
        expect(answer.status, removes).toBe(409);
        expect(await answer.text()).toContain("Nothing was changed.");
      }
      expect((await client.call("GET /api/history", {})).data).toHaveLength(2);
    },
  );

  it.each([
    ["[]", "this is a list"],
    ['"text"', "this is a string"],
    ["null", "this is null"],
    ["", "paste a configuration"],
    ['{"providers": [', "line 1, column 16"],
    ["model_list:\n  - x", "line 1, column 1"],
    ['{"model_list": []}', "not a configuration of this gateway"],
    ['{\n"timezone": "UTC",\n"model_list": []}', "line 3, model_list: unknown member"],
    ['{"timezone":\n"Nowhere"}', "line 1, timezone:"],
    ['{"providers": [\n{"id": "lab",\n"kind": 5}]}', "line 3, providers[0].kind:"],
    [
      '{"providers": [\n{"id": "other", "kind": "openai",\n"api_key": "***"}]}',
      "line 3, providers[0].api_key:",
    ],
    ['{"providers": [\n{"id": "lab",\n"kind": "no-such-kind"}]}', "line 3, providers[0].kind:"],
  ])("%s is refused with what is wrong, and changes nothing", async (text, words) => {
    const { client, post } = await newPlace();
    for (const path of ["/settings/import", "/settings/import/apply"]) {
      const answer = await post(path, { document: text });
      expect(answer.status).toBe(422);
      const page = (await answer.text()).replaceAll("&quot;", '"').toLowerCase();
      expect(page).toContain(words.toLowerCase());
    }
    expect((await client.call("GET /api/history", {})).data).toHaveLength(2);
  });

  it("deletes what was agreed to; the version before brings it back with its key", async () => {
    const { client, post, get, key, agree } = await newPlace();
    const removes = await agree("{}");
    const done = await post("/settings/import/apply", { document: "{}", removes });
    const location = done.headers.get("location") ?? "";
    expect(location).toMatch(/done=imported&version=3$/);
    expect(await client.call("GET /api/config", {})).toEqual({});
    const page = await get(location);
    expect(page).toContain("Configuration imported.");
    expect(page).toContain("/dashboard/settings/history/3");
    expect(await get("/dashboard/settings/history")).toContain("Import");
    expect(await get("/dashboard/settings/history/2")).toContain("1 key works again: laptop");
    expect((await post("/settings/history/2/restore", {})).status).toBe(303);
    const { data } = await client.call("GET /api/harnesses/{id}/keys", {
      params: { id: "default" },
    });
    expect(data.map(({ id }) => id)).toEqual([key.id]);
  });

  it("asks again where more would go than was agreed to", async () => {
    const { client, post, agree } = await newPlace();
    const removes = await agree("{}");
    await client.call("POST /api/harnesses/{id}/keys", { params: { id: "default" } });
    const answer = await post("/settings/import/apply", { document: "{}", removes });
    expect(answer.status).toBe(409);
    expect(await answer.text()).toContain("2 keys");
  });

  it("asks again where as many others would go", async () => {
    const { client, post, agree } = await newPlace();
    const removes = await agree("{}");
    const providers = [{ ...document.providers[0], ...lab, format: "chat" as const, id: "other" }];
    await client.call("PUT /api/config", { body: { ...document, providers } });
    const answer = await post("/settings/import/apply", { document: "{}", removes });
    expect(answer.status).toBe(409);
    expect((await client.call("GET /api/config", {})).providers).toHaveLength(1);
  });

  it("needs no agreement where nothing goes", async () => {
    const { client, post } = await newPlace();
    const exported = await client.call("GET /api/config", {});
    const changed = JSON.stringify({ ...exported, timezone: "Asia/Tokyo" });
    const preview = await (await post("/settings/import", { document: changed })).text();
    expect(preview).not.toContain("This deletes");
    expect((await post("/settings/import/apply", { document: changed })).status).toBe(303);
    expect((await client.call("GET /api/config", {})).timezone).toBe("Asia/Tokyo");
    const same = await (await post("/settings/import", { document: changed })).text();
    expect(same).toContain("already the current configuration");
  });
});

describe("the page that asks whether to import", () => {
  it("holds no secret of the document, and imports it with them", async () => {
    const { client, post } = await newPlace();
    const [entry] = document.providers;
    const text = JSON.stringify({
      ...document,
      providers: [{ ...entry, api_key: "entered-just-now" }],
    });
    const page = await (await post("/settings/import", { document: text })).text();
    expect(page).toContain("Import this configuration?");
    expect(page).not.toContain("entered-just-now");
    const sealed = /name="document" value="([^"]+)"/.exec(page)?.[1] ?? "";
    expect((await post("/settings/import/apply", { document: sealed })).status).toBe(303);
    const again = await (await post("/settings/import", { document: text })).text();
    expect(again).toContain("already the current configuration");
    expect((await client.call("GET /api/history", {})).data).toHaveLength(3);
  });

  it("opens nothing that another workspace's page carried", async () => {
    const [one, other] = [await newPlace(), await newPlace()];
    const text = JSON.stringify({ ...document, timezone: "Asia/Tokyo" });
    const page = await (await one.post("/settings/import", { document: text })).text();
    const sealed = /name="document" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const answer = await other.post("/settings/import/apply", { document: sealed });
    expect(answer.status).toBe(422);
    expect((await other.client.call("GET /api/config", {})).timezone).toBeUndefined();
  });

  it("names the settings that go beside providers, harnesses and keys", async () => {
    const { client, post } = await newPlace();
    const limits = [{ metric: "cost", period: "day", max: 5, action: "block" } as const];
    await client.call("PUT /api/config", { body: { ...document, limits, timezone: "Asia/Tokyo" } });
    const { providers, harnesses } = document;
    const text = JSON.stringify({ providers: [{ ...providers[0], api_key: "***" }], harnesses });
    const page = await (await post("/settings/import", { document: text })).text();
    expect(page).toContain("Settings that are removed: ");
    expect(page).toMatch(/removed: (?:limits, timezone|timezone, limits)\./);
  });

  it("takes a document of any characters up to its size, and says at the field what is larger", async () => {
    const { post } = await newPlace();
    const aliases = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [`"${index}"`, "auto"]),
    );
    const harnesses = [{ id: "default", name: "Default", aliases }];
    const text = JSON.stringify({ ...document, harnesses });
    const large = await post("/settings/import", { document: text });
    expect(await large.text()).not.toContain("oo large");
    const answer = await post("/settings/import", { document: "x".repeat(6_000_000) });
    expect(answer.status).toBe(422);
    const page = await answer.text();
    expect(page).toMatch(/id="f-document-fault"[^>]*>Too large: at most 1\.9 MB\./);
  });
});

describe("restoring", () => {
  it("asks before a key goes that is newer than the version", async () => {
    const { client, post, get } = await newPlace();
    const { harnesses } = document;
    const more = [...harnesses, { id: "new", name: "New" }];
    await client.call("PUT /api/config", { body: { ...document, harnesses: more } });
    await client.call("POST /api/harnesses/{id}/keys", { params: { id: "new" } });
    const words = "1 harness and 1 key";
    const page = await get("/dashboard/settings/history/2");
    expect(page).toContain(`This deletes ${words}.`);
    expect((await post("/settings/history/2/restore", {})).status).toBe(422);
    expect((await client.call("GET /api/config", {})).harnesses).toHaveLength(2);
    expect(
      (await post("/settings/history/2/restore", { removes: removalAnswer(page) })).status,
    ).toBe(303);
    expect((await client.call("GET /api/config", {})).harnesses).toHaveLength(1);
  });
});

describe("a saved change", () => {
  it("is named with what it changed and the way back, and one that changed nothing is not", async () => {
    const { post, get } = await newPlace();
    const saved = await post("/settings/timezone", { timezone: "Asia/Tokyo" });
    const page = await get(saved.headers.get("location") ?? "");
    expect(page).toContain("1 change:");
    expect(page).toContain("Asia/Tokyo");
    expect(page).toContain('action="/dashboard/settings/history/undo"');
    const again = await post("/settings/timezone", { timezone: "Asia/Tokyo" });
    const second = await get(again.headers.get("location") ?? "");
    expect(second).toContain("Nothing changed.");
    expect(second).not.toContain('action="/dashboard/settings/history/undo"');
  });

  it("is refused where it would overwrite what another saved meanwhile, and saved when sent again", async () => {
    const { client, post, get } = await newPlace();
    const settings = await get("/dashboard/settings");
    const action = /action="\/dashboard(\/settings\/timezone\?seen=\d+)"/.exec(settings)?.[1] ?? "";
    await client.call("PUT /api/config", { body: { ...document, timezone: "Asia/Tokyo" } });
    const refused = await post(action, { timezone: "Europe/Rome" });
    const page = await refused.text();
    expect(refused.status).toBe(422);
    expect(page).toContain("while this page was open");
    const again = /action="\/dashboard(\/settings\/timezone\?seen=\d+)"/.exec(page)?.[1] ?? "";
    expect((await post(again, { timezone: "Europe/Rome" })).status).toBe(303);
    expect((await client.call("GET /api/config", {})).timezone).toBe("Europe/Rome");
  });
});
