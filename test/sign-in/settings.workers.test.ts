import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/sign-in/device/managed-settings.ts";
import { asRoot, env, knock, person, read, signedIn, type TestPerson } from "./device-kit.ts";

async function settingsWith(key: string, headers: Record<string, string> = {}) {
  const asked = { authorization: `Bearer ${key}`, ...headers };
  return await read(await knock("/managed/settings", { headers: asked }));
}

const providers = [
  {
    id: "lab",
    kind: "custom",
    format: "messages",
    base_url: "http://127.0.0.1:9/v1",
    models: [
      { id: "large", context_window: 1_000_000 },
      { id: "small", context_window: 131_072 },
      { id: "unused", context_window: 4096 },
      { id: "unknown" },
    ],
  },
];
const routing = { tiers: tiersOf(["lab/large", "lab/small"]) };

function tiersOf(models: string[]) {
  const names = ["simple", "standard", "complex", "reasoning", "default"];
  return Object.fromEntries(names.map((name) => [name, models]));
}

async function configure({ workspace }: TestPerson, more: object): Promise<void> {
  const harnesses = [
    { id: "first", name: "First", routing },
    { id: "tools", name: "Tools" },
  ];
  const saved = await asRoot(workspace, "PUT /api/config", { providers, harnesses, ...more });
  expect(saved.status).toBe(200);
}

describe("managed settings", () => {
  it("turn hints on, and name the smallest window of the models that `auto` may choose", async () => {
    const dev = await person();
    await configure(dev, {});
    const { access } = await signedIn(dev);
    const { status, json, headers } = await settingsWith(access);
    const settings = {
      env: {
        CLAUDE_CODE_AUTO_MODE_SERVER: "0",
        CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
        CLAUDE_CODE_MAX_CONTEXT_TOKENS: "131072",
      },
    };
    // Of these settings as JSON, their members in this order.
    const checksum = "sha256:f76ae1e0a06333e3a6b5b6a5ed4ddb70ebb8c128921900f0cb130549892a2207";
    expect(status).toBe(200);
    expect(json).toEqual({ uuid: checksum, checksum, settings });
    expect(headers.get("etag")).toBe(`"${checksum}"`);
  });

  it("take over what the document says, variables beside those of the gateway", async () => {
    const dev = await person();
    const variables = {
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: "200000",
      CLAUDE_CODE_ENABLE_TELEMETRY: "1",
    };
    const managed = { availableModels: ["auto"], enforceAvailableModels: true, env: variables };
    await configure(dev, { sign_in: { harness: "tools", managed_settings: managed } });
    const { access } = await signedIn(dev);
    const { json } = await settingsWith(access);
    expect(json["settings"]).toEqual({
      ...managed,
      env: {
        CLAUDE_CODE_AUTO_MODE_SERVER: "0",
        CLAUDE_CODE_GATEWAY_HINT_HEADERS: "1",
        ...variables,
      },
    });
  });

  it("are not sent again to a client that has them", async () => {
    const { access } = await signedIn(await person());
    const { headers } = await settingsWith(access);
    const tag = headers.get("etag") ?? "";
    expect((await settingsWith(access, { "if-none-match": tag })).status).toBe(304);
    expect((await settingsWith(access, { "if-none-match": "*" })).status).toBe(200);
    expect((await settingsWith(access, { "if-none-match": `W/${tag}` })).status).toBe(200);
  });

  it("are given to people alone", async () => {
    const dev = await person();
    const made = await asRoot(dev.workspace, "POST /api/harnesses/default/keys", {});
    expect((await settingsWith(made.json["key"] ?? "")).status).toBe(403);
    for (const key of ["", "gw_nonsense"])
      expect((await settingsWith(key)).json).toMatchObject({
        type: "error",
        error: { type: "authentication_error" },
      });
    expect((await knock("/managed/settings")).status).toBe(401);
  });

  it("have one checksum whatever the order of their members", () => {
    const text = canonicalJson({ b: [{ d: "ü\u2028", c: null }], a: { z: 1.5, y: true } });
    expect(text).toBe('{"a":{"y":true,"z":1.5},"b":[{"c":null,"d":"ü\u2028"}]}');
  });
});

describe("the document", () => {
  it.each([
    [{ harness: "nobody" }, "sign_in.harness"],
    [{ managed_settings: { env: { A: 1 } } }, "sign_in.managed_settings.env"],
    [{ managed_settings: { env: "A" } }, "sign_in.managed_settings.env"],
    [{ login_notice: "x".repeat(501) }, "sign_in.login_notice"],
    [{ other: 1 }, "sign_in.other"],
  ])("refuses %j", async (signIn, path) => {
    const { workspace } = await person();
    const harnesses = [{ id: "first", name: "First" }];
    const { status, json } = await asRoot(workspace, "PUT /api/config", {
      harnesses,
      sign_in: signIn,
    });
    expect(status).toBe(400);
    expect(JSON.stringify(json)).toContain(path);
  });

  it("names the harness in which keys of sign-ins are made", async () => {
    const dev = await person();
    await configure(dev, { sign_in: { harness: "tools" } });
    await signedIn(dev);
    const keys = await asRoot(dev.workspace, "GET /api/harnesses/tools/keys");
    expect(keys.json["data"]).toHaveLength(1);
  });

  it("has the words that are shown beside the code", async () => {
    const { json: before } = await asRoot("default", "GET /api/config");
    const noticed = { ...before, sign_in: { login_notice: "Ask Kim if the page does not open." } };
    await asRoot("default", "PUT /api/config", noticed);
    const answer = await read(await knock("/oauth/device_authorization", { method: "POST" }));
    expect(answer.json["login_notice"]).toBe("Ask Kim if the page does not open.");
    await asRoot("default", "PUT /api/config", before);
  });
});

describe("what programs measure of themselves", () => {
  it.each(["metrics", "logs", "traces"])("is taken at /v1/%s from every good key", async (name) => {
    const { access } = await signedIn(await person());
    const headers = { authorization: `Bearer ${access}`, "content-type": "application/x-protobuf" };
    const body = new Uint8Array(100_000);
    for (const settings of [env, { ...env, VARIANT: "B" }, { ...env, MODE: "cloud" }]) {
      const answer = await knock(`/v1/${name}`, { method: "POST", headers, body }, settings);
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
    }
    const unknown = await knock(`/v1/${name}`, { method: "POST", body });
    expect(unknown.status).toBe(401);
  });
});

it("The profile of Claude Desktop and the protocol's own text are not served", async () => {
  const { access } = await signedIn(await person());
  const headers = { authorization: `Bearer ${access}` };
  expect((await knock("/user/bootstrap", { headers })).status).toBe(404);
  expect((await knock("/protocol", { headers })).status).toBe(404);
});
