/** The build: ES modules for the worker, and a self-contained one for each of the launcher's services. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type BuildOptions } from "esbuild";
import { servedFiles } from "./assets.ts";
import { buildStaticFiles, clientConstants, type StaticFiles } from "./client.ts";
import { distFolder, packageVersion, root } from "../paths.ts";
import { ownerOnly } from "../state/private-files.ts";

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
  /** What the worker's file imports, some of it when it is first asked for. */
  readonly chunkFiles: readonly string[];
}

/** The modules of its services. */
export interface HostServices {
  readonly kvFile: string;
  readonly assetsFile: string;
}

/** Builds all that a host runs into a folder; the bench edition has the rate and concurrency limits compiled out. */
export async function bundleHost(
  files: StaticFiles,
  { folder = distFolder, edition = "product" }: { folder?: string; edition?: Edition } = {},
): Promise<HostModules> {
  const [services, { outputFiles }] = await Promise.all([
    writeServices(files, folder),
    build(workerOptions(files, edition)),
  ]);
  const built = outputFiles.map(({ path: place, contents }) => ({
    file: path.join(folder, path.relative(distFolder, place)),
    contents,
  }));
  const workerFile = path.join(folder, "worker.js");
  // The entry last: whoever reads it finds all that it imports.
  built.sort((a, b) => Number(a.file === workerFile) - Number(b.file === workerFile));
  for (const { file, contents } of built) put(file, contents);
  const written = new Set(built.map(({ file }) => file));
  removeOthers(path.join(folder, chunksFolder), written);
  const chunkFiles = [...written].filter((file) => file.endsWith(".js") && file !== workerFile);
  return { workerFile, chunkFiles, ...services };
}

/** Builds the launcher's services alone. */
export async function bundleServices(): Promise<HostServices> {
  return await writeServices(await buildStaticFiles(), distFolder);
}

async function writeServices(files: StaticFiles, folder: string): Promise<HostServices> {
  const services = {
    kvFile: path.join(folder, "kv.js"),
    assetsFile: path.join(folder, "assets.js"),
  };
  const assets = { entryPoints: ["scripts/host/assets/service.ts"], define: servedFiles(files) };
  await Promise.all([
    write(services.kvFile, { ...workerd, entryPoints: ["scripts/host/kv/service.ts"] }),
    write(services.assetsFile, { ...workerd, ...assets }),
  ]);
  return services;
}

/** What the worker's entry imports lies here, under names that hold a fingerprint. `wrangler.toml` names it too. */
const chunksFolder = "chunks";

/**
 * How the worker is built: an entry, and chunks that it imports, at once or when they are first asked for. What the
 * runtime calls by name survives the minifier: exports (classes of objects) and members (their methods). Source maps lie
 * beside the modules: `npm run trace` reads a log's positions with them.
 */
export function workerOptions(
  files: StaticFiles,
  edition: Edition = "product",
): BuildOptions & { readonly write: false } {
  return {
    ...workerd,
    splitting: true,
    outdir: distFolder,
    chunkNames: `${chunksFolder}/[name]-[hash]`,
    write: false,
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

/** A service is one module. */
async function write(file: string, options: BuildOptions): Promise<void> {
  const { outputFiles } = await build({ ...options, outfile: file, write: false });
  const [code] = outputFiles;
  if (code === undefined) throw new Error(`nothing was built for ${file}`);
  put(file, code.contents);
}

/**
 * Into place in one step: a host that starts meanwhile reads the old file or the new one, never half of one. Like
 * everything in a state, modules are their owner's alone: whoever could change them would change what runs.
 */
function put(file: string, contents: Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: ownerOnly.folder });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, contents, { mode: ownerOnly.file });
  renameSync(fresh, file);
}

/** What an earlier build left in the folder: all of it is deployed. */
function removeOthers(folder: string, kept: ReadonlySet<string>): void {
  const stale = readdirSync(folder).map((name) => path.join(folder, name));
  for (const file of stale) if (!kept.has(file)) rmSync(file, { force: true });
}
