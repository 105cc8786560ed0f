import { describe, expect, it } from "vitest";
import { Problem } from "../../src/core/problem.ts";
import { tryChange, fieldErrorFrom, idFrom, jsonField } from "../../src/dashboard/shared/forms.ts";
import {
  providerEntryFromForm,
  formFromProviderEntry,
} from "../../src/dashboard/pages/providers/provider-entry.ts";
import {
  fallbacksFromText,
  routingFromForm,
  headerRuleFromForm,
  withRouting,
} from "../../src/dashboard/pages/harnesses/routing/routing-entry.ts";
import type { ProviderEntry } from "../../src/store/config.ts";

describe("what was wrong with a form", () => {
  it.each([
    [
      "providers[2].base_url: required for this kind",
      { field: "base_url", message: "Required for this kind." },
    ],
    [
      "harnesses[0].params.model: set by the gateway",
      { field: "params", message: "Params.model set by the gateway." },
    ],
    [
      'timezone: "Mars" is not a time zone',
      { field: "timezone", message: '"Mars" is not a time zone.' },
    ],
    [
      'providers[0].headers["x team"]: holds characters',
      { field: "headers", message: 'Headers["x team"] holds characters.' },
    ],
    [
      "body: the document is too large",
      { field: null, message: "body: the document is too large" },
    ],
    ["Something else happened.", { field: null, message: "Something else happened." }],
  ])("%s", (message, error) => {
    expect(fieldErrorFrom(message)).toEqual(error);
  });

  it("only what the administrator can mend comes back as a fault", async () => {
    const refused = (status: number) => () => {
      throw new Problem("M300", "name: is missing", { status });
    };
    expect(await tryChange(refused(400))).toEqual({
      ok: false,
      error: { field: "name", message: "Is missing." },
    });
    expect(await tryChange(refused(409))).toMatchObject({ ok: false });
    await expect(tryChange(refused(500))).rejects.toThrow();
    await expect(tryChange(refused(404))).rejects.toThrow();
    await expect(tryChange(() => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
  });

  it("JSON that is no object is refused by its field", () => {
    expect(jsonField(new URLSearchParams({ params: " " }), "params")).toEqual({});
    expect(jsonField(new URLSearchParams({ params: '{"a":[1]}' }), "params")).toEqual({ a: [1] });
    for (const params of ["[1]", "null", "{", "1"])
      expect(() => jsonField(new URLSearchParams({ params }), "params")).toThrow(/^params: /);
  });
});

describe("ids made of names", () => {
  it.each([
    ["Claude Code on my laptop!", "claude-code-on-my-laptop"],
    ["  --Ünïcode--  ", "u-ni-code"],
    ["日本語", "harness"],
    ["", "harness"],
    ["taken", "taken-3"],
  ])("%j is %s", (name, id) => {
    expect(idFrom(name, ["taken", "taken-2"], "harness")).toBe(id);
  });

  it("always fits the document's rule", () => {
    for (const name of ["x".repeat(300), "-".repeat(80), `${"a".repeat(47)} b`, "9 lives"])
      expect(idFrom(name, [], "harness")).toMatch(/^[a-z0-9][a-z0-9-]{0,63}$/);
  });
});

describe("a provider's form", () => {
  const entries: ProviderEntry[] = [
    { id: "openai", kind: "openai", api_key: "***" },
    { id: "claude", kind: "anthropic", auth: "subscription", api_key: "***" },
    {
      id: "lab",
      kind: "custom",
      format: "chat",
      base_url: "http://127.0.0.1:8000/v1",
      headers: { "x-team": "a: b", "x-key": "***" },
      models: [{ id: "qwen3", cost: { input: 0.2, output: 0.6 } }],
      openai_fields: false,
      timeouts: { headers: 5, total: 60 },
    },
    {
      id: "plain",
      kind: "custom",
      format: "gemini",
      base_url: "https://a.test",
      models: [{ id: "a" }, { id: "b/c" }],
    },
  ];

  it.each(entries.map((entry) => [entry.id, entry] as const))(
    "%s says again what it was made of",
    (_id, entry) => {
      expect(providerEntryFromForm(formFromProviderEntry(entry), entry)).toEqual(entry);
    },
  );

  it("an empty key keeps the stored one, a new one replaces it, a wish forgets it", () => {
    const [entry] = entries;
    if (entry === undefined) throw new Error("no entry");
    const form = formFromProviderEntry(entry);
    form.set("api_key", " sk-test ");
    expect(providerEntryFromForm(form, entry).api_key).toBe("sk-test");
    form.set("api_key", "");
    form.set("forget_key", "on");
    expect(providerEntryFromForm(form, entry)).not.toHaveProperty("api_key");
    expect(providerEntryFromForm(formFromProviderEntry(entry), {})).not.toHaveProperty("api_key");
  });

  it("faults name the field", () => {
    const form = (more: Record<string, string>) =>
      new URLSearchParams({ id: "x", kind: "custom", ...more });
    expect(() => providerEntryFromForm(form({ headers: "no colon" }), {})).toThrow(/^headers: /);
    expect(() => providerEntryFromForm(form({ models: "[{]" }), {})).toThrow(/^models: /);
    expect(() => providerEntryFromForm(form({ models: '[{"name":"a"}]' }), {})).toThrow(
      /^models: /,
    );
    expect(() => providerEntryFromForm(form({ timeout_idle: "-1" }), {})).toThrow(/^timeouts: /);
  });
});

describe("the routing form", () => {
  const form = (button: string, more: [string, string][] = []) =>
    new URLSearchParams([
      ["auto", "on"],
      ["quality", "balanced"],
      ["tier.simple", "a"],
      ["tier.simple", "b"],
      ["tier.simple", "c"],
      ["do", button],
      ...more,
    ]);

  it.each([
    ["save", ["a", "b", "c"]],
    ["up simple 2", ["a", "c", "b"]],
    ["up simple 0", ["a", "b", "c"]],
    ["down simple 0", ["b", "a", "c"]],
    ["down simple 2", ["a", "b", "c"]],
    ["remove simple 1", ["a", "c"]],
    ["remove simple 9", ["a", "b", "c"]],
    ["remove nothing 0", ["a", "b", "c"]],
  ])("the button %j leaves %j", (button, chain) => {
    expect(routingFromForm(form(button), undefined)).toEqual({ tiers: { simple: chain } });
  });

  it("a model is added once, and six are the most", () => {
    const adding = (model: string) => form("add simple", [["add.simple", model]]);
    expect(routingFromForm(adding("d"), undefined).tiers?.simple).toEqual(["a", "b", "c", "d"]);
    expect(() => routingFromForm(adding("a"), undefined)).toThrow(/^add\.simple: /);
    const full = form("add simple", [
      ["add.simple", "g"],
      ...["d", "e", "f"].map((id): [string, string] => ["tier.simple", id]),
    ]);
    expect(() => routingFromForm(full, undefined)).toThrow(/^add\.simple: /);
  });

  it("an emptied chain is filled by the gateway again; rules and fallbacks stay", () => {
    const before = { tiers: { simple: ["a"] }, fallbacks: { a: ["b"] }, quality: "eco" as const };
    const one = new URLSearchParams([
      ["tier.simple", "a"],
      ["do", "remove simple 0"],
    ]);
    expect(routingFromForm(one, before)).toEqual({ auto: false, fallbacks: { a: ["b"] } });
  });

  it("routing that says nothing is left out of the document", () => {
    const harness = { id: "a", name: "A", routing: { quality: "eco" as const } };
    expect(withRouting(harness, { headers: [], fallbacks: {} })).toEqual({ id: "a", name: "A" });
  });

  it("rules and fallbacks are read from their lines", () => {
    const rule = new URLSearchParams({ name: "n", header: "x-job", value: "v", models: "a, b\nc" });
    expect(headerRuleFromForm(rule)).toEqual({
      name: "n",
      header: "x-job",
      value: "v",
      models: ["a", "b", "c"],
    });
    expect(fallbacksFromText("a/b -> c, d\n\n e -> f ")).toEqual({ "a/b": ["c", "d"], e: ["f"] });
    expect(() => fallbacksFromText("a = b")).toThrow(/^fallbacks: /);
  });
});
