/** Gives a test project one scripted provider: `inject("upstream")` is its address; `inject("scope")` is how much runs. */
import type { TestProject } from "vitest/node";
import { sampleOf } from "./sample.ts";
import { startUpstream } from "./upstream.ts";

/** Starts the provider before the project's tests; what it returns ends it after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const upstream = await startUpstream();
  project.provide("upstream", upstream.url);
  project.provide("scope", sampleOf(process.env).scope);
  return () => upstream.close();
}
