/** The build: one self-contained ES module for the worker and one for the launcher's KV service. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type BuildOptions } from "esbuild";
import { clientConstants } from "./client.ts";
import { distFolder, packageVersion, root } from "./paths.ts";

export type Edition = "product" | "bench";

const workerd: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  target: "es2023",
  platform: "browser",
  mainFields: ["browser", "module", "main"],
  conditions: ["workerd", "worker", "browser"],
  external: ["cloudflare:*", "node:*"],
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

/** Builds the worker; the bench edition has the rate and concurrency limits compiled out. Returns the file. */
export async function bundleWorker(edition: Edition = "product"): Promise<string> {
  const file = path.join(distFolder, edition === "product" ? "worker.js" : "worker.bench.js");
  await write(file, await workerOptions(edition));
  return file;
}

/**
 * How the worker is built. What the runtime calls by name survives the minifier: exports (classes of objects) and
 * members (their methods). The source map lies beside the bundle: `npm run trace` reads a log's positions with it.
 */
export async function workerOptions(edition: Edition): Promise<BuildOptions> {
  return {
    ...workerd,
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    entryPoints: ["src/worker.ts"],
    define: {
      __LIMITS__: String(edition === "product"),
      __VERSION__: JSON.stringify(packageVersion()),
      ...(await clientConstants()),
    },
  };
}

/** The text of one module of src with all that it imports, for tests that run it in workerd. */
export async function bundledModule(entry: string): Promise<string> {
  const { outputFiles } = await build({
    ...workerd,
    entryPoints: [entry],
    sourcemap: "inline",
    define: {
      __LIMITS__: "true",
      __VERSION__: JSON.stringify(packageVersion()),
      ...(await clientConstants()),
    },
    outfile: path.join(distFolder, "test.js"),
    write: false,
  });
  const [code] = outputFiles;
  if (code === undefined) throw new Error(`nothing was built for ${entry}`);
  return code.text;
}

/** Builds the launcher's KV service. Returns the file. */
export async function bundleKvService(): Promise<string> {
  const file = path.join(distFolder, "kv.js");
  await write(file, { ...workerd, entryPoints: ["scripts/host/kv/service.ts"] });
  return file;
}

/** Into place in one step: a host that starts meanwhile reads the old file or the new one, never half of one. */
async function write(file: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({ ...options, outfile: file, write: false });
  if (outputFiles.length === 0) throw new Error(`nothing was built for ${file}`);
  mkdirSync(path.dirname(file), { recursive: true });
  for (const { path: place, contents } of outputFiles) {
    const fresh = `${place}.${process.pid}`;
    writeFileSync(fresh, contents);
    renameSync(fresh, place);
  }
}
