/** The menu shows where somebody is. */
import { describe, expect, it } from "vitest";
import { isCurrent } from "../../src/dashboard/components/frame/layout.tsx";
import { mainMenu } from "../../src/dashboard/navigation.ts";

const words = { holder: "harness", Holder: "Harness", Holders: "Harnesses" } as const;
const menu = mainMenu(words, () => true, {});

describe("the current entry of the menu", () => {
  it.each([
    ["/dashboard", "Overview"],
    ["/dashboard/providers", "Providers"],
    ["/dashboard/providers/lab/delete", "Providers"],
    ["/dashboard/add-provider", "Providers"],
    ["/dashboard/local-servers", "Providers"],
    ["/dashboard/settings/history", "Settings"],
  ])("of %s is %s", (path, label) => {
    const current = menu.filter((item) => isCurrent(path, item));
    expect(current.map((item) => item.label)).toEqual([label]);
  });

  it("is none on a page that belongs to no entry", () => {
    expect(menu.filter((item) => isCurrent("/dashboard/account", item))).toEqual([]);
  });
});
