/** The search knows every page of the documentation that users read, and no other. */
import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { problemCodes } from "../../src/core/problem.ts";
import { docsPages } from "../../src/dashboard/pages/search/docs-pages.ts";

/** For those who change the gateway. */
const ofContributors = /^(guide-|client-tests$)/;

function pagesIn(folder: string): string[] {
  return readdirSync(`docs/${folder}`)
    .filter((file) => file.endsWith(".md") && file !== "README.md")
    .map((file) => `${folder}${file.slice(0, -".md".length)}`);
}

describe("the pages that the search knows", () => {
  const known = new Set(docsPages.map(([, page]) => page));

  it("are all that users read", () => {
    const all = ["", "clients/", "providers/"].flatMap(pagesIn);
    const missing = all.filter((page) => !known.has(page) && !ofContributors.test(page));
    expect(missing).toEqual([]);
  });

  it("are there", () => {
    const dead = [...known].filter(
      (page) => !existsSync(`docs/${page === "" ? "README" : page}.md`),
    );
    expect(dead).toEqual([]);
  });

  it("explain every code", () => {
    const labels = docsPages.map(([label]) => label);
    for (const code of Object.values(problemCodes)) expect(labels).toContain(`Error ${code}`);
  });
});
