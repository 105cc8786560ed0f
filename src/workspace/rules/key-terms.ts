/** What a key may do, from the workspace's truth. */
import type { LimitEntry } from "../../store/config.ts";
import type { KeyRecord } from "../../store/snapshot.ts";
import type { KeyTerms } from "../contract/identity.ts";
import { personLimitsOf, type WorkspaceState } from "./state.ts";

/** The changes to a key; null removes a member. */
export interface KeyChange {
  name?: string;
  /** ISO 8601 UTC. */
  expires_at?: string | null;
  limits?: readonly LimitEntry[] | null;
  models?: readonly string[] | null;
}

/** The changed key, which isolates that remember the old one do not know yet. */
export function changedKey(key: KeyRecord, change: KeyChange): KeyRecord {
  const { limits: oldLimits, models: oldModels, ...rest } = key;
  const { limits = oldLimits, models = oldModels } = change;
  return {
    ...rest,
    name: change.name ?? key.name,
    expires_at: change.expires_at === undefined ? key.expires_at : change.expires_at,
    ...(limits !== undefined && limits !== null && { limits }),
    ...(models !== undefined && models !== null && { models }),
    version: (key.version ?? 0) + 1,
  };
}

/** The key's terms with the limits of its person. */
export function termsOf(state: WorkspaceState, key: KeyRecord): KeyTerms {
  const { expires_at, person, models, version } = key;
  const limits = [...(key.limits ?? []), ...personLimitsOf(state, person)];
  return {
    expires_at,
    ...(person !== undefined && { person }),
    ...(limits.length > 0 && { limits }),
    ...(models !== undefined && { models }),
    ...(version !== undefined && { version }),
  };
}
