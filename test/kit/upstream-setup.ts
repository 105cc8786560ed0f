/** Gives a test project one scripted provider: `inject("upstream")` is its address. */
import type { TestProject } from "vitest/node";
import { startUpstream } from "./upstream.ts";

/** Starts the provider before the project's tests; what it returns ends it after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const upstream = await startUpstream();
  project.provide("upstream", upstream.url);
  return () => upstream.close();
}
