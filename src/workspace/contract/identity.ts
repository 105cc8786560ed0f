/** Who holds a key, by the object's own answer; and how a client address is counted. */
import type { KeyRecord, Snapshot } from "../../store/snapshot.ts";

/** A good key, with the document by which its requests are planned. */
export interface IdentifiedKey {
  snapshot: Snapshot;
  key: KeyRecord;
}

/** The key's holder, or why the key is not good: M004 it has expired, M005 it is unknown or revoked. */
export type IdentifyAnswer = IdentifiedKey | { refusal: "M004" | "M005" };

/** Whether the address may make one request more. The token takes the count back; 0: nothing was counted. */
export type AddressAnswer =
  | { ok: true; token: number }
  /** `retryAfter`: whole seconds, 1 to 60. */
  | { ok: false; retryAfter: number; limit: number };
