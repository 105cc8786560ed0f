import { describe, expect, it } from "vitest";
import { isModelNamed, ownNameOf } from "../../src/gateway/candidates/model-names.ts";
import { directoryOf } from "../../src/providers/models/directory.ts";
import type { HarnessEntry, ProviderEntry } from "../../src/store/config.ts";

const base = { kind: "custom", format: "chat", base_url: "http://127.0.0.1:1/v1" } as const;
const providers: ProviderEntry[] = [
  { ...base, id: "lab", models: [{ id: "m" }] },
  // It has no list, and is asked for whatever a client names.
  { ...base, id: "any" },
];
const harness: HarnessEntry = {
  id: "h",
  name: "H",
  aliases: { fast: "any/aliased", "gpt-*": "lab/m" },
  routing: {
    tiers: { simple: ["any/tier"] },
    headers: [{ name: "n", header: "x-n", value: "1", models: ["any/header"] }],
    fallbacks: { "any/first": ["any/second"] },
  },
};
const naming = { directory: directoryOf(providers, {}, 0), harness };

describe("a model that metrics and lines may name", () => {
  it.each(["lab/m", "any/aliased", "any/tier", "any/header", "any/first", "any/second"])(
    "is one that a list or the document names: %s",
    (id) => expect(isModelNamed(id, naming)).toBe(true),
  );

  it.each(["any/made-up", "lab/made-up", ""])("is not what only a client names: %j", (id) =>
    expect(isModelNamed(id, naming)).toBe(false),
  );
});

describe("the name by which a client asked", () => {
  it.each(["auto", "lab/m", "m", "fast", "any/tier"])(
    "is told where it is the workspace's: %s",
    (name) => expect(ownNameOf(name, naming)).toBe(name),
  );

  it.each(["any/my secret", "gpt-my-secret", "my secret", ""])(
    "is not told otherwise: %j",
    (name) => expect(ownNameOf(name, naming)).toBeUndefined(),
  );
});
