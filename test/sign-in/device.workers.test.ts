import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { endAllSessions } from "../../src/admin/routes/people/sessions.ts";
import { directoryStub, workspaceStub } from "../../src/workspace/remote.ts";
import {
  askForCode,
  confirmed,
  env,
  grants,
  knock,
  person,
  post,
  read,
  redeem,
  refresh,
  signedIn,
  statusWith,
  type TestPerson,
  tokensOf,
  withoutPeople,
} from "./device-kit.ts";

/** Moves every time in a table of the directory into the past. */
async function age(table: string, columns: string[], ms: number): Promise<void> {
  const object = env.DIRECTORY.get(env.DIRECTORY.idFromName("directory"));
  await runInDurableObject(object, (_instance, state) => {
    for (const column of columns)
      state.storage.sql.exec(`UPDATE ${table} SET ${column} = ${column} - ?`, ms);
  });
}

const minute = 60_000;
const day = 86_400_000;

async function keysOf({ workspace }: TestPerson) {
  const { config } = await workspaceStub(env, workspace).snapshot();
  const harness = config.harnesses?.[0]?.id ?? "";
  return (await workspaceStub(env, workspace).listKeys(harness)) ?? [];
}

describe("discovery", () => {
  it("names absolute addresses under the host that was asked, and what the protocol wants", async () => {
    const { status, json } = await read(await knock("/.well-known/oauth-authorization-server"));
    expect(status).toBe(200);
    expect(json).toEqual({
      issuer: "http://gateway.test",
      device_authorization_endpoint: "http://gateway.test/oauth/device_authorization",
      token_endpoint: "http://gateway.test/oauth/token",
      revocation_endpoint: "http://gateway.test/oauth/revoke",
      grant_types_supported: [grants.device, grants.refresh],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ["none"],
      scopes_supported: ["openid", "profile", "email"],
      gateway_protocol_version: 1,
    });
  });

  it("says HTTPS where a proxy in front says so, or PUBLIC_URL names the host", async () => {
    const path = "/.well-known/oauth-authorization-server";
    const headers = { "x-forwarded-proto": "https" };
    expect((await read(await knock(path, { headers }))).json["issuer"]).toBe(
      "https://gateway.test",
    );
    const named = { ...env, PUBLIC_URL: "https://gateway.test" };
    expect((await read(await knock(path, {}, named))).json["issuer"]).toBe("https://gateway.test");
  });

  it("names no host that is not known", async () => {
    const path = "/.well-known/oauth-authorization-server";
    const settings = { ...env, ALLOWED_HOSTS: "gateway.corp.test" };
    expect((await knock(path, {}, settings)).status).toBe(400);
    const named = { ...settings, PUBLIC_URL: "https://gateway.corp.test" };
    expect((await read(await knock(path, {}, named))).json["issuer"]).toBe(
      "https://gateway.corp.test",
    );
  });
});

describe("where people cannot sign in, or in cloud mode", () => {
  const paths = [
    ["GET", "/.well-known/oauth-authorization-server"],
    ["POST", "/oauth/device_authorization"],
    ["POST", "/oauth/token"],
    ["POST", "/oauth/revoke"],
    ["GET", "/managed/settings"],
  ] as const;
  it.each(paths)("%s %s is unknown", async (method, path) => {
    expect((await knock(path, { method }, withoutPeople)).status).toBe(404);
    expect((await knock(path, { method }, { ...env, MODE: "cloud" })).status).toBe(404);
  });
});

describe("a program that asks to be signed in", () => {
  it("gets a code of 20 letters for ten minutes, and the page where it is confirmed", async () => {
    const { status, json, headers } = await post("/oauth/device_authorization", {
      surface: "claude_code",
    });
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json["user_code"]).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const code = json["user_code"] ?? "";
    expect(json).toMatchObject({
      verification_uri: "http://gateway.test/dashboard/device",
      verification_uri_complete: `http://gateway.test/dashboard/device?code=${code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(Object.keys(json)).toHaveLength(6);
  });

  it("is told to wait until a person has judged, and to slow down when it asks at once again", async () => {
    const { device_code: device } = await askForCode();
    expect(await redeem(device)).toMatchObject({
      status: 400,
      json: { error: "authorization_pending" },
    });
    expect(await redeem(device)).toMatchObject({ status: 429, json: { error: "slow_down" } });
    await age("device_grants", ["polled"], 6000);
    // It was told to wait five seconds more.
    expect(await redeem(device)).toMatchObject({ status: 429 });
    await age("device_grants", ["polled"], 16_000);
    expect(await redeem(device)).toMatchObject({ json: { error: "authorization_pending" } });
  });

  it("is signed in once by a code: the pair of tokens, the address of the person", async () => {
    const dev = await person();
    const { device_code: device } = await confirmed(dev);
    const { status, json, headers } = await redeem(device);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json).toEqual({
      access_token: expect.stringMatching(/^gw_[\w-]{43,}$/) as string,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^gwr_/) as string,
      email: dev.email,
    });
    expect(await statusWith(json["access_token"] ?? "")).toBe(200);
    expect(await redeem(device)).toMatchObject({ status: 400, json: { error: "expired_token" } });
    expect(await keysOf(dev)).toMatchObject([{ name: "Claude Code sign-in", person: dev.id }]);
  });

  it("is told once that a person denied it", async () => {
    const { device_code: device, user_code: code } = await askForCode();
    await directoryStub(env).judgeDevice({ code, verdict: "denied" });
    expect(await redeem(device)).toMatchObject({ status: 400, json: { error: "access_denied" } });
    expect(await redeem(device)).toMatchObject({ json: { error: "expired_token" } });
  });

  it("is not signed in after ten minutes", async () => {
    const { device_code: device } = await confirmed(await person());
    await age("device_grants", ["created"], 10 * minute);
    expect(await redeem(device)).toMatchObject({ status: 400, json: { error: "expired_token" } });
  });

  it("is not signed in for somebody who left or only looks, even after the confirmation", async () => {
    const dev = await person();
    const { device_code: device } = await confirmed(dev);
    await directoryStub(env).endMembership({ workspace: dev.workspace, user: dev.id });
    expect(await redeem(device)).toMatchObject({ json: { error: "expired_token" } });
    const { device_code: another } = await confirmed(await person("viewer"));
    expect(await redeem(another)).toMatchObject({ json: { error: "access_denied" } });
  });

  describe("a thousand others of an address", () => {
    const crowd = { "x-test-address": "10.200.0.1" };

    /** Fills the table with codes of that address, as if they had been asked for a while ago. */
    async function fill(address: string): Promise<void> {
      const object = env.DIRECTORY.get(env.DIRECTORY.idFromName("directory"));
      await runInDurableObject(object, (_instance, state) => {
        const { sql } = state.storage;
        const { kept } = sql.exec("SELECT COUNT(*) AS kept FROM device_grants").one();
        for (let filled = Number(kept); filled < 1000; filled++)
          sql.exec(
            `INSERT INTO device_grants (device, code, address, agent, created, pause)
             VALUES (?, ?, ?, '', ?, 5)`,
            crypto.randomUUID(),
            crypto.randomUUID(),
            address,
            Date.now() - 60_000,
          );
      });
    }

    it("refuse nobody a code, and push out nobody's at another address", async () => {
      const before = await askForCode();
      await fill(crowd["x-test-address"]);
      const after = await askForCode();
      for (let asked = 0; asked < 30; asked++) await askForCode(crowd);
      for (const { device_code: device } of [before, after])
        expect(await redeem(device)).toMatchObject({ json: { error: "authorization_pending" } });
    });

    it("push out of the same address what is used least", async () => {
      const { device_code: device } = await askForCode(crowd);
      await age("device_grants", ["created"], 5 * minute);
      await redeem(device);
      await fill(crowd["x-test-address"]);
      for (let asked = 0; asked < 30; asked++) await askForCode(crowd);
      await age("device_grants", ["polled"], 6000);
      expect(await redeem(device)).toMatchObject({ json: { error: "authorization_pending" } });
    });

    it("cannot push out a code whose page somebody has opened", async () => {
      const dev = await person();
      const { device_code: device, user_code: code } = await askForCode(crowd);
      const page = `/dashboard/device?code=${code}`;
      expect((await knock(page, { headers: { cookie: dev.cookie } })).status).toBe(200);
      await age("device_grants", ["created"], 5 * minute);
      await fill(crowd["x-test-address"]);
      for (let asked = 0; asked < 30; asked++) await askForCode(crowd);
      await directoryStub(env).judgeDevice({
        code,
        verdict: "approved",
        person: dev.id,
        workspace: dev.workspace,
      });
      for (let asked = 0; asked < 30; asked++) await askForCode(crowd);
      expect((await redeem(device)).status).toBe(200);
    });
  });

  it("is answered however often others of its address ask about their codes", async () => {
    const headers = { "x-test-address": "10.200.0.3" };
    const { device_code: noisy } = await askForCode(headers);
    const { device_code: device } = await askForCode(headers);
    for (let asked = 0; asked < 100; asked++) {
      await post("/oauth/token", { grant_type: grants.device, device_code: noisy }, headers);
      await post("/oauth/revoke", { token: "nonsense" }, headers);
    }
    const asking = { grant_type: grants.device, device_code: device };
    expect(await post("/oauth/token", asking, headers)).toMatchObject({
      json: { error: "authorization_pending" },
    });
  });
});

describe("the token endpoint", () => {
  it.each([
    [{}, "unsupported_grant_type"],
    [{ grant_type: "password" }, "unsupported_grant_type"],
    [{ grant_type: grants.device }, "invalid_request"],
    [{ grant_type: grants.device, device_code: "nonsense" }, "expired_token"],
    [{ grant_type: grants.refresh }, "invalid_request"],
  ])("answers %j with %s", async (form, error) => {
    expect(await post("/oauth/token", form)).toMatchObject({ status: 400, json: { error } });
  });

  it("takes a form only", async () => {
    const body = JSON.stringify({ grant_type: grants.refresh, refresh_token: "x" });
    const headers = { "content-type": "application/json" };
    const answer = await read(await knock("/oauth/token", { method: "POST", body, headers }));
    expect(answer).toMatchObject({ status: 400, json: { error: "invalid_request" } });
    const long = `grant_type=refresh_token&refresh_token=${"x".repeat(20_000)}`;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const tooLong = await knock("/oauth/token", { method: "POST", body: long, headers: form });
    expect(await read(tooLong)).toMatchObject({ status: 400, json: { error: "invalid_request" } });
  });

  it("asks nobody about codes and tokens that were not made here", async () => {
    const dev = await person();
    const tokens = await signedIn(dev);
    const { device_code: device } = await askForCode();
    const unreachable = { idFromName: () => fail(), get: () => fail() };
    const settings = { ...env, DIRECTORY: unreachable as unknown as typeof env.DIRECTORY };
    const forged = [
      { grant_type: grants.device, device_code: `${device.slice(0, -1)}${other(device)}` },
      { grant_type: grants.refresh, refresh_token: `gwr_${"a".repeat(78)}` },
      {
        grant_type: grants.refresh,
        refresh_token: tokens.refresh.replace(/.$/, other(tokens.refresh)),
      },
    ];
    for (const form of forged) {
      const body = new URLSearchParams(form).toString();
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      const answer = await knock("/oauth/token", { method: "POST", body, headers }, settings);
      expect([400, 401]).toContain(answer.status);
    }
  });
});

function fail(): never {
  throw new Error("the directory was asked");
}

/** A last character that the text does not have, and no other spelling of the same bytes. */
function other(text: string): string {
  return text.endsWith("A") ? "c" : "A";
}

describe("a refresh token", () => {
  it("is replaced with each use, and a lost answer is given again", async () => {
    const first = await signedIn(await person());
    const answers = await Promise.all([refresh(first.refresh), refresh(first.refresh)]);
    const [second, again] = answers.map(tokensOf);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(second).toEqual(again);
    expect(second?.refresh).not.toBe(first.refresh);
    expect(second?.access).not.toBe(first.access);
    // Requests with the old key may be running.
    expect(await statusWith(first.access)).toBe(200);
    expect(await statusWith(second?.access ?? "")).toBe(200);
  });

  it("that was replaced longer ago ends the whole sign-in", async () => {
    const dev = await person();
    const first = await signedIn(dev);
    const second = tokensOf(await refresh(first.refresh));
    await age("program_sign_ins", ["used"], 2 * minute);
    expect(await refresh(first.refresh)).toMatchObject({
      status: 401,
      json: { error: "invalid_grant" },
    });
    expect(await refresh(second.refresh)).toMatchObject({ status: 401 });
    expect(await statusWith(second.access)).toBe(401);
    expect(await keysOf(dev)).toEqual([]);
  });

  it("two steps old ends it too, however lately", async () => {
    const first = await signedIn(await person());
    const second = tokensOf(await refresh(first.refresh));
    const third = tokensOf(await refresh(second.refresh));
    expect(await refresh(first.refresh)).toMatchObject({ status: 401 });
    expect(await refresh(third.refresh)).toMatchObject({ status: 401 });
    expect(await statusWith(third.access)).toBe(401);
  });

  it("holds for ninety days after its last use", async () => {
    const first = await signedIn(await person());
    await age("program_sign_ins", ["used"], 89 * day);
    const second = await refresh(first.refresh);
    expect(second.status).toBe(200);
    await age("program_sign_ins", ["used"], 91 * day);
    expect(await refresh(tokensOf(second).refresh)).toMatchObject({ status: 401 });
  });

  it("leaves two keys of a sign-in behind at most", async () => {
    const dev = await person();
    let tokens = await signedIn(dev);
    for (let turn = 0; turn < 4; turn += 1) tokens = tokensOf(await refresh(tokens.refresh));
    expect(await keysOf(dev)).toHaveLength(2);
    expect(await statusWith(tokens.access)).toBe(200);
  });

  it("is refused once its person has left, and their keys with it", async () => {
    const dev = await person();
    const tokens = await signedIn(dev);
    await workspaceStub(env, dev.workspace).revokePerson(dev.id);
    await directoryStub(env).endMembership({ workspace: dev.workspace, user: dev.id });
    expect(await statusWith(tokens.access)).toBe(401);
    expect(await refresh(tokens.refresh)).toMatchObject({
      status: 401,
      json: { error: "invalid_grant" },
    });
    const again = { workspace: dev.workspace, user: dev.id };
    await directoryStub(env).addMember({ ...again, role: "member", most: null });
    expect(await refresh(tokens.refresh)).toMatchObject({ status: 401 });
  });

  it("is refused while the object of the workspace knows that its person left", async () => {
    const dev = await person();
    const tokens = await signedIn(dev);
    await workspaceStub(env, dev.workspace).revokePerson(dev.id);
    expect(await refresh(tokens.refresh)).toMatchObject({ status: 401 });
  });

  it("is refused after its person signed out everywhere", async () => {
    const dev = await person();
    const tokens = await signedIn(dev);
    const { id, email } = dev;
    const somebody = { id, email, subject: "", name: "" };
    await endAllSessions(env, { kind: "person", person: somebody, memberships: [] }, null);
    expect(await refresh(tokens.refresh)).toMatchObject({ status: 401 });
    expect(await statusWith(tokens.access)).toBe(401);
  });
});

describe("signing out", () => {
  it.each(["access", "refresh"] as const)("by the %s token ends both", async (which) => {
    const tokens = await signedIn(await person());
    expect((await post("/oauth/revoke", { token: tokens[which] })).status).toBe(200);
    expect(await statusWith(tokens.access)).toBe(401);
    expect(await refresh(tokens.refresh)).toMatchObject({ status: 401 });
  });

  it("leaves every other key alone, and says nothing about tokens that it does not know", async () => {
    const dev = await person();
    const made = await knock("/api/harnesses/default/keys", {
      method: "POST",
      headers: {
        authorization: `Bearer ${env.ADMIN_TOKEN}`,
        "x-gateway-workspace": dev.workspace,
      },
    });
    const { key } = (await made.json()) as { key: string };
    expect((await post("/oauth/revoke", { token: key })).status).toBe(200);
    expect((await post("/oauth/revoke", { token: "nonsense" })).status).toBe(200);
    expect(await post("/oauth/revoke", {})).toMatchObject({ status: 400 });
    expect(await statusWith(key)).toBe(200);
  });
});
