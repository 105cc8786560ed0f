/**
 * `npm run check`: types, lint, format, dead code and structure, side by side. Prints what failed. Compilers and knip
 * keep what they know of unchanged files in node_modules/.cache.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "./host/paths.ts";

const checks: Record<string, string[]> = {
  "types of what runs in workerd": ["tsc", "-p", "tsconfig.json"],
  "types of what runs in browsers": ["tsc", "-p", "src/dashboard/client/tsconfig.json"],
  "types of scripts and tests": ["tsc", "-p", "test/tsconfig.json"],
  lint: ["oxlint", "--type-aware", "--deny-warnings"],
  format: ["oxfmt", "--check", "."],
  "dead code": ["knip", "--no-progress", "--cache"],
  structure: ["vitest", "run", "--config", "vitest.unit.config.ts", "test/structure.test.ts"],
};

interface Outcome {
  name: string;
  passed: boolean;
  output: string;
  seconds: string;
}

async function run(name: string, [tool = "", ...args]: string[]): Promise<Outcome> {
  const since = Date.now();
  const child = spawn(path.join(root, "node_modules", ".bin", tool), args, {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (part: Buffer) => (output += part.toString()));
  child.stderr.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  return { name, passed: code === 0, output, seconds: ((Date.now() - since) / 1000).toFixed(1) };
}

const outcomes = await Promise.all(
  Object.entries(checks).map(([name, command]) => run(name, command)),
);
for (const { output } of outcomes.filter(({ passed }) => !passed)) console.log(output);
for (const { name, passed, seconds } of outcomes)
  console.log(`${passed ? "passed" : "FAILED"}  ${name}  ${seconds} s`);
process.exitCode = outcomes.every(({ passed }) => passed) ? 0 : 1;
