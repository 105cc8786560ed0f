/** What the audit log and events say about a key. */
import type { KeyRecord } from "../../../store/snapshot.ts";
import type { NamedKey } from "../../contract/audit.ts";
import type { WorkspaceEvent } from "../../contract/events.ts";

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

/** The key as a change of the document tells of it. */
export function namedKey({ id, name, harness, last4 }: KeyRecord): NamedKey {
  return { id, name, harness, last4 };
}

/** The facts of events about a key that was created or revoked, or is about to expire. */
export function keyEventData({
  id,
  name,
  harness,
  last4,
  expires_at,
}: KeyRecord): WorkspaceEvent["data"] {
  return { key: id, name, harness, last4, expires_at };
}
