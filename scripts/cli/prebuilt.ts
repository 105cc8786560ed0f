/** The modules of a host that the package brings along, beside the command. */
import { copyFileSync, chmodSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { HostModules } from "../host/build/bundle.ts";
import { ownerOnly } from "../host/state/private-files.ts";

const built = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const chunks = "chunks";

/** Copies them into the folder: an update of the package takes nothing from a gateway that runs. */
export function copyModules(folder: string): HostModules {
  rmSync(path.join(folder, chunks), { recursive: true, force: true });
  mkdirSync(path.join(folder, chunks), { recursive: true, mode: ownerOnly.folder });
  const copy = (name: string): string => {
    const file = path.join(folder, name);
    rmSync(file, { force: true });
    copyFileSync(path.join(built, name), file);
    chmodSync(file, ownerOnly.file);
    return file;
  };
  const names = readdirSync(path.join(built, chunks)).filter((name) => name.endsWith(".js"));
  return {
    chunkFiles: names.map((name) => copy(path.join(chunks, name))),
    kvFile: copy("kv.js"),
    assetsFile: copy("assets.js"),
    workerFile: copy("worker.js"),
  };
}
