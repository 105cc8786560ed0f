/** The dashboard's static files: its script, style and icon, each under a name that holds a fingerprint of its text. */
import { createHash } from "node:crypto";
import { build, type BuildOptions } from "esbuild";
import { root } from "./paths.ts";

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

/** A static file as it is served. */
export interface StaticFile {
  /** Browsers may cache what they got under this name for ever. */
  readonly file: string;
  readonly text: string;
}

/** Every static file, by its use. */
export type StaticFiles = Readonly<Record<StaticUse, StaticFile>>;

/** Builds them out of what stands in src. */
export async function buildStaticFiles(): Promise<StaticFiles> {
  const [script, style, icon] = await Promise.all([
    staticFile(sources.script),
    staticFile(sources.style),
    staticFile(sources.icon),
  ]);
  return { script, style, icon };
}

/** The constant that `src/dashboard/components/assets.ts` reads. */
export function clientConstants(files: StaticFiles): Record<string, string> {
  const names = Object.entries(files).map(([use, { file }]) => [use, file]);
  return { DASHBOARD_FILES: JSON.stringify(Object.fromEntries(names)) };
}

async function staticFile(source: (typeof sources)[StaticUse]): Promise<StaticFile> {
  const { outputFiles } = await build({ ...browser, entryPoints: [source.entry] });
  const text = outputFiles?.[0]?.text ?? "";
  if (text === "") throw new Error(`nothing was built for ${source.entry}`);
  return { file: `${source.name}-${fingerprint(text)}.${source.kind}`, text };
}

function fingerprint(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
