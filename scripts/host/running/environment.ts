/** Provider keys that stand in the environment, and connecting them. The names are the catalogue's own. */
import { knownKinds, recordOf } from "../../../src/providers/catalogue/kinds.ts";
import type { Config } from "../../../src/store/config.ts";
import type { Admin } from "./admin.ts";

export interface FoundKey {
  kind: string;
  /** The provider's name for people. */
  name: string;
  variable: string;
  value: string;
}

/** Keys of providers that can be connected with a key alone; the first provider that knows a variable has it. */
export function keysIn(environment: Readonly<Record<string, string | undefined>>): FoundKey[] {
  const found: FoundKey[] = [];
  for (const kind of knownKinds) {
    const record = recordOf(kind);
    if (record?.baseUrl === undefined) continue;
    const variable = record.env?.find((name) => (environment[name] ?? "") !== "");
    const value = variable === undefined ? undefined : environment[variable];
    if (variable === undefined || value === undefined) continue;
    if (found.some((key) => key.variable === variable)) continue;
    found.push({ kind, name: record.name, variable, value });
  }
  return found;
}

/** Adds an entry for each key whose kind has none yet. Returns the keys that were connected. */
export async function connectKeys(admin: Admin, keys: readonly FoundKey[]): Promise<FoundKey[]> {
  // The admin API's own answer: its shape is the document's.
  const config = (await admin.get("/api/config")) as Config;
  const providers = config.providers ?? [];
  const fresh = keys.filter((key) =>
    providers.every((entry) => entry.kind !== key.kind && entry.id !== key.kind),
  );
  if (fresh.length === 0) return [];
  const entries = fresh.map(({ kind, value }) => ({ id: kind, kind, api_key: value }));
  await admin.put("/api/config", { ...config, providers: [...providers, ...entries] });
  return fresh;
}
