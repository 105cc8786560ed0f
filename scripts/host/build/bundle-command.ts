/** The build of the packaged command: one plain JavaScript file that needs only workerd. */
import { chmodSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { distFolder, packageVersion, root } from "../paths.ts";

/** What `bin` in package.json names. */
export const commandFile = path.join(distFolder, "cli", "gateway.js");

/** CommonJS packages that are bundled ask for Node's own modules by `require`. */
const banner = `#!/usr/bin/env node
import { createRequire as makeRequire } from "node:module";
const require = makeRequire(import.meta.url);`;

/** Builds it into the dist folder. */
export async function bundleCommand(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ["scripts/cli/gateway.ts"],
    outfile: commandFile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    mainFields: ["module", "main"],
    // The package has no sources: what builds from them stays out, and is never reached.
    external: ["workerd", "*/host/bundle.ts", "*/host/client.ts"],
    banner: { js: banner },
    minify: true,
    keepNames: true,
    legalComments: "eof",
    define: { __LIMITS__: "true", __VERSION__: JSON.stringify(packageVersion()) },
    logLevel: "warning",
  });
  chmodSync(commandFile, 0o755);
}
