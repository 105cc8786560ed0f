/** Every link of the documentation leads somewhere, to the heading that it names too. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { Anchors } from "../../scripts/host/build/docs/anchors.ts";

const files = [
  ...readdirSync(".").filter((name) => name.endsWith(".md")),
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((name) =>
    path.join("docs", name),
  ),
].filter((name) => name.endsWith(".md"));

/** Code is no place for links and headings. */
function proseOf(file: string): string {
  return readFileSync(file, "utf8")
    .replace(/^```.*?^```/gms, "")
    .replace(/`[^`\n]*`/g, (code) => code.replaceAll(/[[\]]/g, ""));
}

/** Anchors of a file's headings, as GitHub makes them. */
function anchorsOf(file: string): ReadonlySet<string> {
  const headings = [...proseOf(file).matchAll(/^#{1,6} (.+)$/gm)].map(([, text = ""]) => text);
  const anchors = new Anchors();
  return new Set(headings.map((text) => anchors.of(text)));
}

/** Links within the project, with where they stand. */
function localLinks(file: string): { text: string; target: string; anchor: string }[] {
  const links = [...proseOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [place = "", anchor = ""] = link.split("#", 2);
      const target = place === "" ? file : path.join(path.dirname(file), place);
      return { text: `${file}: ${link}`, target, anchor };
    });
}

it("links lead to files and headings that there are", () => {
  const links = files.flatMap(localLinks);
  expect(links.length).toBeGreaterThan(30);
  const dead = links.filter(
    ({ target, anchor }) =>
      !existsSync(target) || (anchor !== "" && !anchorsOf(target).has(anchor)),
  );
  expect(dead.map(({ text }) => text)).toEqual([]);
});
