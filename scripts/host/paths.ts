/** Where things lie in the project. */
import { readFileSync } from "node:fs";
import path from "node:path";

/** npm scripts, tests and CI all run in the project's root. */
export const root = process.cwd();

export const devVarsFile = path.join(root, ".dev.vars");
export const distFolder = path.join(root, "dist");

/** The version in package.json. */
export function packageVersion(): string {
  const text = readFileSync(path.join(root, "package.json"), "utf8");
  // package.json is npm's own file: it always has a version.
  return (JSON.parse(text) as { version: string }).version;
}
