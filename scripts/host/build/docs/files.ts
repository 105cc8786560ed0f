/** The documentation as static files: each page of `docs/` as HTML and as it was written. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../paths.ts";
import { type StaticFile, staticFile } from "../static-file.ts";
import { type DocsSource, orderedPages } from "./order.ts";
import { renderMarkdown } from "./render.ts";
import { type DocsLook, frame, unknownPage } from "./frame.ts";

/** A page as it is served. */
interface DocsFile {
  readonly html: StaticFile;
  readonly markdown: StaticFile;
}

/** Every page by its name, the index under the empty one, and what is shown where there is none. */
export interface DocsFiles {
  readonly pages: Readonly<Record<string, DocsFile>>;
  readonly unknown: StaticFile;
}

const indexFile = "README.md";

/** Builds them from `docs/`. */
export function buildDocs(look: DocsLook, folder: string = path.join(root, "docs")): DocsFiles {
  const sources = orderedPages(readSources(folder));
  const pages = new Set(sources.map(({ page }) => page));
  const files = sources.map((source): [string, DocsFile] => {
    const content = renderMarkdown(source.text, { page: source.page, pages });
    const html = frame({ source, content, sources, look });
    return [source.page, { html: named(source, html), markdown: named(source, source.text, "md") }];
  });
  const unknown = staticFile(unknownPage(sources, look), { name: "docs", kind: pageKind });
  return { pages: Object.fromEntries(files), unknown };
}

/** No name that ends in `.html`: hosts of static files lead such addresses elsewhere. */
const pageKind = "page";

function named({ page }: DocsSource, text: string, kind = pageKind): StaticFile {
  const name = page === "" ? "docs-index" : `docs-${page.replaceAll("/", "-")}`;
  return staticFile(text, { name, kind });
}

function readSources(folder: string): DocsSource[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .map((name) => name.split(path.sep).join("/"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => {
      const text = readFileSync(path.join(folder, name), "utf8");
      return { page: pageOf(name), title: titleOf(text, name), text };
    });
}

function pageOf(name: string): string {
  return name === indexFile ? "" : name.slice(0, -".md".length);
}

/** The first heading. */
function titleOf(text: string, name: string): string {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`docs/${name} has no title`);
  return title.replaceAll("`", "");
}
