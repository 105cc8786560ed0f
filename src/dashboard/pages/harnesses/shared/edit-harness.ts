/** Changes to one harness of the document. */
import type { Config, HarnessEntry } from "../../../../store/config.ts";
import { editConfig } from "../../../../admin/routes/document/config.ts";
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

/** Members of a harness to set; an undefined one is to go. */
export type HarnessMembers = { readonly [K in keyof HarnessEntry]?: HarnessEntry[K] | undefined };

/** The harness with those members set, or without them where a value is undefined or an empty object or list. */
export function withMembers(harness: HarnessEntry, members: HarnessMembers): HarnessEntry {
  const kept = Object.entries(harness).filter(([name]) => !Object.hasOwn(members, name));
  const set = Object.entries(members).filter(([, value]) => !isEmpty(value));
  // The same entry with members of its own, or without optional ones.
  return Object.fromEntries([...kept, ...set]) as HarnessEntry;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
