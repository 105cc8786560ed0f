import { describe, expect, it } from "vitest";
import { entryProblem } from "../../src/providers/connection/check-entry.ts";
import { connectionOf } from "../../src/providers/connection/connection.ts";
import type { Config, ProviderEntry } from "../../src/store/config.ts";
import { checkDocument } from "../../src/store/document.ts";

const openai = { id: "o", kind: "openai" };

function check(config: Config): void {
  checkDocument(config, (entry) => entryProblem(entry, "public"));
}

describe("a provider's region", () => {
  it.each<[ProviderEntry, string]>([
    [openai, "https://api.openai.com/v1"],
    [{ ...openai, region: "eu" }, "https://eu.api.openai.com/v1"],
    [{ ...openai, region: "us" }, "https://us.api.openai.com/v1"],
    [{ id: "r", kind: "openrouter", region: "eu" }, "https://eu.openrouter.ai/api/v1"],
    [{ ...openai, region: "eu", base_url: "https://o.example.org" }, "https://o.example.org"],
  ])("of %j leads to %s", (entry, address) => {
    expect(connectionOf(entry).baseUrl).toBe(address);
  });

  it("is refused where the kind has no address there", () => {
    const providers: ProviderEntry[] = [{ id: "a", kind: "anthropic", region: "eu" }];
    expect(() => check({ providers })).toThrow(/^providers\[0\]\.region: this kind has no known/);
  });

  it("must be one of the document's, where it names any", () => {
    const here = { ...openai, region: "eu" } as const;
    expect(() => check({ provider_regions: ["eu"], providers: [here] })).not.toThrow();
    const others: ProviderEntry[] = [openai, { ...openai, region: "us" }];
    for (const entry of others)
      expect(() =>
        check({ provider_regions: ["eu"], providers: [here, { ...entry, id: "x" }] }),
      ).toThrow(/^providers\[1\]\.region: this workspace allows eu only/);
  });
});
