import { describe, expect, it } from "vitest";

import {
  directoryOf,
  lookup,
  pricesBeside,
  withoutAliases,
  type Directory,
  type Found,
} from "../../src/providers/models/directory.ts";
import { modelList, singleEntry as modelEntry } from "../../src/providers/models/model-list.ts";
import type { ProviderEntry } from "../../src/store/config.ts";
import { noon } from "./kit.ts";

const lab: ProviderEntry = {
  id: "lab",
  kind: "custom",
  format: "chat",
  base_url: "http://127.0.0.1:9/v1",
  models: [{ id: "qwen3" }, { id: "org/deep/name" }, { id: "shared" }],
};
const other: ProviderEntry = {
  id: "other",
  kind: "custom",
  format: "messages",
  base_url: "http://127.0.0.1:8/v1",
  models: [{ id: "shared" }, { id: "auto" }],
};

function meant(found: Found): string {
  return found.kind === "model" || found.kind === "unread"
    ? `${found.kind} ${found.model.id}`
    : found.kind;
}

const directory: Directory = directoryOf([lab, other], {}, noon);
const ask = (text: string, aliases?: Record<string, string>): string =>
  meant(lookup(text, directory, aliases));

describe("what a client's model means", () => {
  it.each([
    ["auto", "auto"],
    ["claude-auto", "auto"],
    ["lab/qwen3", "model lab/qwen3"],
    ["lab/org/deep/name", "model lab/org/deep/name"],
    ["qwen3", "model lab/qwen3"],
    ["org/deep/name", "model lab/org/deep/name"],
    ["shared", "none"],
    ["other/shared", "model other/shared"],
    ["other/auto", "model other/auto"],
    ["lab/unknown", "none"],
    ["nobody/qwen3", "none"],
    ["constructor", "none"],
    ["__proto__", "none"],
    ["", "none"],
    ["/", "none"],
  ])("%j: %s", (text, expected) => {
    expect(ask(text)).toBe(expected);
  });

  it("an exact alias comes before a listed id, a listed id before a pattern", () => {
    const aliases = { "lab/qwen3": "other/shared", "lab/*": "auto", "*": "other/shared" };
    expect(ask("lab/qwen3", aliases)).toBe("model other/shared");
    expect(ask("lab/shared", aliases)).toBe("model lab/shared");
    expect(ask("qwen3", aliases)).toBe("model lab/qwen3");
    expect(ask("lab/nothing", aliases)).toBe("auto");
    expect(ask("anything", aliases)).toBe("model other/shared");
  });

  it("the longest pattern wins, wherever it stands", () => {
    const aliases = { "*": "auto", "claude-haiku-*": "lab/qwen3", "claude-*": "other/shared" };
    expect(ask("claude-haiku-4-5", aliases)).toBe("model lab/qwen3");
    expect(ask("claude-opus", aliases)).toBe("model other/shared");
    expect(ask("gpt-5", aliases)).toBe("auto");
  });

  it("aliases don't chain, and one to nothing is nothing", () => {
    const aliases = { a: "b", b: "lab/qwen3", c: "gone/model" };
    expect(ask("a", aliases)).toBe("none");
    expect(ask("b", aliases)).toBe("model lab/qwen3");
    expect(ask("c", aliases)).toBe("none");
  });

  it("a pattern of many stars costs no time", () => {
    expect(ask("a".repeat(512), { [`${"*a".repeat(200)}b`]: "auto" })).toBe("none");
  });

  it("an endpoint whose list is unread may know the model", () => {
    const open = directoryOf(
      [{ id: "lab", kind: "custom", format: "chat", base_url: "http://127.0.0.1:9/v1" }],
      {},
      noon,
    );
    expect(meant(lookup("lab/some/model", open))).toBe("unread lab/some/model");
    expect(meant(lookup("some/model", open))).toBe("none");
    const read = directoryOf(
      [{ id: "lab", kind: "custom", format: "chat", base_url: "http://127.0.0.1:9/v1" }],
      { lab: { at: noon, models: [{ id: "one" }] } },
      noon,
    );
    expect(meant(lookup("lab/some/model", read))).toBe("none");
    expect(meant(lookup("lab/one", read))).toBe("model lab/one");
  });

  it("tiers and fallbacks know no aliases", () => {
    expect(meant(withoutAliases("lab/qwen3", directory))).toBe("model lab/qwen3");
    expect(meant(withoutAliases("gone", directory))).toBe("none");
  });
});

describe("subscriptions", () => {
  const both = directoryOf(
    [
      { id: "anthropic", kind: "anthropic" },
      { id: "claude-sub", kind: "anthropic", auth: "subscription" },
    ],
    {},
    noon,
  );

  it("their ids carry the mark, the provider's own id does not, and they cost nothing", () => {
    const model = both.byId.get("claude-sub/claude-sonnet-5-subscription");
    expect(model?.info.id).toBe("claude-sonnet-5");
    expect(model?.info.prices).toEqual({
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      cacheWrite1h: 0,
      free: "subscription",
    });
    expect(both.byId.has("claude-sub/claude-sonnet-5")).toBe(false);
    expect(both.byId.get("anthropic/claude-sonnet-5")?.info.prices?.input).toBeGreaterThan(0);
  });

  it("a bare id means the connection that lists it so", () => {
    expect(meant(lookup("claude-sonnet-5", both))).toBe("model anthropic/claude-sonnet-5");
    expect(meant(lookup("claude-sonnet-5-subscription", both))).toBe(
      "model claude-sub/claude-sonnet-5-subscription",
    );
    const alone = directoryOf(
      [{ id: "claude-sub", kind: "anthropic", auth: "subscription" }],
      {},
      noon,
    );
    expect(meant(lookup("claude-sonnet-5", alone))).toBe(
      "model claude-sub/claude-sonnet-5-subscription",
    );
  });
});

describe("where a model's facts come from", () => {
  it("configuration over the provider's list over the catalogue", () => {
    const entries: ProviderEntry[] = [
      {
        id: "openai",
        kind: "openai",
        models: [{ id: "gpt-5.2", context_window: 1000, cost: { input: 9 } }, { id: "mine" }],
      },
    ];
    const lists = {
      openai: {
        at: noon,
        models: [
          { id: "gpt-5.2", contextWindow: 5, maxOutput: 7 },
          { id: "gpt-new", contextWindow: 6 },
          { id: "text-embedding-3-large" },
        ],
      },
    };
    const made = directoryOf(entries, lists, noon);
    expect(made.models.map((model) => model.id)).toEqual([
      "openai/gpt-5.2",
      "openai/mine",
      "openai/gpt-new",
    ]);
    const first = made.models[0]?.info;
    expect(first).toMatchObject({ contextWindow: 1000, maxOutput: 7 });
    expect(first?.prices).toMatchObject({ input: 9, output: 14 });
    expect(made.byId.get("openai/gpt-new")?.info.contextWindow).toBe(6);
  });

  it("the same document, lists and half hour give the same directory", () => {
    const entries: ProviderEntry[] = [lab];
    expect(directoryOf(entries, {}, noon)).toBe(directoryOf(entries, {}, noon + 60_000));
    expect(directoryOf(entries, {}, noon)).not.toBe(directoryOf(entries, {}, noon + 31 * 60_000));
  });
});

describe("the list that clients get", () => {
  const plain = { capabilities: false, cost: false, anthropic: false };
  const priced = directoryOf(
    [
      {
        id: "lab",
        kind: "custom",
        format: "chat",
        base_url: "http://127.0.0.1:9/v1",
        models: [
          {
            id: "a",
            capabilities: {
              input_modalities: ["text", "image"],
              features: ["stream", "tools", "reasoning"],
            },
            cost: { input: 0.2, output: 0 },
          },
          { id: "b", cost: { cache_read: 1 } },
        ],
      },
    ],
    {},
    noon,
  );

  it("plain: auto first, then every model, nothing else", () => {
    expect(modelList(priced, plain)).toEqual({
      object: "list",
      data: [
        { id: "auto", object: "model", created: 0, owned_by: "gateway" },
        { id: "lab/a", object: "model", created: 0, owned_by: "lab" },
        { id: "lab/b", object: "model", created: 0, owned_by: "lab" },
      ],
    });
  });

  it("capabilities and cost, each only where something is known, never on auto", () => {
    expect(modelList(priced, { ...plain, capabilities: true, cost: true })["data"]).toEqual([
      { id: "auto", object: "model", created: 0, owned_by: "gateway" },
      {
        id: "lab/a",
        object: "model",
        created: 0,
        owned_by: "lab",
        capabilities: { input_modalities: ["text", "image"], features: ["stream", "tools"] },
        cost: { input: 0.2, output: 0 },
      },
      { id: "lab/b", object: "model", created: 0, owned_by: "lab" },
    ]);
  });

  it("with Anthropic's members the alias of auto comes last", () => {
    const list = modelList(priced, { ...plain, anthropic: true });
    expect(list).toMatchObject({ has_more: false, first_id: "auto", last_id: "claude-auto" });
    expect((list["data"] as { id: string }[]).map(({ id }) => id)).toEqual([
      "auto",
      "lab/a",
      "lab/b",
      "anthropic.lab/a",
      "anthropic.lab/b",
      "auto:eco",
      "auto:quality",
      "claude-auto-eco",
      "claude-auto-quality",
      "claude-auto",
    ]);
    expect(modelEntry("lab/a", priced, { ...plain, anthropic: true })).toMatchObject({
      type: "model",
      display_name: "a",
      description: "a from lab",
      created_at: "1970-01-01T00:00:00Z",
      max_input_tokens: null,
      max_tokens: null,
    });
    const shown = modelEntry("anthropic.lab/a", priced, { ...plain, anthropic: true });
    expect(shown).toMatchObject({ id: "anthropic.lab/a", owned_by: "lab" });
    expect(modelEntry("nope", priced, plain)).toBeUndefined();
  });
});

describe("the prices of a model that a provider ran beside the one that was asked", () => {
  const key = { api_key: "sk-test" };
  const own: ProviderEntry = {
    ...lab,
    models: [
      { id: "asked", cost: { input: 1, output: 2 } },
      { id: "beside", cost: { input: 3, output: 4 } },
      { id: "unpriced" },
    ],
  };
  const claude: ProviderEntry = { id: "claude", kind: "anthropic", ...key };
  const paid: ProviderEntry = { id: "sub", kind: "anthropic", auth: "subscription", ...key };
  const made = directoryOf([own, claude, paid], {}, noon);
  const pricesFor = (asked: string, id: string | undefined) => {
    const model = made.byId.get(asked);
    if (model === undefined) throw new Error(`${asked} is not listed`);
    return pricesBeside(model, id, made);
  };
  const known = made.models.filter(({ connection }) => connection.id === "claude");

  it("are its own where they are known", () => {
    expect(pricesFor("lab/asked", "beside")).toEqual({ input: 3, output: 4 });
    expect(pricesFor("lab/asked", "asked")).toEqual({ input: 1, output: 2 });
    expect(pricesFor("lab/asked", undefined)).toEqual({ input: 1, output: 2 });
    const asked = known[0]?.id ?? "";
    for (const { info } of known) expect(pricesFor(asked, info.id)).toEqual(info.prices);
  });

  it("are those of the one that was asked where nobody knows them", () => {
    for (const id of ["unpriced", "unheard-of", "__proto__", ""])
      expect(pricesFor("lab/asked", id)).toEqual({ input: 1, output: 2 });
  });

  it("are nothing under a subscription", () => {
    const asked = made.models.find(({ connection }) => connection.id === "sub")?.id ?? "";
    for (const { info } of known)
      expect(pricesFor(asked, info.id)).toMatchObject({ input: 0, output: 0 });
  });
});
