/** Changes to one harness of the document. */
import type { Config, HarnessEntry } from "../../../../store/config.ts";
import { editConfig } from "../../../../admin/routes/config.ts";
import { noHarness } from "../../../../admin/shared/errors.ts";
import type { AdminScope } from "../../../../admin/shared/scope.ts";

/** Replaces a harness with the result of `change`, which gets its latest version. Throws the 404 of an unknown id. */
export function editHarness(
  scope: AdminScope,
  id: string,
  change: (harness: HarnessEntry) => HarnessEntry,
): Promise<Config> {
  return editConfig(scope, (config) => {
    const harnesses = config.harnesses ?? [];
    if (!harnesses.some((entry) => entry.id === id)) throw noHarness(id);
    return {
      ...config,
      harnesses: harnesses.map((entry) => (entry.id === id ? change(entry) : entry)),
    };
  });
}

/** The harness with that member set, or without it when the value is empty. */
export function withMember<K extends keyof HarnessEntry>(
  harness: HarnessEntry,
  name: K,
  value: HarnessEntry[K] | undefined,
): HarnessEntry {
  const { [name]: _, ...rest } = harness;
  const empty =
    value === undefined || (typeof value === "object" && Object.keys(value).length === 0);
  // The same entry with one of its own members, or without an optional one.
  return (empty ? rest : { ...rest, [name]: value }) as HarnessEntry;
}
