/** Every test by its name and place: `npm test`. `vitest.unit.config.ts` has the plain Node tests alone. */
import { randomBytes } from "node:crypto";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { settings } from "./scripts/host/worker.ts";
import { buildConstants, nodeProject, shared } from "./vitest.unit.config.ts";

/** Tests inside workerd: files named `*.workers.test.ts`. */
const workersProject: TestProjectInlineConfiguration = {
  plugins: [
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
    include: ["test/**/*.workers.test.ts"],
    globalSetup: ["test/kit/upstream-setup.ts"],
  },
};

/** Hosts as users start them, asked over real sockets: the files of `test/smoke`. */
const smokeProject: TestProjectInlineConfiguration = {
  test: {
    name: "smoke",
    env: shared.env,
    include: ["test/smoke/**/*.test.ts"],
    globalSetup: ["test/kit/upstream-setup.ts"],
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
    projects: [nodeProject, workersProject, smokeProject],
  },
});
