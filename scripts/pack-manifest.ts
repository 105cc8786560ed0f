/**
 * Round `npm pack`: `strip` leaves in package.json what the package needs where it is installed, `restore` brings the
 * project's own back. What a clone builds from is bundled in the package, so that it depends only on workerd.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { distFolder, root } from "./host/paths.ts";

const manifestFile = path.join(root, "package.json");
const kept = path.join(distFolder, "package.json.original");

/** Members that mean nothing where the package is installed. */
const forClones: ReadonlySet<string> = new Set(["devDependencies", "scripts", "allowScripts"]);

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

function strip(): void {
  if (existsSync(kept)) restore();
  const text = readFileSync(manifestFile, "utf8");
  const manifest = JSON.parse(text) as Manifest;
  const rest = Object.entries(manifest).filter(([name]) => !forClones.has(name));
  const { workerd } = manifest.dependencies;
  if (workerd === undefined) throw new Error("package.json does not name workerd");
  writeFileSync(kept, text);
  put(`${JSON.stringify({ ...Object.fromEntries(rest), dependencies: { workerd } }, null, 2)}\n`);
}

function restore(): void {
  put(readFileSync(kept, "utf8"));
  renameSync(kept, `${kept}.restored`);
}

/** Into place in one step: another command may read it at any time. */
function put(text: string): void {
  const fresh = `${manifestFile}.${process.pid}`;
  writeFileSync(fresh, text);
  renameSync(fresh, manifestFile);
}

if (process.argv[2] === "strip") strip();
else if (existsSync(kept)) restore();
