// Runs a TypeScript script on plain Node: bundled by esbuild into node_modules/.cache, then imported in this process.
//   node scripts/run.mjs scripts/<name>.ts [arguments]
import { mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// Before anything that an old Node cannot run: package.json says the same, but npm only warns.
const least = [20, 19];
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < least[0] || (major === least[0] && minor < least[1])) {
  console.error(
    `Node ${process.versions.node} is too old. Install Node ${least.join(".")} or newer.`,
  );
  process.exit(1);
}
const { build } = await import("esbuild");

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const entry = process.argv[2];
if (entry === undefined) {
  console.error("usage: node scripts/run.mjs <script.ts> [arguments]");
  process.exit(2);
}
const cache = path.join(root, "node_modules", ".cache", "scripts");
mkdirSync(cache, { recursive: true });
// One file a process: two runs of the same script never read each other's half-written bundle.
const outfile = path.join(cache, `${path.basename(entry, ".ts")}-${process.pid}.mjs`);
await build({
  absWorkingDir: root,
  entryPoints: [path.resolve(entry)],
  outfile,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  sourcemap: "inline",
  define: { __LIMITS__: "true", __VERSION__: '"script"' },
  logLevel: "warning",
});
process.on("exit", () => rmSync(outfile, { force: true }));
process.setSourceMapsEnabled(true);
process.argv.splice(1, 2, path.resolve(entry));
await import(pathToFileURL(outfile).href);
