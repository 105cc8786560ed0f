import { describe, expect, it } from "vitest";
import { openLane, provider } from "../kit/asking.ts";
import { whole } from "../kit/script.ts";
import { directoryStub, workspaceStub } from "../../src/workspace/remote.ts";
import { asRoot, env, knock, person, read, signedIn, type TestPerson } from "./device-kit.ts";

const claudeCode = "claude-cli/2.1.330 (external, cli)";

const halfMillionTokens = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 500_000, output_tokens: 0 },
};

/** A signed-in person whose requests cost half a dollar each. */
async function spender(limits: object[], document: object = {}) {
  const dev = await person();
  const lane = openLane();
  await lane.answer(whole(halfMillionTokens));
  const saved = await asRoot(dev.workspace, "PUT /api/config", {
    providers: [provider({ id: "lab", format: "messages", lane })],
    harnesses: [{ id: "h", name: "H" }],
    ...document,
  });
  expect(saved.status).toBe(200);
  await workspaceStub(env, dev.workspace).setPersonLimits(dev.id, limits as never);
  return { dev, key: (await signedIn(dev)).access };
}

async function ask(key: string, agent = claudeCode, path = "/v1/messages") {
  const headers = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "anthropic-version": "2023-06-01",
    "user-agent": agent,
  };
  const messages = [{ role: "user", content: "hi" }];
  const body = JSON.stringify({ model: "lab/m", max_tokens: 10, messages });
  return await read(await knock(path, { method: "POST", headers, body }));
}

async function usageWith(key: string) {
  const headers = { authorization: `Bearer ${key}` };
  return await read(await knock("/api/oauth/usage", { headers }));
}

function unified(headers: Headers): Record<string, string> {
  const prefix = "anthropic-ratelimit-unified-";
  const own = [...headers].filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

const limit = (max: number, period = "day") => ({ metric: "cost", period, max, action: "block" });

function nextMidnight(): number {
  return Math.floor(new Date().setUTCHours(24, 0, 0, 0) / 1000);
}

describe("a person with a limit of money", () => {
  it("sees in headers how much of it is used, and is warned from three quarters on", async () => {
    const { key } = await spender([limit(2)]);
    const reset = String(nextMidnight());
    const seen = [];
    for (let turn = 0; turn < 4; turn += 1) seen.push(unified((await ask(key)).headers));
    const usual = { "representative-claim": "overage", reset, "overage-reset": reset };
    const share = (utilization: string, status = "allowed") => ({
      ...usual,
      status,
      "overage-status": status,
      "overage-utilization": utilization,
    });
    expect(seen).toEqual([
      share("0"),
      share("0.25"),
      share("0.5"),
      { ...share("0.75", "allowed_warning"), "overage-surpassed-threshold": "0.75" },
    ]);
  });

  it("is refused in words that Claude Code shows, and may still count tokens", async () => {
    const { key } = await spender([limit(1)]);
    await ask(key);
    await ask(key);
    const refused = await ask(key);
    const reset = String(nextMidnight());
    expect(refused.status).toBe(429);
    expect(unified(refused.headers)).toEqual({
      status: "rejected",
      reset,
      "overage-reset": reset,
      "overage-utilization": "1",
      "overage-surpassed-threshold": "1",
      "overage-period": "daily",
      "overage-disabled-reason": "org_spend_cap_reached",
    });
    expect(refused.headers.get("x-should-retry")).toBe("false");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.json).toMatchObject({ type: "error", error: { type: "billing_error" } });
    expect((await ask(key, claudeCode, "/v1/messages/count_tokens")).status).toBe(200);
  });

  it("is answered in words where another client asks", async () => {
    const { key } = await spender([limit(0)]);
    const { status, headers } = await ask(key, "a client of one's own");
    expect(status).toBe(200);
    expect(unified(headers)).toEqual({});
  });

  it("gets the same numbers from the usage endpoint", async () => {
    const { key } = await spender([limit(2), limit(50, "month"), limit(1, "hour")]);
    await ask(key);
    const { headers } = await ask(key);
    const { status, json, headers: about } = await usageWith(key);
    expect([status, about.get("cache-control")]).toEqual([200, "no-store"]);
    expect(json).toMatchObject({
      extra_usage: {
        is_enabled: true,
        monthly_limit: 200,
        used_credits: 100,
        utilization: 50,
        currency: "USD",
      },
      limits: [
        { kind: "spend", group: "daily", percent: 50, severity: "normal", is_active: true },
        { kind: "spend", group: "monthly", percent: 2, severity: "normal", is_active: false },
      ],
    });
    const [daily] = json["limits"] as unknown as { resets_at: string }[];
    const second = String(Date.parse(daily?.resets_at ?? "") / 1000);
    expect(unified(headers)["overage-reset"]).toBe(second);
  });
});

describe("limits for everybody", () => {
  it("hold each person by themselves, and give way to a limit of one's own", async () => {
    const document = { person_limits: [limit(1)] };
    const { dev, key } = await spender([], document);
    await ask(key);
    expect(unified((await ask(key)).headers)["overage-utilization"]).toBe("0.5");
    expect((await ask(key)).status).toBe(429);
    const other = await another(dev);
    expect((await ask(other)).status).toBe(200);
    await workspaceStub(env, dev.workspace).setPersonLimits(dev.id, [limit(10)] as never);
    expect((await ask(key)).status).toBe(200);
  });
});

/** One more person's key in the same workspace. */
async function another({ workspace }: TestPerson): Promise<string> {
  const other = await person();
  const member = { workspace, user: other.id };
  await directoryStub(env).addMember({ ...member, role: "member", most: null });
  return (await signedIn({ ...other, workspace })).access;
}

it("A key without limits of money gets no such headers, and an empty report", async () => {
  const { key } = await spender([{ ...limit(5), action: "notify" }]);
  expect(unified((await ask(key)).headers)).toEqual({});
  expect((await usageWith(key)).json).toEqual({
    extra_usage: {
      is_enabled: true,
      monthly_limit: null,
      used_credits: 0,
      utilization: null,
      currency: "USD",
      daily: { limit: null, used_credits: 0, utilization: null },
      weekly: { limit: null, used_credits: 0, utilization: null },
    },
    limits: [],
  });
  expect((await usageWith("nonsense")).status).toBe(401);
});

it("A key that is not good is told so by its status where the client acts on it", async () => {
  const headers = { authorization: "Bearer gw_gone", "content-type": "application/json" };
  const stream = { model: "auto", max_tokens: 5, stream: true, messages: [] };
  const asking = (agent: string) =>
    knock("/v1/messages", {
      method: "POST",
      headers: { ...headers, "user-agent": agent },
      body: JSON.stringify(stream),
    });
  const told = await asking(claudeCode);
  expect([told.status, told.headers.get("x-should-retry")]).toEqual([401, "false"]);
  expect((await asking("another")).status).toBe(200);
});
