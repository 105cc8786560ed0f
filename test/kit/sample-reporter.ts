/** Prints the seed of a sampled run, and the command that repeats the run when it fails. */
import path from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import { type Sample } from "./sample.ts";

export function sampleReporter({ scope, seed }: Sample): Reporter {
  return {
    onTestRunEnd(modules, errors) {
      if (scope === "full") return;
      const failed = modules.filter((module) => !module.ok());
      console.log(`Sampled by seed ${seed}; TEST_SCOPE=full runs every case.`);
      if (failed.length > 0 || errors.length > 0)
        console.log(`Repeat this run: TEST_SEED=${seed} npx vitest run ${files(failed)}`);
    },
  };
}

function files(modules: readonly TestModule[]): string {
  const names = modules.map(({ moduleId }) => path.relative(process.cwd(), moduleId));
  return [...new Set(names)].join(" ");
}
