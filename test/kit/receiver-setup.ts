/** Gives a test project one scripted receiver of webhooks: `inject("receiver")` is its address. */
import type { TestProject } from "vitest/node";
import { startReceiver } from "./receiver.ts";

/** Starts the receiver before the project's tests; what it returns ends it after them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const receiver = await startReceiver();
  project.provide("receiver", receiver.url);
  return () => receiver.close();
}
