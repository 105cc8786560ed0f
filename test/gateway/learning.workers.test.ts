import { describe, expect, it } from "vitest";
import {
  openLane,
  provider,
  replyScript,
  type Json,
  type Lane,
  type Script,
} from "../kit/asking.ts";
import { admin, asked, knock, newKey, world, type World } from "./kit.ts";

interface Learning {
  learning: boolean;
  offset: number;
  tiers: Record<string, Json>;
}

const path = "/api/harnesses/h/learning";
const counts = ({ token }: World) => admin<Learning>(token, `GET ${path}`);

const zeros = {
  served: 0,
  errors: 0,
  truncated: 0,
  rephrased: 0,
  overridden: 0,
  bad_calls: 0,
  right: 0,
  too_weak: 0,
  too_strong: 0,
};
const none = { simple: zeros, standard: zeros, complex: zeros, reasoning: zeros };

const chain = { simple: ["p/m"], standard: ["p/m"], complex: ["p/m"], reasoning: ["p/m"] };
const good: Script = replyScript("chat", { text: "GOOD" }, { stream: false });
/** Fine but for the reason to stop. */
const cut: Script = { ...good, body: String(good.body).replace(`"stop"`, `"length"`) };

async function start(learning: boolean): Promise<{ where: World; lane: Lane }> {
  const lane = openLane();
  await lane.answer(good);
  const models = ["m", "other"].map((id) => ({ id, cost: { input: 1, output: 1 } }));
  const providers = [provider({ id: "p", format: "chat", lane, models })];
  const harnesses = [{ id: "h", name: "H", routing: { learning, tiers: chain } }];
  return { where: await world({ providers, harnesses }), lane };
}

const say = (role: string, content: string) => ({ role, content });

/** A conversation in chat, asked of `auto` unless a model is named. */
const chat = (where: World, messages: Json[], more: Json = {}) =>
  asked(where, { client: "chat", body: { model: "auto", messages, ...more } });

describe("outcomes", () => {
  it("are all zero before the first request", async () => {
    const { where } = await start(false);
    expect(await counts(where)).toEqual({ learning: false, offset: 0, tiers: none });
  });

  it("are counted whether the harness learns or not, only for auto", async () => {
    const { where } = await start(false);
    await chat(where, [say("user", "hi")]);
    await chat(where, [say("user", "hi")], { model: "p/m" });
    expect((await counts(where)).tiers).toEqual({ ...none, simple: { ...zeros, served: 1 } });
  });

  it("tell errors, cut answers and calls without what the tool requires", async () => {
    const { where, lane } = await start(false);
    const schema = { type: "object", properties: {}, required: ["path"] };
    const tools = [{ type: "function", function: { name: "read", parameters: schema } }];
    const calls = [{ id: "c1", name: "read", input: `{"file":"a"}` }];
    await lane.answer(
      { status: 503, body: "{}" },
      cut,
      replyScript("chat", { calls }, { stream: false }),
      replyScript("chat", { calls }, { stream: true }),
    );
    const ask = [say("user", "hi")];
    expect((await chat(where, ask)).status).toBe(503);
    await chat(where, ask);
    await chat(where, ask, { tools });
    await chat(where, ask, { tools, stream: true });
    const { tiers } = await counts(where);
    const sum = (name: string) =>
      Object.values(tiers).reduce((all, tier) => all + Number(tier[name]), 0);
    expect(["served", "errors", "truncated", "bad_calls"].map(sum)).toEqual([4, 1, 1, 2]);
  });

  it("tell an ask that comes again right after its answer", async () => {
    const { where } = await start(false);
    const ask = say("user", "What time is it in Lima?");
    await chat(where, [ask]);
    await chat(where, [ask, say("assistant", "GOOD"), say("user", "So what time is it in Lima?")]);
    expect((await counts(where)).tiers["simple"]).toEqual({ ...zeros, served: 2, rephrased: 1 });
  });

  it("tell a model that the client named instead, once a conversation, where the harness learns", async () => {
    const { where } = await start(true);
    const ask = say("user", "hi");
    const more = [ask, say("assistant", "GOOD"), say("user", "Tell me a joke")];
    await chat(where, [ask]);
    await chat(where, more, { model: "p/other" });
    await chat(where, more, { model: "p/other" });
    await chat(where, [say("user", "another conversation")], { model: "p/other" });
    expect((await counts(where)).tiers["simple"]).toEqual({ ...zeros, served: 1, overridden: 1 });
  });
});

describe("learning", () => {
  /** So many cut answers that something follows. */
  async function disappointed(learning: boolean) {
    const made = await start(learning);
    await made.lane.answer(cut);
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let n = 0; n < 8; n++) await chat(made.where, [say("user", "hi")]);
      }),
    );
    return made;
  }
  const reason = async (where: World) =>
    (await chat(where, [say("user", "hi")])).headers.get("x-gateway-reason");
  const dryRun = (where: World) =>
    admin<Json>(where.token, "POST /api/route", {
      harness: "h",
      format: "chat",
      body: { model: "auto", messages: [say("user", "hi")] },
    });

  it("follows from enough observations, is named in the reason, and is forgotten on demand", async () => {
    const { where } = await disappointed(true);
    const { offset } = await counts(where);
    expect(offset).toBeGreaterThan(0);
    await reason(where);
    expect(await reason(where)).toContain(`learned=+${offset.toFixed(3)}`);
    const decided = await dryRun(where);
    expect(decided["learned"]).toBeCloseTo(offset, 5);
    await admin(where.token, `DELETE ${path}`);
    expect(await counts(where)).toEqual({ learning: true, offset: 0, tiers: none });
    await reason(where);
    expect(await reason(where)).not.toContain("learned");
  });

  it("counts but moves nothing while it is off", async () => {
    const { where } = await disappointed(false);
    expect((await counts(where)).offset).toBeGreaterThan(0);
    await reason(where);
    expect(await reason(where)).not.toContain("learned");
    expect(await dryRun(where)).not.toHaveProperty("learned");
  });
});

describe("the routing page", () => {
  const page = "/dashboard/harnesses/h/routing";

  it("shows the counts and forgets them on its own forms' word only", async () => {
    const { where } = await start(false);
    await chat(where, [say("user", "hi")]);
    const own = { origin: "http://gateway.test", "sec-fetch-site": "same-origin" };
    const form = { ...own, "content-type": "application/x-www-form-urlencoded" };
    const post = { method: "POST", headers: form, redirect: "manual" } as const;
    const signedIn = await knock("/dashboard/sign-in", { ...post, body: `token=${where.token}` });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const read = async (url: string) => (await knock(url, { headers: { cookie } })).text();
    const row = /<td>simple<\/td><td class="num">(\d+)<\/td>/;
    expect(row.exec(await read(page))?.[1]).toBe("1");
    expect(await read(`${page}/forget`)).toContain(`action="${page}/forget"`);
    const strange = {
      ...form,
      cookie,
      origin: "http://other.test",
      "sec-fetch-site": "cross-site",
    };
    expect((await knock(`${page}/forget`, { ...post, headers: strange })).status).toBe(403);
    expect(row.exec(await read(page))?.[1]).toBe("1");
    const headers = { ...form, cookie };
    expect((await knock(`${page}/forget`, { ...post, headers })).status).toBe(303);
    expect(row.exec(await read(page))?.[1]).toBe("0");
  });
});

describe("the counts of a harness", () => {
  it("go with it", async () => {
    const { where } = await start(false);
    await chat(where, [say("user", "hi")]);
    const config = await admin<{ harnesses: Json[] }>(where.token, "GET /api/config");
    await admin(where.token, "PUT /api/config", { ...config, harnesses: [] });
    await admin(where.token, "PUT /api/config", config);
    expect((await counts(where)).tiers).toEqual(none);
    const key = await newKey(where.token, "h");
    await chat({ ...where, key }, [say("user", "hi")]);
    expect((await counts(where)).tiers["simple"]).toEqual({ ...zeros, served: 1 });
  });

  it.each(["GET", "DELETE"])("%s needs a harness that is there, and a token", async (method) => {
    const { where } = await start(false);
    const headers = { authorization: `Bearer ${where.token}` };
    const unknown = await knock("/api/harnesses/nobody/learning", { method, headers });
    expect(unknown.status).toBe(404);
    expect((await knock(path, { method })).status).toBe(401);
  });
});
