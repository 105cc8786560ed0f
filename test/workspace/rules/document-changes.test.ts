import { describe, expect, it } from "vitest";
import type { Config } from "../../../src/store/config.ts";
import { documentChanges } from "../../../src/workspace/rules/audit/document-changes.ts";

const lab = {
  id: "lab",
  kind: "custom",
  format: "chat",
  base_url: "https://lab.example/v1",
  api_key: "sealed:1:aa:one",
  headers: { "x-team": "a", "x-token": "sealed:1:aa:two" },
} as const;
const other = { id: "other", kind: "openai", api_key: "sealed:1:aa:three" };
const before: Config = {
  timezone: "UTC",
  providers: [lab, other],
  harnesses: [
    { id: "h", name: "H", params: { temperature: 1 }, aliases: { "gpt-*": "auto" } },
    { id: "i", name: "I" },
  ],
};

const changed = (after: Config) => documentChanges(before, after).changes;

describe("what differs between two documents", () => {
  it("is nothing between equal ones, whatever the order of members", () => {
    const { providers, ...rest } = structuredClone(before);
    expect(documentChanges(before, { providers, ...rest })).toEqual({ changes: [], more: 0 });
  });

  it("is named by paths, entries by their ids, with both values", () => {
    const after: Config = {
      ...before,
      timezone: "Asia/Tokyo",
      harnesses: [
        {
          id: "h",
          name: "H",
          params: { temperature: 0.5, seed: 7 },
          model_params: { "lab/a b": { seed: 1 } },
        },
        { id: "i", name: "I" },
      ],
    };
    expect(changed(after)).toEqual([
      { path: "timezone", before: "UTC", after: "Asia/Tokyo" },
      { path: "harnesses.h.params.temperature", before: 1, after: 0.5 },
      { path: "harnesses.h.params.seed", after: 7 },
      { path: "harnesses.h.aliases", before: { "gpt-*": "auto" } },
      { path: "harnesses.h.model_params", after: { "lab/a b": { seed: 1 } } },
    ]);
  });

  it("is one entry where one was added in front of others, and one where one was removed", () => {
    const fresh = { id: "fresh", kind: "openai", api_key: "sealed:1:aa:four" };
    expect(changed({ ...before, providers: [fresh, lab] })).toEqual([
      { path: "providers.other", before: { id: "other", kind: "openai", api_key: "***" } },
      { path: "providers.fresh", after: { id: "fresh", kind: "openai", api_key: "***" } },
    ]);
  });

  it("is one entry each where all of them come or go", () => {
    expect(changed({}).map(({ path, after }) => [path, after])).toEqual([
      ["timezone", undefined],
      ["providers.lab", undefined],
      ["providers.other", undefined],
      ["harnesses.h", undefined],
      ["harnesses.i", undefined],
    ]);
    const { changes } = documentChanges({}, { providers: [other], harnesses: [] });
    expect(changes).toEqual([
      { path: "providers.other", after: { id: "other", kind: "openai", api_key: "***" } },
      { path: "harnesses", after: [] },
    ]);
  });

  it("is the list of ids where entries changed places", () => {
    expect(changed({ ...before, providers: [other, lab] })).toEqual([
      { path: "providers", before: ["lab", "other"], after: ["other", "lab"] },
    ]);
  });

  it("says that a secret was replaced, and masks it", () => {
    const headers = { ...lab.headers, "x-token": "sealed:1:aa:new" };
    const after = {
      ...before,
      providers: [{ ...lab, api_key: "sealed:1:aa:new", headers }, other],
    };
    expect(changed(after)).toEqual([
      { path: "providers.lab.api_key", before: "***", after: "***" },
      { path: "providers.lab.headers.x-token", before: "***", after: "***" },
    ]);
  });

  it("is cut to 200 entries and 64 KB, with a count of the rest; long values are cut", () => {
    const aliases = (to: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`name-${at}`, to]));
    const harness = (to: string, count: number): Config => ({
      harnesses: [{ id: "h", name: "H", aliases: aliases(to, count) }],
    });
    const many = documentChanges(harness("a", 1000), harness("b", 1000));
    expect([many.changes.length, many.more]).toEqual([200, 800]);
    const long = documentChanges(harness("a".repeat(500), 199), harness("b".repeat(500), 199));
    expect(JSON.stringify(long.changes).length).toBeLessThan(65_600);
    expect(long.changes.length + long.more).toBe(199);
    expect(long.more).toBeGreaterThan(0);
    const [whole] = documentChanges({}, harness("a", 1000)).changes;
    expect(JSON.stringify(whole).length).toBeLessThan(3000);
    expect(whole?.after).toMatch(/… \(\d+ characters\)$/);
  });
});
