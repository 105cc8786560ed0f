/** Finds a harness in the document. */
import type { Config, HarnessEntry } from "../../../store/config.ts";
import { noHarness } from "../errors.ts";

/** The harness with that id; 404 when there is none. */
export function harnessOf(config: Config, id: string): HarnessEntry {
  const harness = config.harnesses?.find((entry) => entry.id === id);
  if (harness === undefined) throw noHarness(id);
  return harness;
}
