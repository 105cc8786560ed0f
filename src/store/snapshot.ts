/** What an isolate holds of a workspace to serve requests: the document and who may call, at one generation. */
import type { Config, LimitEntry } from "./config.ts";

/** A workspace's document at one generation. */
export interface Snapshot {
  workspace: string;
  /** Grows with every change of configuration or keys. Admission compares it. */
  generation: number;
  /** Secrets inside are sealed (see seal.ts); only `send` opens them. */
  config: Config;
}

/** A gateway key as it is stored. */
export interface KeyRecord {
  id: string;
  name: string;
  harness: string;
  /** Hex SHA-256 of the key text. The text itself is kept nowhere. */
  hash: string;
  last4: string;
  /** ISO 8601 UTC, all times. */
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** Id of the person whose key it is; missing: nobody's in particular. */
  person?: string;
  /** Limits of its own, besides those of its harness. */
  limits?: readonly LimitEntry[];
  /** Ids or patterns of the models that it may reach; missing: all that its harness may. */
  models?: readonly string[];
  /** How often the key, or the limits of its person, were changed; missing: never. */
  version?: number;
}
