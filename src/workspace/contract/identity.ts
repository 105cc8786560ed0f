/** What the object answers about a key. */
import type { LimitEntry } from "../../store/config.ts";
import type { KeyRecord, Snapshot } from "../../store/snapshot.ts";

/** What a key may do, as isolates remember it. */
export interface KeyTerms {
  /** ISO 8601 UTC. */
  expires_at: string | null;
  /** Id of the key's person. */
  person?: string;
  /** Limits of the key and of its person. */
  limits?: readonly LimitEntry[];
  /** Ids or patterns of the models that it may reach; missing: all that its harness may. */
  models?: readonly string[];
  /** Grows with every change of the above; admission compares it. Missing: 0. */
  version?: number;
}

/** A good key, with the document by which its requests are planned. */
export interface IdentifiedKey {
  snapshot: Snapshot;
  key: KeyRecord;
  /** Missing from an object of the version before. */
  terms?: KeyTerms;
}

/** The key's holder, or why the key is not good: M004 it has expired, M005 it is unknown or revoked. */
export type IdentifyAnswer = IdentifiedKey | { refusal: "M004" | "M005" };
