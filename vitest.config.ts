/** Every test by its name and place: `npm test`. `vitest.unit.config.ts` has the plain Node tests alone. */
import { randomBytes } from "node:crypto";
import path from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import type { Vite } from "vitest/node";
import { writeAssets } from "./scripts/host/build/assets.ts";
import { bundledModule } from "./scripts/host/build/bundle.ts";
import { buildStaticFiles } from "./scripts/host/build/client.ts";
import { root } from "./scripts/host/paths.ts";
import { settings } from "./scripts/host/workerd/worker.ts";
import { buildConstants, growthProject, nodeProject, shared } from "./vitest.unit.config.ts";

/** Modules that import most of src: hundreds of files, each of which the runtime would ask for, test file by test file. */
const bundles: ReadonlySet<string> = new Set(
  ["src/worker.ts", "src/admin/routes/index.ts"].map((file) => path.join(root, file)),
);

/** Hands them to workerd as one module each, made from the source at the start of the run. */
const bundledModules: Vite.Plugin = {
  name: "bundled-modules",
  enforce: "pre",
  async load(id) {
    const [file = ""] = id.split("?", 1);
    return bundles.has(file) ? await bundledModule(file) : undefined;
  },
};

// The pool reads wrangler.toml, which names their folder.
writeAssets(await buildStaticFiles());

/** Tests inside workerd: files named `*.workers.test.ts`. */
const workersProject: TestProjectInlineConfiguration = {
  plugins: [
    bundledModules,
    buildConstants,
    cloudflareTest({
      // The source, not the build: a test always runs what stands in src.
      main: "./src/worker.ts",
      wrangler: { configPath: "./wrangler.toml" },
      miniflare: {
        // Over what a `.dev.vars` in the project may say.
        bindings: {
          ...settings,
          ADMIN_TOKEN: randomBytes(16).toString("hex"),
          ENCRYPTION_KEY: randomBytes(32).toString("base64"),
        },
      },
    }),
  ],
  test: {
    name: "workers",
    // A request each through real objects, on machines that may be busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    include: ["test/**/*.workers.test.ts"],
    globalSetup: [
      "test/kit/upstream-setup.ts",
      "test/kit/company-setup.ts",
      "test/kit/receiver-setup.ts",
    ],
  },
};

/** Hosts as users start them, asked over real sockets: the files of `test/smoke`, and others named `*.host.test.ts`. */
const smokeProject: TestProjectInlineConfiguration = {
  test: {
    name: "smoke",
    env: shared.env,
    include: ["test/smoke/**/*.test.ts", "test/**/*.host.test.ts"],
    globalSetup: ["test/kit/upstream-setup.ts", "test/kit/receiver-setup.ts"],
    // A dozen processes start and end, on a busy machine one after another.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // After the other projects: hosts and their tests wait for each other's time-outs.
    sequence: { groupOrder: 1 },
    maxConcurrency: 4,
  },
};

export default defineConfig({
  test: {
    reporters: shared.reporters,
    maxWorkers: "100%",
    projects: [nodeProject, growthProject, workersProject, smokeProject],
  },
});
