/** Gives a test project one company: `inject("company")` holds a gateway's settings for signing in there. */
import type { TestProject } from "vitest/node";
import { startCompany } from "./company.ts";

/** Starts the company before the project's tests, without accounts: tests put in their own by `putAccount`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const company = await startCompany({ accounts: [] });
  project.provide("company", company.settings);
  return () => company.close();
}
