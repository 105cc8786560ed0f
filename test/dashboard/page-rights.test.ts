import { describe, expect, it } from "vitest";
import { dashboardApp } from "../../src/dashboard/app.tsx";
import { pageRight, pageRights } from "../../src/dashboard/page-rights.ts";

/** What the app serves: its middleware stands under `ALL`, the redirect of paths with a slash at the end under `/*`. */
function servedRoutes(): string[] {
  const app = dashboardApp(() => {
    throw new Error("nothing is served here");
  });
  return app.routes
    .filter(({ method, path }) => method !== "ALL" && !path.endsWith("*"))
    .map(({ method, path }) => `${method} ${path.slice("/dashboard".length)}`)
    .map((route) => (route.endsWith(" ") ? `${route}/` : route));
}

describe("the table of pages and their rights", () => {
  it("has a row for every route of the dashboard, and no other", () => {
    const rows = pageRights.map(([method, path]) => `${method} ${path}`);
    expect(new Set(rows).size, "rows are unique").toBe(rows.length);
    expect(rows.toSorted()).toEqual([...new Set(servedRoutes())].toSorted());
  });

  it("gives every route the right of its own row", () => {
    for (const [method, path, right] of pageRights)
      expect(pageRight(method, `/dashboard${path.replaceAll(/:\w+/g, "some-id")}`), path).toBe(
        right,
      );
  });

  it("leaves nothing that writes to a right that only reads, and little open", () => {
    const changing = pageRights.filter(([method]) => method === "POST");
    for (const [, path, right] of changing)
      // A dry run is a question with a body; one's own account is nobody else's.
      if (path !== "/harnesses/:id/routing/try" && !path.startsWith("/account/"))
        expect(["write", "write-own", "identified", "operator", "root", "open"], path).toContain(
          right,
        );
    const open = pageRights.filter(([, , right]) => right === "open").map(([, path]) => path);
    expect(new Set(open)).toEqual(
      new Set(["/assets/:file", "/device", "/sign-in", "/sign-out", "/theme"]),
    );
  });

  it("knows no path that is none of its rows", () => {
    for (const path of ["/nothing", "/harnesses/a/b/c/d/e", "/settings/token/more"])
      expect(pageRight("GET", `/dashboard${path}`)).toBeUndefined();
    expect(pageRight("DELETE", "/dashboard/harnesses/a")).toBeUndefined();
    expect(pageRight("HEAD", "/dashboard/settings")).toBe("read");
  });

  it("puts no word where an id stands that people choose", () => {
    // Ids of requests begin with `req_`, versions are numbers: no word can be one.
    const made = /^\/(?:requests|settings\/history)\/$/;
    const parents = pageRights.flatMap(([, path]) =>
      [...path.matchAll(/:\w+/g)].map(({ index }) => path.slice(0, index)),
    );
    const chosen = new Set(parents.filter((parent) => !made.test(parent)));
    const words = pageRights
      .map(([, path]) => path)
      .filter((path) => [...chosen].some((parent) => isWordUnder(parent, path)));
    expect(words).toEqual([]);
  });
});

/** Whether the path goes on with a fixed word where others have an id. */
function isWordUnder(parent: string, path: string): boolean {
  const named = (text: string) => text.replaceAll(/:\w+/g, ":");
  const rest = named(path).startsWith(named(parent))
    ? named(path).slice(named(parent).length)
    : undefined;
  return rest !== undefined && rest !== "" && !rest.startsWith(":");
}
