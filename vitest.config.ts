import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          include: ["test/{core,lib,laws,formats,routing,meter,providers,store,variants}/**/*.test.ts"],
        },
      },
    ],
  },
});
