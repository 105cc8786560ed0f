import { describe, expect, it } from "vitest";
import { readWebSearch } from "../../src/translation/web-search.ts";
import type { JsonObject } from "../../src/lib/json.ts";

const everything = ["allowed", "blocked", "size", "location"] as const;

function read(raw: JsonObject, sayable: readonly (typeof everything)[number][] = everything) {
  const unsupported = new Set<string>();
  const tool = { kind: "hosted", format: "chat", type: "web_search", raw, path: "t" } as const;
  return {
    search: readWebSearch(tool, sayable, unsupported),
    unsupported: [...unsupported].toSorted(),
  };
}

describe("a web search", () => {
  const place = { city: "Bonn", country: "DE" };
  const meant = { allowed: ["a.test"], size: "low", location: place };

  it("means the same in every dialect's words", () => {
    const flat = {
      type: "web_search_20250305",
      name: "web_search",
      allowed_domains: ["a.test"],
      search_context_size: "low",
      user_location: { type: "approximate", ...place },
    };
    const nested = {
      filters: { allowed_domains: ["a.test"] },
      search_context_size: "low",
      user_location: { type: "approximate", approximate: place },
    };
    expect(read(flat)).toEqual({ search: meant, unsupported: [] });
    expect(read(nested)).toEqual({ search: meant, unsupported: [] });
  });

  it("names by the client's own path what the provider has no words for", () => {
    const raw = {
      filters: { allowed_domains: ["a.test"], blocked_domains: ["b.test"] },
      search_context_size: "low",
      user_location: { type: "approximate", ...place },
      max_uses: 3,
    };
    expect(read(raw, ["location"])).toEqual({
      search: { location: place },
      unsupported: [
        "t.filters.allowed_domains",
        "t.filters.blocked_domains",
        "t.max_uses",
        "t.search_context_size",
      ],
    });
    expect(read(raw, []).unsupported).toContain("t.user_location");
  });

  it("that asks for nothing in particular loses nothing", () => {
    const raw = { type: "web_search", filters: null, allowed_domains: [], user_location: null };
    expect(read(raw, [])).toEqual({ search: {}, unsupported: [] });
  });
});
