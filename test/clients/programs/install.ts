/** Installs programs from npm, each into a folder of its own. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { execute } from "../cli.ts";

/** What npm installs. */
export interface Wanted {
  packages: Readonly<Record<string, string>>;
  scripts?: readonly string[];
  command: string;
}

/** npm gave nothing: the machine has no way to the registry, or the registry does not have the version. */
export class NotInstalled extends Error {}

const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/;

/** Returns the folder of the commands. Nothing is fetched where these very versions are there already. */
export async function installProgram(folder: string, wanted: Wanted): Promise<string> {
  const { packages, scripts = [], command } = wanted;
  const allowScripts = Object.fromEntries(scripts.map((name) => [name, true]));
  const manifest = JSON.stringify({ private: true, dependencies: packages, allowScripts });
  const file = path.join(folder, "package.json");
  const bin = path.join(folder, "node_modules", ".bin");
  const same = existsSync(file) && readFileSync(file, "utf8") === manifest;
  if (same && existsSync(path.join(bin, command))) return bin;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, manifest);
  const args = ["install", "--no-audit", "--no-fund"];
  const { code, output } = await execute("npm", args, { cwd: folder, env: process.env });
  if (code === 0) return bin;
  const why = unreachable.test(output) ? "npm's registry cannot be reached" : "npm failed";
  throw new NotInstalled(`${Object.keys(packages).join(", ")}: ${why}\n${output.slice(-1000)}`);
}
