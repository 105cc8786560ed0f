/** When people are told that a key expires. */
import type { KeyRecord } from "../../store/snapshot.ts";
import { signInOfKey } from "./sign-in-keys.ts";

const day = 86_400_000;
/** Before its expiry, for keys that live long enough. */
const notice = 7 * day;
const longLife = 14 * day;
/** For how long a key that expired unnoticed is still reported. */
const late = day;

/** From when until when it is reported, epoch ms; undefined for keys that do not expire, and for those of sign-ins, which are replaced every hour. */
export function expiryNotice({
  id,
  created_at,
  expires_at,
}: KeyRecord): { from: number; to: number } | undefined {
  if (expires_at === null || signInOfKey(id) !== undefined) return undefined;
  const expires = Date.parse(expires_at);
  const life = expires - Date.parse(created_at);
  const from = expires - (life >= longLife ? notice : life / 10);
  return Number.isFinite(from) ? { from, to: expires + late } : undefined;
}
