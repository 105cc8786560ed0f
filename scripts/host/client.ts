/** The dashboard's script and style, bundled into the texts that the worker serves. */
import { build, type BuildOptions } from "esbuild";
import { root } from "./paths.ts";

const browser: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: "browser",
  format: "iife",
  target: ["chrome111", "firefox115", "safari16.4"],
  legalComments: "none",
  logLevel: "warning",
  write: false,
  outdir: "dist",
};

/** The constants that `src/dashboard/components/assets.ts` reads. */
export async function clientConstants(): Promise<Record<string, string>> {
  const [script, style] = await Promise.all([
    text("src/dashboard/client/main.ts"),
    text("src/dashboard/client/style.css"),
  ]);
  return {
    DASHBOARD_SCRIPT: JSON.stringify(script),
    DASHBOARD_STYLE: JSON.stringify(style),
  };
}

async function text(entry: string): Promise<string> {
  const { outputFiles } = await build({ ...browser, entryPoints: [entry] });
  return outputFiles?.[0]?.text ?? "";
}
