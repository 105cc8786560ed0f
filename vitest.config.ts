import { randomBytes } from "node:crypto";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import type { Vite } from "vitest/node";
import { packageVersion } from "./scripts/host/paths.ts";
import { settings } from "./scripts/host/worker.ts";

/** The build's constants; the Workers pool knows nothing of Vite's `define`. */
const constants: Record<string, string> = {
  __LIMITS__: "true",
  __VERSION__: JSON.stringify(packageVersion()),
};
const buildConstants: Vite.Plugin = {
  name: "build-constants",
  enforce: "post",
  transform(code, id) {
    if (!id.includes("/src/")) return undefined;
    return code.replace(/\b__(?:LIMITS|VERSION)__\b/g, (name) => constants[name] ?? name);
  },
};

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [buildConstants],
        test: {
          name: "node",
          // The laws run long on a busy machine.
          testTimeout: 120_000,
          include: ["test/**/*.test.ts"],
          exclude: ["test/**/*.workers.test.ts", "test/smoke/**"],
        },
      },
      {
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
      },
      {
        test: {
          name: "smoke",
          include: ["test/smoke/**/*.test.ts"],
          globalSetup: ["test/kit/upstream-setup.ts"],
          // Hosts are processes with ports and state: one file after another.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
