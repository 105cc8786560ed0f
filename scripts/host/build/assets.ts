/** Puts the static files of pages where hosts find them. */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { everyFile, type StaticFiles } from "./client.ts";
import { distFolder } from "../paths.ts";

/** The folder that `wrangler.toml` names. */
export const assetsFolder = path.join(distFolder, "assets");

/** Writes every file for wrangler, then removes what an earlier build left there: all of the folder is deployed. */
export function writeAssets(files: StaticFiles, folder: string = assetsFolder): void {
  mkdirSync(folder, { recursive: true });
  const written = new Set<string>();
  for (const { file, text } of everyFile(files)) {
    const fresh = `${folder}.${file}.${process.pid}`;
    writeFileSync(fresh, text);
    renameSync(fresh, path.join(folder, file));
    written.add(file);
  }
  const stale = readdirSync(folder).filter((name) => !written.has(name));
  for (const name of stale) rmSync(path.join(folder, name), { recursive: true, force: true });
}

/** The constant that `assets/service.ts` reads. */
export function servedFiles(files: StaticFiles): Record<string, string> {
  const served = everyFile(files).map(({ file, text }) => [
    file,
    { text, gzip: gzipSync(text, { level: 9 }).toString("base64") },
  ]);
  return { STATIC_FILES: JSON.stringify(Object.fromEntries(served)) };
}
