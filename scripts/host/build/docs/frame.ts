/** The HTML document round a page of the documentation. It needs no script; its colours are the system's or those chosen on the dashboard. */
import { docsPath } from "../../../../src/core/docs-address.ts";
import { escapeHtml } from "./escape.ts";
import type { DocsSource } from "./order.ts";
import type { DocsContent, DocsHeading } from "./render.ts";

/** Names of the static files that every page uses. */
export interface DocsLook {
  readonly style: string;
  readonly icon: string;
}

/** What a page is made of. */
interface FramedPage {
  readonly source: DocsSource;
  readonly content: DocsContent;
  /** Every page, in order. */
  readonly sources: readonly DocsSource[];
  readonly look: DocsLook;
}

/** A page with its contents and the list of all pages. */
export function frame({ source, content, sources, look }: FramedPage): string {
  const { page, title } = source;
  const plain = docsPath(`${page === "" ? "README" : page}.md`);
  const body = `<article class="prose">
<p class="docs-plain"><a href="${plain}">Plain Markdown</a></p>
${withContents(content)}</article>`;
  return htmlDocument({ title, body, page, sources, look });
}

/** What is shown where no page has the address: all that there are. */
export function unknownPage(sources: readonly DocsSource[], look: DocsLook): string {
  const body = `<article class="prose"><h1>Page not found</h1>
<p>The documentation has no page at this address. These are its pages:</p>
${pageList(sources)}</article>`;
  return htmlDocument({ title: "Page not found", body, page: undefined, sources, look });
}

interface WholePage extends Pick<FramedPage, "sources" | "look"> {
  readonly title: string;
  readonly body: string;
  /** Undefined: none of the list. */
  readonly page: string | undefined;
}

function htmlDocument({ title, body, page, sources, look }: WholePage): string {
  return `<!doctype html>
<html lang="en" data-theme="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} · Gateway</title>
<link rel="icon" href="/dashboard/assets/${look.icon}" type="image/svg+xml">
<link rel="stylesheet" href="/dashboard/assets/${look.style}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<div class="docs">
<header class="docs-head">
<a class="brand" href="${docsPath("")}">Documentation</a>
<a href="#pages" class="docs-jump">All pages</a>
<a href="/dashboard">Dashboard</a>
</header>
<main id="content" tabindex="-1">${body}</main>
<nav id="pages" class="docs-pages" aria-label="All pages" tabindex="-1">
<h2>All pages</h2>
${pageList(sources, page)}
</nav>
</div>
</body>
</html>
`;
}

/** The page with its contents below its title. */
function withContents({ html, headings }: DocsContent): string {
  const end = "</h1>\n";
  const place = html.indexOf(end) + end.length;
  return html.slice(0, place) + contents(headings) + html.slice(place);
}

const mostContents = 40;
/** Entries beyond which the contents would hide the page on a small screen: they are unfolded by hand. */
const mostOpen = 12;

/** Links to the page's sections; only to the first level if there are many. */
function contents(headings: readonly DocsHeading[]): string {
  const near = headings.filter(({ level }) => level <= 3);
  const shown = near.length > mostContents ? near.filter(({ level }) => level === 2) : near;
  if (shown.length < 2) return "";
  const rows = shown.map(
    ({ level, anchor, text }) =>
      `<li class="level-${level}"><a href="#${escapeHtml(anchor)}">${escapeHtml(text)}</a></li>`,
  );
  const open = shown.length > mostOpen ? "" : " open";
  return `<nav class="docs-contents" aria-label="On this page"><details${open}><summary>On this page</summary><ul>${rows.join("\n")}</ul></details></nav>
`;
}

function pageList(sources: readonly DocsSource[], current?: string): string {
  const rows = sources.map(({ page, title }) => {
    const mark = page === current ? ' aria-current="page"' : "";
    return `<li><a href="${docsPath(page)}"${mark}>${escapeHtml(title)}</a></li>`;
  });
  return `<ul>${rows.join("\n")}</ul>`;
}
