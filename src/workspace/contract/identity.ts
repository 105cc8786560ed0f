/** What the object answers about a key. */
import type { KeyRecord, Snapshot } from "../../store/snapshot.ts";

/** A good key, with the document by which its requests are planned. */
export interface IdentifiedKey {
  snapshot: Snapshot;
  key: KeyRecord;
}

/** The key's holder, or why the key is not good: M004 it has expired, M005 it is unknown or revoked. */
export type IdentifyAnswer = IdentifiedKey | { refusal: "M004" | "M005" };
