/** The workspace's id, as its object knows it: an alarm that starts the object does not bring its name along. */
import { defaultWorkspace } from "./accounts/tables/workspaces.ts";
import { readMeta, writeMeta } from "./storage/tables/meta.ts";

/** The id that the object was reached by, now or earlier. */
export function ownName({ id, storage }: DurableObjectState): string {
  if (id.name === undefined) return String(readMeta(storage.sql, "workspace") ?? defaultWorkspace);
  // A disk that fails must not end an instance that only reads.
  if (readMeta(storage.sql, "workspace") !== id.name) writeMeta(storage.sql, "workspace", id.name);
  return id.name;
}
