/** What the audit log says of a key. */
import type { KeyRecord } from "../../store/snapshot.ts";

/** Whose it is and what it may do: neither its text nor its hash. */
export function keyFacts(key: KeyRecord): Record<string, unknown> {
  const { name, harness, last4, expires_at, person, limits, models } = key;
  return {
    name,
    harness,
    last4,
    expires_at,
    ...(person !== undefined && { person }),
    ...(limits !== undefined && { limits }),
    ...(models !== undefined && { models }),
  };
}
