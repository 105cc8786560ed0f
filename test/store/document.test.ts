import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import { type Config, configSchema } from "../../src/store/config.ts";
import {
  checkDocument,
  checkTree,
  type ProviderCheck,
  shapeProblem,
} from "../../src/store/document.ts";
import { firstDocument } from "../../src/store/defaults.ts";
import { keyringOf } from "../../src/store/keyring.ts";
import {
  hasPlainSecrets,
  maskedConfig,
  openedSecrets,
  renewedConfig,
  sealedConfig,
} from "../../src/store/secrets.ts";

const check: ProviderCheck = (entry) => {
  if (!["openai", "demo", "custom"].includes(entry.kind)) {
    return { member: "kind", problem: new Problem("M300", "kind: there is no such kind") };
  }
  if (entry.base_url?.includes("10.0.0.1") === true) {
    return { member: "base_url", problem: new Problem("M303", "base_url: 10.0.0.1 is private") };
  }
  return undefined;
};

/** The fault of a document given as JSON text, as the admin API finds it. */
function fault(text: string): Problem | undefined {
  try {
    const body: unknown = JSON.parse(text);
    checkTree(body);
    const parsed = configSchema.safeParse(body);
    if (!parsed.success) throw shapeProblem(parsed.error.issues);
    checkDocument(parsed.data, check);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const lab = `"kind":"custom","format":"chat","base_url":"http://127.0.0.1:8000/v1"`;

describe("a document's faults name their path", () => {
  it.each([
    ["[]", "body"],
    ["null", "body"],
    [`{"colour":1}`, "colour"],
    [`{"timezone":"Mars/Olympus"}`, "timezone"],
    [`{"providers":[{"id":"a","kind":"demo"},{"id":"a","kind":"openai"}]}`, "providers[1].id"],
    [`{"harnesses":[{"id":"a","name":"A"},{"id":"a","name":"B"}]}`, "harnesses[1].id"],
    [`{"harnesses":[{"id":"a","name":"A","web_search":{}}]}`, "harnesses[0].web_search"],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"provider":"nobody"}}]}`,
      "harnesses[0].web_search.provider",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"url":"http://127.0.0.1/search"}}]}`,
      "harnesses[0].web_search.url",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"url":"http://127.0.0.1/?q={query}","model":"m"}}]}`,
      "harnesses[0].web_search.model",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"url":"http://{query}/"}}]}`,
      "harnesses[0].web_search.url",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"url":"http://{query}.search.test/"}}]}`,
      "harnesses[0].web_search.url",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"url":"http://search.test:80{query}/"}}]}`,
      "harnesses[0].web_search.url",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"url":"http://{query}@search.test/"}}]}`,
      "harnesses[0].web_search.url",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","web_search":{"url":"http://search.test@{query}/?q={query}"}}]}`,
      "harnesses[0].web_search.url",
    ],
    [`{"providers":[{"id":"A b","kind":"demo"}]}`, "providers[0].id"],
    [`{"providers":[{"id":"a","kind":"nope"}]}`, "providers[0].kind"],
    [`{"providers":[{"id":"a","kind":"demo","colour":1}]}`, "providers[0].colour"],
    [
      `{"providers":[{"id":"a","kind":"custom","base_url":"http://127.0.0.1/v1"}]}`,
      "providers[0].format",
    ],
    [`{"providers":[{"id":"a","kind":"custom","format":"chat"}]}`, "providers[0].base_url"],
    [
      `{"providers":[{"id":"a","kind":"custom","format":"chat","base_url":"ftp://x"}]}`,
      "providers[0].base_url",
    ],
    [`{"providers":[{"id":"a",${lab},"headers":{"a b":"x"}}]}`, "providers[0].headers"],
    [
      `{"providers":[{"id":"a",${lab},"headers":{"x-a":"1\\r\\nx-b: 2"}}]}`,
      "providers[0].headers.x-a",
    ],
    [
      `{"providers":[{"id":"a",${lab},"models":[{"id":"m","cost":{"input":-1}}]}]}`,
      "providers[0].models[0].cost.input",
    ],
    [`{"harnesses":[{"id":"a","name":"A","params":{"model":"x"}}]}`, "harnesses[0].params.model"],
    [
      `{"harnesses":[{"id":"a","name":"A","model_params":{"lab/q":{"tools":[]}}}]}`,
      `harnesses[0].model_params["lab/q"].tools`,
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","limits":[{"metric":"cost","period":"year","max":1,"action":"block"}]}]}`,
      "harnesses[0].limits[0].period",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","routing":{"tiers":{"simple":["1","2","3","4","5","6","7"]}}}]}`,
      "harnesses[0].routing.tiers.simple",
    ],
    [
      `{"harnesses":[{"id":"a","name":"A","params":{"__proto__":{"x":1}}}]}`,
      "harnesses[0].params.__proto__",
    ],
    [`{"__proto__":{"providers":[]}}`, "__proto__"],
  ])("%s", (text, path) => {
    const problem = fault(text);
    expect(problem?.message.slice(0, path.length + 2)).toBe(`${path}: `);
    expect(problem?.status).toBe(400);
  });

  it("keeps the code of a private address", () => {
    const text = `{"providers":[{"id":"a","kind":"custom","format":"chat","base_url":"http://10.0.0.1/v1"}]}`;
    expect(fault(text)).toMatchObject({
      code: "private_address",
      message: "providers[0].base_url: 10.0.0.1 is private",
    });
  });

  it.each([
    ["providers", 200, (index: number) => ({ providers: [{ id: `p${index}`, kind: "demo" }] })],
    ["harnesses", 500, (index: number) => ({ harnesses: [{ id: `h${index}`, name: "H" }] })],
  ])("holds %s up to %i and says that number beyond", (list, most, made) => {
    const all = (count: number) =>
      JSON.stringify({
        [list]: Array.from({ length: count }, (_, index) => Object.values(made(index))[0]?.[0]),
      });
    expect(fault(all(most))).toBeUndefined();
    expect(fault(all(most + 1))).toMatchObject({ status: 400 });
    expect(fault(all(most + 1))?.message).toBe(`${list}: at most ${most} are allowed`);
  });

  it.each([
    ["harnesses[0].aliases", 1000, { aliases: "auto" }],
    ["harnesses[0].params", 200, { params: 1 }],
    ["harnesses[0].model_params", 1000, { model_params: {} }],
    ["harnesses[0].routing.fallbacks", 1000, { fallbacks: [] }],
    ["providers[0].headers", 100, { headers: "x" }],
  ])("holds members of %s up to %i", (path, most, member) => {
    const name = Object.keys(member).join();
    const value = Object.values(member)[0] as unknown;
    const documentOf = (count: number) => {
      const many = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`x-${index}`, value]),
      );
      const harness = name === "fallbacks" ? { routing: { [name]: many } } : { [name]: many };
      return JSON.stringify(
        path.startsWith("providers")
          ? { providers: [{ id: "a", kind: "demo", [name]: many }] }
          : { harnesses: [{ id: "a", name: "A", ...harness }] },
      );
    };
    expect(fault(documentOf(most))).toBeUndefined();
    expect(fault(documentOf(most + 1))?.message).toBe(`${path}: at most ${most} are allowed`);
  });

  it("finds nothing wrong with the documents that new workspaces start with", () => {
    expect(fault(JSON.stringify(firstDocument("self-hosted")))).toBeUndefined();
    expect(fault(JSON.stringify(firstDocument("cloud")))).toBeUndefined();
    expect(fault("{}")).toBeUndefined();
  });

  it("costs linear time and no stack, however deep or wide", () => {
    const deep = `{"harnesses":[{"id":"a","name":"A","params":{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}]}`;
    expect(fault(deep)?.message).toContain("nested too deeply");
    const wide = `{"harnesses":[{"id":"a","name":"A","params":{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(",")}}}]}`;
    expect(fault(wide)?.message).toContain("at most 200");
  });
});

describe("secrets in the document", () => {
  const entry = {
    id: "lab",
    kind: "custom",
    format: "chat",
    base_url: "http://127.0.0.1:8000/v1",
    api_key: "sk-test",
    headers: { "x-team": "a", "X-Api-Token": "hush" },
  } as const;
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
  const context = async (stored: Config, setting = secret) => ({
    workspace: "w",
    stored,
    ring: await keyringOf(setting),
  });

  it("are sealed where stored and masked where shown; other headers are not", async () => {
    const stored = await sealedConfig({ providers: [entry] }, await context({}));
    expect(JSON.stringify(stored)).not.toMatch(/sk-test|hush/);
    expect(maskedConfig(stored).providers?.[0]).toMatchObject({
      api_key: "***",
      headers: { "x-team": "a", "X-Api-Token": "***" },
    });
    const [saved] = stored.providers ?? [];
    if (saved === undefined) throw new Error("nothing stored");
    expect(await openedSecrets(saved, "w", await keyringOf(secret))).toEqual({
      apiKey: "sk-test",
      headers: { "X-Api-Token": "hush" },
    });
  });

  it.each([
    "X-Auth",
    "proxy-authorization",
    "x-client-secret",
    "Cookie",
    "x-credential-id",
    "X-Amz-Signature",
    "x-passphrase",
    "x-goog-api-key",
    "cf-access-token",
  ])("are headers like %s too", async (name) => {
    const named = { ...entry, headers: { [name]: "hush" } };
    const stored = await sealedConfig({ providers: [named] }, await context({}));
    expect(JSON.stringify(stored)).not.toContain("hush");
    expect(maskedConfig(stored).providers?.[0]?.headers).toEqual({ [name]: "***" });
  });

  it("that are stored in the clear, because their names did not count, serve on and are sealed", async () => {
    const plain = { providers: [{ ...entry, api_key: undefined, headers: { "x-auth": "hush" } }] };
    const ring = await keyringOf(secret);
    expect(hasPlainSecrets(plain)).toBe(true);
    expect(maskedConfig(plain).providers?.[0]?.headers).toEqual({ "x-auth": "***" });
    const expected = { apiKey: undefined, headers: { "x-auth": "hush" } };
    for (const config of [
      plain,
      await renewedConfig(plain, { workspace: "w", ring }),
      await sealedConfig(maskedConfig(plain), await context(plain)),
    ]) {
      const [saved] = config?.providers ?? [];
      if (config === undefined || saved === undefined) throw new Error("nothing stored");
      expect(await openedSecrets(saved, "w", ring)).toEqual(expected);
      if (config !== plain) expect(JSON.stringify(config)).not.toContain("hush");
      if (config !== plain) expect(hasPlainSecrets(config)).toBe(false);
    }
  });

  it("are kept as they stand when the masked document comes back", async () => {
    const stored = await sealedConfig({ providers: [entry] }, await context({}));
    const again = await sealedConfig(maskedConfig(stored), await context(stored));
    expect(again).toEqual(stored);
  });

  it.each([
    ["base_url", { base_url: "http://127.0.0.1:9000/v1" }],
    ["kind", { kind: "openai" }],
  ])("must be entered again when the %s has changed", async (_name, change) => {
    const stored = await sealedConfig({ providers: [entry] }, await context({}));
    const [masked] = maskedConfig(stored).providers ?? [];
    if (masked === undefined) throw new Error("nothing stored");
    const { headers: _headers, ...bare } = masked;
    const next = { providers: [{ ...bare, ...change }] };
    await expect(sealedConfig(next, await context(stored))).rejects.toThrow(
      /^providers\[0\]\.api_key: .*enter the secret again/,
    );
  });

  it("cannot be masked before they were stored", async () => {
    const next = { providers: [{ ...entry, api_key: "***" }] };
    await expect(sealedConfig(next, await context({}))).rejects.toThrow(
      /^providers\[0\]\.api_key: /,
    );
  });

  it("are sealed anew without being entered again, once there is a newer key", async () => {
    const stored = await sealedConfig({ providers: [entry] }, await context({}));
    const newer = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    const both = { workspace: "w", ring: await keyringOf(`${newer},${secret}`) };
    const renewed = await renewedConfig(stored, both);
    const [saved] = renewed?.providers ?? [];
    if (renewed === undefined || saved === undefined) throw new Error("nothing renewed");
    expect(await openedSecrets(saved, "w", await keyringOf(newer))).toEqual({
      apiKey: "sk-test",
      headers: { "X-Api-Token": "hush" },
    });
    expect(await renewedConfig(renewed, both)).toBeUndefined();
  });

  it("are sealed anew with the newest key when the document is saved", async () => {
    const stored = await sealedConfig({ providers: [entry] }, await context({}));
    const newer = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64");
    const again = await sealedConfig(
      maskedConfig(stored),
      await context(stored, `${newer},${secret}`),
    );
    const [saved] = again.providers ?? [];
    if (saved === undefined) throw new Error("nothing stored");
    expect(await openedSecrets(saved, "w", await keyringOf(newer))).toMatchObject({
      apiKey: "sk-test",
    });
  });
});
