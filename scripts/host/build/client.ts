/** The static files of pages: script, style, icon and documentation, each under a name with a fingerprint of its text. */
import { build, type BuildOptions } from "esbuild";
import { buildDocs, type DocsFiles } from "./docs/files.ts";
import { root } from "../paths.ts";
import { type StaticFile, staticFile } from "./static-file.ts";

const browser: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: "browser",
  format: "iife",
  target: ["chrome111", "firefox115", "safari16.4"],
  loader: { ".svg": "copy" },
  legalComments: "none",
  logLevel: "warning",
  write: false,
  outdir: "dist",
};

const sources = {
  script: { name: "app", kind: "js", entry: "src/dashboard/client/main.ts" },
  style: { name: "app", kind: "css", entry: "src/dashboard/client/style.css" },
  icon: { name: "icon", kind: "svg", entry: "src/dashboard/client/icon.svg" },
} as const;

/** What the dashboard uses a static file for. */
type StaticUse = keyof typeof sources;

/** Every static file, by its use. */
export interface StaticFiles extends Readonly<Record<StaticUse, StaticFile>> {
  readonly docs: DocsFiles;
}

/** Builds them out of what stands in src. */
export async function buildStaticFiles(): Promise<StaticFiles> {
  const [script, style, icon] = await Promise.all([
    built(sources.script),
    built(sources.style),
    built(sources.icon),
  ]);
  return { script, style, icon, docs: buildDocs({ style: style.file, icon: icon.file }) };
}

/** All of them, in no order. */
export function everyFile({ script, style, icon, docs }: StaticFiles): readonly StaticFile[] {
  const pages = Object.values(docs.pages).flatMap(({ html, markdown }) => [html, markdown]);
  return [script, style, icon, docs.unknown, ...pages];
}

/**
 * The constants that `src/dashboard/components/frame/assets.ts` and `src/dashboard/docs.ts` read. The longer one is a text of
 * JSON: esbuild puts objects into what every isolate loads, and texts where they are read.
 */
export function clientConstants(files: StaticFiles): Record<string, string> {
  const { script, style, icon, docs } = files;
  const pages = Object.entries(docs.pages).map(([page, { html, markdown }]) => [
    page,
    { html: html.file, markdown: markdown.file },
  ]);
  const docsFiles = { pages: Object.fromEntries(pages), unknown: docs.unknown.file };
  const names = { script: script.file, style: style.file, icon: icon.file };
  return {
    DASHBOARD_FILES: JSON.stringify(names),
    DOCS_FILES: JSON.stringify(JSON.stringify(docsFiles)),
  };
}

async function built(source: (typeof sources)[StaticUse]): Promise<StaticFile> {
  const { outputFiles } = await build({ ...browser, entryPoints: [source.entry] });
  const text = outputFiles?.[0]?.text ?? "";
  if (text === "") throw new Error(`nothing was built for ${source.entry}`);
  return staticFile(text, source);
}
