/** Every provider of the catalogue has its guide in the index; that its facts are the catalogue's, generated.test.ts checks. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { knownKinds, recordOf } from "../../src/providers/catalogue/kinds.ts";

it("the index of providers names every kind once, with its name and guide", () => {
  const index = readFileSync("docs/providers.md", "utf8");
  for (const kind of knownKinds)
    expect(index.split(`[${recordOf(kind)?.name}](providers/${kind}.md)`).length, kind).toBe(2);
});
