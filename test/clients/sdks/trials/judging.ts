/** What trials say about how an action ended. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Done, SeenError } from "../sdk.ts";

/** Wrong unless it ended with this value. */
export function unlessValue(done: Done, expected: unknown): string[] {
  if ("error" in done) return [`${done.error.name}: ${done.error.message}`];
  const same = JSON.stringify(done.value) === JSON.stringify(expected);
  return same ? [] : [`gave ${JSON.stringify(done.value)}`];
}

/** Wrong unless it ended with this exception. */
export function unlessError(done: Done, expected: SeenError): string[] {
  if (!("error" in done)) return [`gave ${JSON.stringify(done.value)}, not an error`];
  const { name, status, message } = done.error;
  if (name === expected.name && expected.says.test(message)) return [];
  return [`threw ${name} (${String(status)}): ${message}`];
}

/** Looks again until something is found, for some seconds. */
export async function until<T>(look: () => T | Promise<T>): Promise<T | undefined> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(100);
  }
  return undefined;
}
