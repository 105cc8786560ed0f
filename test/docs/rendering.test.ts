/** Pages of the documentation as the gateway serves them. */
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildDocs } from "../../scripts/host/build/docs/files.ts";
import { renderMarkdown } from "../../scripts/host/build/docs/render.ts";

const { pages, unknown } = buildDocs({ style: "app.css", icon: "icon.svg" });

function rendered(text: string, page = "clients/codex"): string {
  return renderMarkdown(text, { page, pages: new Set(["", "errors", "clients/codex"]) }).html;
}

describe("the documentation", () => {
  it("has a page for every file of docs", () => {
    const names = readdirSync("docs", { recursive: true, encoding: "utf8" });
    const files = names.filter((name) => name.endsWith(".md")).map((name) => name.slice(0, -3));
    const expected = files.map((name) => (name === "README" ? "" : name));
    expect(Object.keys(pages).toSorted()).toEqual(expected.toSorted());
  });

  it("has an index that leads to every page of its first level", () => {
    const index = pages[""]?.markdown.text ?? "";
    const missing = Object.keys(pages).filter(
      (page) => page !== "" && !page.includes("/") && !index.includes(`(${page}.md)`),
    );
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(pages))("/docs/%s needs no script and names every page", (_, { html }) => {
    expect(html.text).not.toMatch(/<script|\son\w+=|<style|style="/);
    expect(html.text.match(/<h1/g)).toHaveLength(1);
    for (const page of Object.keys(pages)) expect(html.text).toContain(`href="/docs/${page}"`);
  });

  it("names every page where an address has none", () => {
    for (const page of Object.keys(pages)) expect(unknown.text).toContain(`href="/docs/${page}"`);
  });
});

describe("Markdown", () => {
  it("shows HTML as text and leaves comments out", () => {
    expect(rendered("a <img src=x onerror=alert(1)> b")).toContain("&lt;img src=x");
    expect(rendered("<script>alert(1)</script>")).not.toContain("<script");
    expect(rendered("<!-- run -->\n```sh\nls\n```").trim()).toBe(
      '<pre tabindex="0"><code>ls</code></pre>',
    );
  });

  it("leads to other pages where they are served, and to nothing outside of them", () => {
    expect(rendered("[a](../errors.md#m005)")).toContain('<a href="/docs/errors#m005">a</a>');
    expect(rendered("[a](../README.md)")).toContain('<a href="/docs/">a</a>');
    expect(rendered("[a](codex.md)")).toContain('<a href="/docs/clients/codex">a</a>');
    expect(rendered("[a](#here)")).toContain('<a href="#here">a</a>');
    expect(rendered("[a](https://example.com/x)")).toContain(
      '<a href="https://example.com/x">a</a>',
    );
    for (const target of ["../../README.md", "../../src/x.ts", "javascript:alert(1)", "none.md"])
      expect(rendered(`[a](${target})`)).not.toContain("<a ");
  });

  it("gives headings the anchors that GitHub gives", () => {
    const html = rendered("## What it *does*, and `how`\n\n## M005\n\n## M005");
    expect(html).toContain('<h2 id="what-it-does-and-how">');
    expect(html).toContain('<h2 id="m005">');
    expect(html).toContain('<h2 id="m005-1">');
  });
});
