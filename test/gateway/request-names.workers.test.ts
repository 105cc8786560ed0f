/** What the log says of every request, however it ended: whose it was, what its client called it, and how it ended. */
import { beforeAll, describe, expect, it } from "vitest";
import { type Json, type Lane, openLane, provider, replyScript, request } from "../kit/asking.ts";
import { ask, asked, newKey, rowOf, type World, world } from "./kit.ts";

const models = ["m", "other"].map((id) => ({ id, cost: { input: 1, output: 1 } }));
const words = replyScript("chat", { text: "GOOD" }, { stream: false });

let lane: Lane;
let where: World;
let blockedKey: string;
let walledKey: string;

beforeAll(async () => {
  lane = openLane();
  await lane.answer(words);
  const failing = openLane();
  await failing.answer({ status: 500, body: '{"error":{"message":"boom"}}' });
  where = await world({
    providers: [
      provider({ id: "lab", format: "chat", lane, models }),
      provider({ id: "bad", format: "chat", lane: failing, models }),
    ],
    harnesses: [
      {
        id: "h",
        name: "H",
        routing: { fallbacks: { "bad/m": ["lab/m"] }, tiers: { default: ["lab/m"] } },
      },
      {
        id: "used-up",
        name: "U",
        limits: [{ metric: "requests", period: "day", max: 0.5, action: "block" }],
      },
    ],
  });
  blockedKey = await newKey(where.token, "used-up", { name: "limited" });
  walledKey = await newKey(where.token, "h", { models: ["lab/other"] });
});

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: Json;
  readonly key?: string;
}

/** The row of a request to that model. */
async function rowFor(model: string, { headers = {}, body = {}, key }: Sent = {}): Promise<Json> {
  const sent = { client: "chat", body: request("chat", { model, ...body }), headers } as const;
  const answer = await asked(where, { ...sent, ...(key !== undefined && { key }) });
  return await rowOf(where, answer.headers.get("x-gateway-request-id"));
}

describe("tags", () => {
  const tagged = async (list: string) =>
    (await rowFor("lab/m", { headers: { "x-gateway-tag": list } }))["tags"];

  it("stand on the row, and do not go to the provider", async () => {
    expect(await tagged("team=red, env=prod")).toEqual({ team: "red", env: "prod" });
    const passed = (await lane.received()).map(({ headers }) => Object.keys(headers));
    expect(passed.flat()).not.toContain("x-gateway-tag");
  });

  it("are eight at most, the last of one name, and nothing but names and values", async () => {
    const many = Array.from({ length: 12 }, (_, index) => `t${index}=v`);
    expect(Object.keys((await tagged(many.join(","))) ?? {})).toEqual(
      many.slice(0, 8).map((tag) => tag.slice(0, 2)),
    );
    expect(await tagged([...many, "t3=last"].join(","))).toMatchObject({ t3: "last" });
    const wrong = ["UP=x", "a", "=x", "a=", "a=b=c", "a b=c", `${"n".repeat(33)}=v`, "ü=1"];
    const list = [...wrong, "__proto__=x", "constructor=c", "ok.a_b-c=1"].join(",");
    expect(await tagged(encodeURI(list))).toEqual({ constructor: "c", "ok.a_b-c": "1" });
    expect(await tagged(wrong.slice(0, 7).join(","))).toBeUndefined();
  });
});

describe("the session", () => {
  it.each([
    [{ "x-gateway-session": "mine", "x-claude-code-session-id": "cc" }, {}, "mine"],
    [{ "x-claude-code-session-id": "cc" }, {}, "cc"],
    [{ "session-id": "codex" }, { prompt_cache_key: "body" }, "codex"],
    [{}, { prompt_cache_key: "body" }, "body"],
    [{}, { metadata: { session_id: "meta" } }, "meta"],
    [{ "x-gateway-session": " " }, { prompt_cache_key: "body" }, "body"],
    [{}, { prompt_cache_key: "a\u0000b\nc\u2028d" }, "abcd"],
    [{}, { prompt_cache_key: "x".repeat(5000) }, "x".repeat(200)],
  ])("of %j and %j is %j", async (headers, body, session) => {
    expect((await rowFor("lab/m", { headers, body }))["session"]).toBe(session);
  });

  it("and the agent are missing where no client names them", async () => {
    const row = await rowFor("lab/m");
    for (const name of ["session", "agent", "tags", "role"]) expect(row).not.toHaveProperty(name);
  });

  it("has agents", async () => {
    const headers = { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "a-1" };
    expect(await rowFor("lab/m", { headers })).toMatchObject({ session: "s", agent: "a-1" });
  });
});

/** A Codex request: what it says of itself stands in its body too. */
const codexBody = {
  input: "hi",
  client_metadata: {
    session_id: "s1",
    thread_id: "t2",
    turn_id: "turn",
    "x-codex-turn-metadata": JSON.stringify({ request_kind: "turn", parent_thread_id: "s1" }),
  },
};

describe("what clients say of a request", () => {
  it("is on the row: Claude Code's ids and role, for a named model too", async () => {
    const headers = {
      "x-claude-code-session-id": "s",
      "x-claude-code-agent-id": "a",
      "x-claude-code-parent-agent-id": "b",
      "x-claude-code-prompt-id": "p",
      "x-claude-code-request-class": "subagent",
    };
    const names = { session: "s", agent: "a", parent_agent: "b", prompt: "p", role: "subagent" };
    expect(await rowFor("lab/m", { headers })).toMatchObject(names);
    expect(await rowFor("auto", { headers })).toMatchObject(names);
  });

  it("is on the row and in the answer's header: Codex's, from the body of the request", async () => {
    // The headers of a connection are those of its first request.
    const headers = { "x-codex-turn-metadata": '{"request_kind":"prewarm"}', "session-id": "s1" };
    const body = { model: "auto", ...codexBody };
    const answer = await asked(where, { client: "responses", body, headers });
    expect(answer.headers.get("x-gateway-role")).toBe("subagent");
    expect(await rowOf(where, answer.headers.get("x-gateway-request-id"))).toMatchObject({
      session: "s1",
      agent: "t2",
      prompt: "turn",
      role: "subagent",
    });
  });

  it("is on the row: the session in the user's id of Messages, and opencode's", async () => {
    for (const user of ['{"session_id":"cc"}', "user_a_account_b_session_cc"]) {
      const body = { ...request("messages", { model: "lab/m" }), metadata: { user_id: user } };
      const answer = await asked(where, { client: "messages", body });
      const row = await rowOf(where, answer.headers.get("x-gateway-request-id"));
      expect(row["session"]).toBe("cc");
    }
    const headers = { "x-session-id": "ses_b", "x-parent-session-id": "ses_a" };
    const names = { session: "ses_b", parent_agent: "ses_a", role: "subagent" };
    expect(await rowFor("auto", { headers })).toMatchObject(names);
  });

  it("has no role in answers of named models", async () => {
    const body = request("chat", { model: "lab/m" });
    const answer = await asked(where, { client: "chat", body });
    expect(answer.headers.has("x-gateway-role")).toBe(false);
  });
});

describe("the outcome", () => {
  it("is ok, with the key's name, and the role where `auto` looked", async () => {
    expect(await rowFor("lab/m")).toMatchObject({ outcome: "ok", provider: "lab" });
    const background = { messages: [{ role: "user", content: "Generate a short title" }] };
    const row = await rowFor("auto", { body: background });
    expect(row).toMatchObject({ outcome: "ok", role: "background" });
  });

  it("is fallback where another than the first choice answered", async () => {
    const row = await rowFor("bad/m");
    expect(row).toMatchObject({ outcome: "fallback", provider: "lab", status: 200 });
  });

  it("is failed with the provider of the first choice", async () => {
    expect(await rowFor("bad/other")).toMatchObject({
      outcome: "failed",
      provider: "bad",
      model: null,
      status: 500,
    });
  });

  it("is failed for a model that nobody serves, and for a body that is none, with tags and session", async () => {
    const headers = { "x-gateway-tag": "a=b", "x-gateway-session": "s" };
    const names = { outcome: "failed", tags: { a: "b" }, session: "s", provider: null };
    expect(await rowFor("none/none", { headers })).toMatchObject(names);
    const broken = await asked(where, { client: "chat", body: "{", headers });
    const row = await rowOf(where, broken.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject(names);
  });

  it("is blocked by a limit, with the provider that was not asked, and by a wall", async () => {
    const headers = { "x-gateway-tag": "a=b" };
    expect(await rowFor("lab/m", { key: blockedKey, headers })).toMatchObject({
      outcome: "blocked",
      blocked_by: "harness",
      key: "limited",
      provider: "lab",
      tags: { a: "b" },
      status: 200,
    });
    const walled = await rowFor("lab/m", { key: walledKey, headers });
    expect(walled).toMatchObject({ outcome: "blocked", status: 403, tags: { a: "b" } });
  });

  it("is left where the client went before the end", async () => {
    const slow = openLane();
    await slow.answer(replyScript("chat", { text: "GOOD" }, { stream: true, end: "hang" }));
    const lab = provider({ id: "slow", format: "chat", lane: slow, models });
    const alone = await world({ providers: [lab] });
    const body = request("chat", { model: "slow/m", stream: true });
    const answer = await ask(alone, { client: "chat", body });
    await answer.body?.cancel();
    const row = await rowOf(alone, answer.headers.get("x-gateway-request-id"));
    expect(row).toMatchObject({ outcome: "left", status: 499, provider: "slow" });
  });
});
