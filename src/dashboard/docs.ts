/** The documentation that the gateway itself serves: pages as HTML and as Markdown, for everybody. */
import { type Context, Hono } from "hono";
import { docsPath } from "../core/docs-address.ts";
import { namesTag } from "../lib/if-none-match.ts";
import { ownHostOnly, safeHeaders } from "../sign-in/guard.ts";
import type { Env } from "../store/env.ts";
import { storedFile } from "./components/frame/assets.ts";
import type { Theme } from "./shared/page-context.ts";
import { themeOf } from "./theme.ts";

/** The JSON of DocsFileNames. Written by the build. */
declare const DOCS_FILES: string | undefined;

/** Static files of the pages by their names, and of the page for unknown addresses. */
interface DocsFileNames {
  readonly pages: Readonly<Record<string, { readonly html: string; readonly markdown: string }>>;
  readonly unknown: string;
}

const none: DocsFileNames = { pages: {}, unknown: "" };
const files = typeof DOCS_FILES === "string" ? (JSON.parse(DOCS_FILES) as DocsFileNames) : none;

/** A static file, and what it is. */
interface Served {
  readonly file: string;
  readonly type: "text/html" | "text/markdown";
}

/** By path, decoded from nothing: a path is one of these, spelt so, or there is none. */
const served: ReadonlyMap<string, Served> = new Map(
  Object.entries(files.pages).flatMap(([page, { html, markdown }]): [string, Served][] => [
    [docsPath(page), { file: html, type: "text/html" }],
    [docsPath(`${page === "" ? "README" : page}.md`), { file: markdown, type: "text/markdown" }],
  ]),
);

/** Mounted at the root: its paths are `/docs` and below. */
export function docsApp(): Hono<{ Bindings: Env }> {
  const app = new Hono<{ Bindings: Env }>();
  app.use("/docs/*", safeHeaders);
  app.use("/docs/*", ownHostOnly);
  app.get("/docs/*", async (c) => {
    const { pathname } = new URL(c.req.url);
    const found = served.get(pathname);
    if (found !== undefined) return await answerFile(c, found);
    const meant = meantPath(pathname);
    if (meant !== undefined) return c.redirect(meant, 308);
    return await answerFile(c, { file: files.unknown, type: "text/html" }, 404);
  });
  app.all("/docs/*", (c) => c.text("Pages are read with GET.\n", 405, { Allow: "GET, HEAD" }));
  return app;
}

/** The page that an address with another end means: without the index's slash, or with one too many. */
function meantPath(pathname: string): string | undefined {
  if (pathname === "/docs" || pathname === docsPath("README")) return docsPath("");
  const plain = pathname.replace(/\/$/, "");
  return served.has(plain) ? plain : undefined;
}

/** Browsers ask each time whether their copy still holds: an address outlives its text. */
async function answerFile(
  c: Context<{ Bindings: Env }>,
  { file, type }: Served,
  status = 200,
): Promise<Response> {
  const theme = type === "text/html" ? themeOf(c) : "auto";
  const tag = `W/"${file}${theme === "auto" ? "" : `-${theme}`}"`;
  const headers = { "Cache-Control": "no-cache", ETag: tag, Vary: "Accept-Encoding, Cookie" };
  if (status === 200 && namesTag(c.req.header("If-None-Match"), tag))
    return new Response(null, { status: 304, headers });
  // A chosen theme is written into the page, which is stored compressed too.
  const accepted = theme === "auto" ? (c.req.header("Accept-Encoding") ?? "") : "identity";
  const { body, encoding } = await storedFile(c.env, file, accepted);
  const page = theme === "auto" ? body : inTheme(await new Response(body).text(), theme);
  return new Response(page, {
    status,
    headers: { ...headers, ...encoding, "Content-Type": `${type}; charset=utf-8` },
  });
}

/** The page in the colours that its reader chose on the dashboard. */
function inTheme(html: string, theme: Theme): string {
  return html.replace('data-theme="auto"', `data-theme="${theme}"`);
}
