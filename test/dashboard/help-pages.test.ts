/** Every page of the dashboard leads to a page of the documentation that is there. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Anchors } from "../../scripts/host/build/docs/anchors.ts";
import { helpFor, providerGuide } from "../../src/dashboard/shared/help-pages.ts";
import { mainMenu } from "../../src/dashboard/navigation.ts";
import { knownKinds } from "../../src/providers/catalogue/kinds.ts";
import { pageRights } from "../../src/dashboard/page-rights.ts";

const words = { holder: "harness", Holder: "Harness", Holders: "Harnesses" } as const;
const menu = mainMenu(words, () => true, {});

/** Whether the address names a file of docs, and a heading in it. */
function leadsSomewhere(address: string): boolean {
  const [place = "", anchor] = address.replace("/docs/", "").split("#");
  const file = `docs/${place === "" ? "README" : place}.md`;
  if (!existsSync(file)) return false;
  const headings = [...readFileSync(file, "utf8").matchAll(/^#{2,6} (.+)$/gm)];
  const anchors = new Anchors();
  const known = headings.map(([, text = ""]) => anchors.of(text));
  return anchor === undefined || known.includes(anchor);
}

describe("the documentation of pages", () => {
  it.each(menu.map(({ label, path }) => ({ label, path })))("$label has its own", ({ path }) => {
    expect(helpFor(path)).not.toBe("/docs/");
    expect(leadsSomewhere(helpFor(path)), helpFor(path)).toBe(true);
  });

  it("is there for every page that can be opened", () => {
    const pages = pageRights.filter(([method]) => method === "GET").map(([, path]) => path);
    const dead = pages
      .map((path) => helpFor(`/dashboard${path}`))
      .filter((to) => !leadsSomewhere(to));
    expect(dead).toEqual([]);
  });

  it.each(knownKinds)("is the guide to %s on its provider's pages", (kind) => {
    expect(leadsSomewhere(providerGuide(kind))).toBe(true);
  });

  it("is a page's own where one above it has another", () => {
    expect(helpFor("/dashboard/settings/audit")).toBe("/docs/security#the-audit-log");
    expect(helpFor("/dashboard/settings/token")).toBe("/docs/configuration#the-document");
    expect(helpFor("/dashboard/add-provider")).toBe("/docs/providers");
    expect(helpFor("/dashboard/harnesses/code")).toBe("/docs/configuration#a-harness");
    expect(helpFor("/dashboard/harnesses/code/routing/forget")).toBe("/docs/routing");
    expect(helpFor("/dashboard/harnesses/code/limits")).toBe("/docs/limits#limits-that-you-set");
    expect(helpFor("/dashboard/harnesses/limits")).toBe("/docs/configuration#a-harness");
    expect(helpFor("/dashboard")).toBe("/docs/faq");
  });
});
