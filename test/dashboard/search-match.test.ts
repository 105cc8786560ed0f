/** What the search finds by a few letters, and in which order. */
import { describe, expect, it } from "vitest";
import { bestMatches, type SearchEntry } from "../../src/dashboard/pages/search/match.ts";

const entry = (label: string, kind = "Model"): SearchEntry => ({ kind, label, href: `/${label}` });
const labels = (entries: readonly SearchEntry[]) => entries.map(({ label }) => label);

describe("a search among named things", () => {
  it("puts beginnings before beginnings of words before the rest", () => {
    const entries = [entry("xmini"), entry("lab/mini"), entry("mini-large"), entry("other")];
    expect(labels(bestMatches(entries, "MINI", 10))).toEqual(["mini-large", "lab/mini", "xmini"]);
  });

  it("wants every word, of the name or of the kind", () => {
    const entries = [entry("laptop", "Key of default"), entry("laptop", "Provider")];
    expect(bestMatches(entries, "laptop key", 10)).toEqual([entries[0]]);
    expect(bestMatches(entries, "laptop nothing", 10)).toEqual([]);
  });

  it("gives the first ones without words, and never more than asked for", () => {
    const many = Array.from({ length: 1000 }, (_, at) => entry(`lab/model-${at}`));
    expect(labels(bestMatches(many, "", 3))).toEqual(["lab/model-0", "lab/model-1", "lab/model-2"]);
    expect(bestMatches(many, "model", 20)).toHaveLength(20);
  });

  it("takes no letter for a pattern", () => {
    expect(labels(bestMatches([entry("a(b"), entry("ab")], "(", 10))).toEqual(["a(b"]);
  });
});
