/** Markdown of the documentation as HTML. HTML in it is text; links to other pages lead to where they are served. */
import { Marked, type RendererObject, type Tokens } from "marked";
import { docsPath } from "../../../../src/core/docs-address.ts";
import { Anchors } from "./anchors.ts";
import { escapeHtml } from "./escape.ts";

/** A heading below the title. */
export interface DocsHeading {
  readonly level: number;
  readonly anchor: string;
  /** Without marks. */
  readonly text: string;
}

/** A page's content. */
export interface DocsContent {
  readonly html: string;
  readonly headings: readonly DocsHeading[];
}

/** Which page it is, and which there are. */
interface RenderedPage {
  readonly page: string;
  readonly pages: ReadonlySet<string>;
}

/** Renders one page. */
export function renderMarkdown(text: string, rendered: RenderedPage): DocsContent {
  const headings: DocsHeading[] = [];
  const marked = new Marked({ gfm: true, renderer: rendererOf(rendered, headings) });
  return { html: marked.parse(text, { async: false }), headings };
}

function rendererOf(rendered: RenderedPage, headings: DocsHeading[]): RendererObject {
  const anchors = new Anchors();
  return {
    // Comments are for those who edit the page.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text.replaceAll(/<!--.*?-->/gs, "")),
    heading({ tokens, depth, text }) {
      const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
      const anchor = anchors.of(text);
      if (depth > 1) headings.push({ level: depth, anchor, text: unescaped(plain) });
      return `<h${depth} id="${escapeHtml(anchor)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      const target = targetOf(href, rendered);
      return target === undefined ? words : `<a href="${escapeHtml(target)}">${words}</a>`;
    },
    // Pictures lie beside the pages and are not served.
    image: ({ text }) => escapeHtml(text),
    // Both may be wider than the page: they scroll by themselves, by the keyboard too.
    code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
    table({ header, rows }) {
      const head = header.map(
        (cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`,
      );
      const body = rows.map((row) => {
        const cells = row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`);
        return `<tr>${cells.join("")}</tr>`;
      });
      return `<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>\n`;
    },
  };
}

/** Where the pages lie, so that a link out of their folder is seen as one. */
const folder = new URL("https://repository/docs/");

/** Where a link leads; undefined: to a file that is not served. */
function targetOf(href: string, { page, pages }: RenderedPage): string | undefined {
  if (/^(https?:|mailto:)/.test(href)) return href;
  if (href.startsWith("#")) return href;
  if (href.startsWith("/dashboard")) return href;
  const { pathname, hash } = new URL(href, `${folder.href}${page}`);
  if (!pathname.startsWith(folder.pathname)) return undefined;
  const name = pathname.slice(folder.pathname.length).replace(/\.md$/, "");
  const linked = name === "README" ? "" : name;
  if (!pathname.endsWith(".md") || !pages.has(linked)) return undefined;
  return docsPath(linked) + hash;
}

function unescaped(html: string): string {
  return html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
