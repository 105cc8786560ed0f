/** The keys that end when somebody leaves. */
import { readConfig } from "../../../admin/routes/document/config.ts";
import { listKeys } from "../../../admin/routes/document/keys.ts";
import type { AdminScope } from "../../../admin/shared/scope.ts";

/** Names of the person's keys. */
export async function keysOf(scope: AdminScope, person: string): Promise<string[]> {
  const { harnesses = [] } = await readConfig(scope);
  const lists = await Promise.all(harnesses.map(({ id }) => listKeys(scope, id)));
  return lists
    .flat()
    .filter((key) => key.person === person)
    .map(({ name, last4 }) => `${name === "" ? "unnamed" : name} (…${last4})`);
}

/** What happens to those keys when their person leaves. */
export function endingKeys(keys: readonly string[]): string {
  if (keys.length === 0) return "They have no keys.";
  return `These keys stop working: ${keys.join(", ")}.`;
}
