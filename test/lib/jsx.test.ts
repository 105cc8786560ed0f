import { raw } from "hono/html";
import { describe, expect, it } from "vitest";
import { Fragment, jsx } from "../../src/lib/jsx/jsx-runtime.ts";

const evil = `"><script>alert('1')</script>&`;
const harmless = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;";

describe("JSX", () => {
  it("escapes texts and values of attributes, however deep", () => {
    const inner = jsx("b", { title: evil, children: [evil, [evil, 7]] });
    expect(String(jsx("p", { children: inner }))).toBe(
      `<p><b title="${harmless}">${harmless}${harmless}7</b></p>`,
    );
  });

  it("takes as HTML what is HTML, and nothing that claims to be", () => {
    const claim = { isEscaped: true, toString: () => evil };
    const children = [raw("<hr/>"), claim];
    expect(String(Fragment({ children }))).toBe(`<hr/>${harmless}`);
    expect(String(jsx("a", { href: claim }))).toBe(`<a href="${harmless}"></a>`);
  });

  it("writes attributes that are there or not, and those whose value is a word", () => {
    const props = { disabled: true, hidden: false, title: undefined, id: null, value: 0, alt: "" };
    expect(String(jsx("input", props))).toBe(`<input disabled="" value="0" alt=""/>`);
    const words = { "aria-hidden": true, "data-open": false, spellcheck: false };
    expect(String(jsx("i", words))).toBe(
      `<i aria-hidden="true" data-open="false" spellcheck="false"></i>`,
    );
  });

  it("leaves out what is nothing", () => {
    expect(String(jsx("p", { children: [null, undefined, true, false, 0, ""] }))).toBe("<p>0</p>");
  });

  it("calls components with their children; a text that one returns is a text", () => {
    const Framed = ({ children }: Readonly<Record<string, unknown>>) => jsx("div", { children });
    expect(String(jsx(Framed, { children: evil }))).toBe(`<div>${harmless}</div>`);
    expect(String(jsx("p", { children: jsx(() => evil, {}) }))).toBe(`<p>${harmless}</p>`);
    expect(String(jsx("p", { children: jsx(() => null, {}) }))).toBe("<p></p>");
  });

  it("waits for parts that are promises, in their place", async () => {
    const Late = async () => jsx("b", { children: evil });
    const page = jsx("p", { children: ["1", jsx(Late, {}), Promise.resolve(evil), "2"] });
    expect(String(await page)).toBe(`<p>1<b>${harmless}</b>${harmless}2</p>`);
    await expect(jsx("p", { children: Promise.reject(new Error("no")) })).rejects.toThrow("no");
  });
});
