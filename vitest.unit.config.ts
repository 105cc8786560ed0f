/**
 * The plain Node tests alone (`npm run test:unit`, `npm run test:watch`): without the build, without workerd, and
 * without loading the Workers pool, which takes seconds.
 */
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import type { Vite } from "vitest/node";
import { packageVersion } from "./scripts/host/paths.ts";
import { sampleReporter } from "./test/kit/sample-reporter.ts";
import { environmentOf, sampleOf } from "./test/kit/sample.ts";

/** The build's constants; the Workers pool knows nothing of Vite's `define`. */
const constants: Record<string, string> = {
  __LIMITS__: "true",
  __VERSION__: JSON.stringify(packageVersion()),
};

/** Puts the build's constants into the source under test. */
export const buildConstants: Vite.Plugin = {
  name: "build-constants",
  enforce: "post",
  transform(code, id) {
    if (!id.includes("/src/")) return undefined;
    return code.replace(/\b__(?:LIMITS|VERSION)__\b/g, (name) => constants[name] ?? name);
  },
};

const sample = sampleOf(process.env);

/** What runs of every project share. */
export const shared = {
  reporters: ["default", sampleReporter(sample)],
  env: environmentOf(sample),
};

/** It measures: it runs in a process of its own. */
const growthTest = "test/hostile/complexity.test.ts";

/** Tests in plain Node: `*.test.ts` but for other suffixes and the smoke suite. */
export const nodeProject: TestProjectInlineConfiguration = {
  plugins: [buildConstants],
  test: {
    name: "node",
    env: shared.env,
    // One module graph for all files: they test pure functions, and loading the source costs more than the tests.
    isolate: false,
    pool: "threads",
    // The laws run long on a busy machine, and so does a build before tests of it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    include: ["test/**/*.test.ts"],
    exclude: ["test/**/*.workers.test.ts", "test/**/*.host.test.ts", "test/smoke/**", growthTest],
  },
};

/** How work grows: in a process of its own whose garbage is collected between measurements, hardly within them. */
export const growthProject: TestProjectInlineConfiguration = {
  plugins: [buildConstants],
  test: {
    name: "growth",
    env: shared.env,
    pool: "forks",
    execArgv: ["--expose-gc", "--min-semi-space-size=128", "--max-semi-space-size=128"],
    testTimeout: 120_000,
    include: [growthTest],
  },
};

export default defineConfig({
  test: {
    reporters: shared.reporters,
    maxWorkers: "100%",
    projects: [nodeProject, growthProject],
  },
});
