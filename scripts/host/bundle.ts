/** The build: one self-contained ES module for the worker and one for each of the launcher's services. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type BuildOptions } from "esbuild";
import { servedFiles } from "./assets.ts";
import { buildStaticFiles, clientConstants, type StaticFiles } from "./client.ts";
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

/** The modules of a host, as files. */
export interface HostModules extends HostServices {
  readonly workerFile: string;
}

/** The modules of its services. */
export interface HostServices {
  readonly kvFile: string;
  readonly assetsFile: string;
}

/** Builds all that a host runs; the bench edition has the rate and concurrency limits compiled out. */
export async function bundleHost(
  files: StaticFiles,
  edition: Edition = "product",
): Promise<HostModules> {
  const workerFile = path.join(distFolder, edition === "product" ? "worker.js" : "worker.bench.js");
  const [services] = await Promise.all([
    writeServices(files),
    write(workerFile, workerOptions(files, edition)),
  ]);
  return { workerFile, ...services };
}

/** Builds the launcher's services alone. */
export async function bundleServices(): Promise<HostServices> {
  return await writeServices(await buildStaticFiles());
}

async function writeServices(files: StaticFiles): Promise<HostServices> {
  const services = {
    kvFile: path.join(distFolder, "kv.js"),
    assetsFile: path.join(distFolder, "assets.js"),
  };
  const assets = { entryPoints: ["scripts/host/assets/service.ts"], define: servedFiles(files) };
  await Promise.all([
    write(services.kvFile, { ...workerd, entryPoints: ["scripts/host/kv/service.ts"] }),
    write(services.assetsFile, { ...workerd, ...assets }),
  ]);
  return services;
}

/**
 * How the worker is built. What the runtime calls by name survives the minifier: exports (classes of objects) and
 * members (their methods). The source map lies beside the bundle: `npm run trace` reads a log's positions with it.
 */
export function workerOptions(files: StaticFiles, edition: Edition = "product"): BuildOptions {
  return {
    ...workerd,
    minify: true,
    sourcemap: "linked",
    sourcesContent: false,
    entryPoints: ["src/worker.ts"],
    define: {
      __LIMITS__: String(edition === "product"),
      __VERSION__: JSON.stringify(packageVersion()),
      ...clientConstants(files),
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
      ...clientConstants(await buildStaticFiles()),
    },
    outfile: path.join(distFolder, "test.js"),
    write: false,
  });
  const [code] = outputFiles;
  if (code === undefined) throw new Error(`nothing was built for ${entry}`);
  return code.text;
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
